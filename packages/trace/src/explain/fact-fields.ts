/** Maps the facts of a rule to the fields of the pod's spec or status from which they were read. */
import type { Attributes } from '../events/event.ts';
import { listAt, objectAt, textAt } from '../folds/attribute-values.ts';

interface Places {
  /**
   * The path of the container in the spec, for example `spec.containers[0]`; undefined if the fact isn't about a
   * container.
   */
  readonly spec: string | undefined;
  readonly status: string | undefined;
  readonly object: unknown;
  readonly containerSpec: Attributes | undefined;
  readonly containerStatus: Attributes | undefined;
}

const lists = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

function placesOf(object: unknown, status: unknown, container: string | undefined): Places {
  for (const [specs, statuses] of lists) {
    const at = listAt(object, 'spec', specs).findIndex(({ name }) => name === container);
    if (at < 0) continue;
    const shown = listAt(status, statuses).findIndex(({ name }) => name === container);
    return {
      spec: `spec.${specs}[${at}]`,
      status: shown < 0 ? undefined : `status.${statuses}[${shown}]`,
      object,
      containerSpec: listAt(object, 'spec', specs)[at],
      containerStatus: listAt(status, statuses)[shown],
    };
  }
  return { spec: undefined, status: undefined, object, containerSpec: undefined, containerStatus: undefined };
}

const endField = ({ status, containerStatus }: Places, field: string): string | undefined => {
  if (!status) return undefined;
  const state = objectAt(containerStatus, 'state', 'terminated')
    ? 'state'
    : objectAt(containerStatus, 'lastState', 'terminated')
      ? 'lastState'
      : undefined;
  return state && `${status}.${state}.terminated.${field}`;
};

const ofSpec =
  (field: string) =>
  ({ spec }: Places): string | undefined =>
    spec && `${spec}.${field}`;
const ofStatus =
  (field: string) =>
  ({ status }: Places): string | undefined =>
    status && `${status}.${field}`;

/** Functions that return the path of a fact's field, by the name of the fact. */
const fields: Readonly<Record<string, (places: Places) => string | undefined>> = {
  image: ofSpec('image'),
  pullPolicy: ofSpec('imagePullPolicy'),
  liveness: ofSpec('livenessProbe'),
  startup: ofSpec('startupProbe'),
  hashOfSpec: ({ spec }) => spec,
  restartPolicy: ({ spec, containerSpec }) =>
    textAt(containerSpec, 'restartPolicy') ? `${spec}.restartPolicy` : 'spec.restartPolicy',
  exitCode: (places) => endField(places, 'exitCode'),
  finishedAt: (places) => endField(places, 'finishedAt'),
  reason: (places) => endField(places, 'reason'),
  restartCount: ofStatus('restartCount'),
  containerID: ofStatus('containerID'),
  state: ofStatus('state'),
  lastState: ofStatus('lastState'),
  ready: ofStatus('ready'),
  networkWanted: () => 'spec.hostNetwork',
  hostNetwork: () => 'spec.hostNetwork',
  ip: () => 'status.podIP',
  phase: () => 'status.phase',
  before: ({ spec }) => (spec ? undefined : 'status.phase'),
  deleted: () => 'metadata.deletionTimestamp',
  desired: ofSpec('resources'),
  current: ofStatus('resources'),
};

function hasPath(root: unknown, path: string): boolean {
  let at: unknown = root;
  for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof at !== 'object' || at === null || !(key in at)) return false;
    at = (at as Attributes)[key];
  }
  return true;
}

/**
 * Returns the path of the field from which a fact was read, for example `spec.containers[0].image`. Returns undefined
 * if the fact isn't a field or if the pod doesn't have it.
 */
export function fieldOfFact(object: unknown, status: unknown, facts: Attributes, name: string): string | undefined {
  const path = fields[name]?.(placesOf(object, status, textAt(facts, 'container')));
  if (!path) return undefined;
  return hasPath(path.startsWith('status.') ? { status } : object, path) ? path : undefined;
}
