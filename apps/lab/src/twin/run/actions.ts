/** Repeats the external actions of a recording. */

import type { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import { goQuote, type Pod } from '@podscope/k8s';
import { parseStaticPod } from '@podscope/server/node';
import { nodeNameOf, profileOf, type RecordedAction, type Recording } from '../recording.ts';
import type { EngineTrace } from './engine-trace.ts';
import type { TwinNode } from './twin-node.ts';

/** A recorded action that this program can't repeat. */
class UnknownActionError extends Error {
  override readonly name = 'UnknownActionError';
}

export interface ActionParts {
  readonly recording: Recording;
  readonly node: Pick<TwinNode, 'setPods' | 'start' | 'stop'>;
  readonly engine: Pick<DockerEngine, 'call'>;
  readonly trace: Pick<EngineTrace, 'ids'>;
  /** Called with the UID of each pod that a manifest creates. */
  readonly onPod: (uid: string) => void;
}

/** Engine calls by the word that recordings use for them. */
const engineCalls: Readonly<
  Record<string, (id: string, argument: string) => { readonly method: 'POST' | 'DELETE'; readonly path: string }>
> = {
  kill: (id, signal) => ({ method: 'POST', path: `/containers/${id}/kill?signal=${signal || 'KILL'}` }),
  stop: (id, timeout) => ({ method: 'POST', path: `/containers/${id}/stop${timeout ? `?t=${timeout}` : ''}` }),
  restart: (id, timeout) => ({ method: 'POST', path: `/containers/${id}/restart${timeout ? `?t=${timeout}` : ''}` }),
  start: (id) => ({ method: 'POST', path: `/containers/${id}/start` }),
  pause: (id) => ({ method: 'POST', path: `/containers/${id}/pause` }),
  unpause: (id) => ({ method: 'POST', path: `/containers/${id}/unpause` }),
  rm: (id) => ({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` }),
  delete: (id) => ({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` }),
  remove: (id) => ({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` }),
};

/** Parses a manifest as the recording's node does. */
function podOf(recording: Recording, manifest: unknown): Pod {
  return parseStaticPod(JSON.stringify(manifest), {
    path: `/etc/kubernetes/manifests/${recording.name}.json`,
    nodeName: nodeNameOf(recording),
    profile: profileOf(recording),
  });
}

/** Performs an action. @throws UnknownActionError for an unknown action, EngineError if the engine refuses */
export async function perform(parts: ActionParts, action: RecordedAction): Promise<void> {
  const { recording, node } = parts;
  const [subject = '', ...words] = action.action.split(/[\s:]+/);
  const rest = words.join(' ');
  if (subject === 'manifest') {
    if (/^(removed|deleted)/.test(rest)) return node.setPods([]);
    const pod = podOf(recording, action.manifest ?? recording.manifest);
    parts.onPod(pod.metadata.uid);
    return node.setPods([pod]);
  }
  if (subject === 'engine') return engineAction(parts, action, words);
  if (subject === 'kubelet') {
    const verb = /^(start|restart|stop|kill)/.exec(rest)?.[1];
    if (verb === undefined) throw unknown(action);
    if (verb !== 'start') await node.stop();
    if (verb === 'start' || verb === 'restart') await node.start();
    return;
  }
  throw unknown(action);
}

const unknown = ({ action }: RecordedAction): UnknownActionError =>
  new UnknownActionError(`the action ${goQuote(action)} is unknown`);

async function engineAction(
  { engine, trace }: ActionParts,
  action: RecordedAction,
  [verb = '', argument = '']: readonly string[],
): Promise<void> {
  const call = engineCalls[verb];
  if (!call) throw unknown(action);
  const [, name = action.container ?? '', attempt] = /^<(.+)#(\d+)(?:@[0-9a-f]{6})?>$/.exec(action.id ?? '') ?? [];
  const matching = [...trace.ids].filter(
    ([, identity]) => identity.container === name && (attempt === undefined || identity.attempt === Number(attempt)),
  );
  const id = matching.at(-1)?.[0];
  if (id === undefined) throw new Error(`${action.action}: there is no container ${action.id ?? name} here`);
  const { method, path } = call(id, argument);
  await engine.call(method, path);
}
