/** Names the calls that list objects: as one answer, or as a stream of partial answers (CRIListStreaming, v1.36). */
import type { CallMessage } from '../inputs.ts';
import { listAt } from './fields.ts';

/** The field with the objects in the answer of each list of sandboxes or containers. */
const fields: Readonly<Record<string, readonly ['sandboxes' | 'containers', string]>> = {
  ListPodSandbox: ['sandboxes', 'items'],
  StreamPodSandboxes: ['sandboxes', 'podSandboxes'],
  ListContainers: ['containers', 'containers'],
  StreamContainers: ['containers', 'containers'],
};

/** Returns true for a call that lists objects or figures of the node. */
export const isList = (method: string): boolean => /^(?:List|Stream)/.test(method);

/** Returns whether a call lists sandboxes or containers; undefined for any other call. */
export const listedKind = (method: string): 'sandboxes' | 'containers' | undefined => fields[method]?.[0];

/** Returns the sandboxes or containers in the answer of a list. */
export const listedItems = (method: string, response: CallMessage | undefined): readonly CallMessage[] =>
  listAt(response, fields[method]?.[1] ?? '');
