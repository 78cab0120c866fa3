/** What a debugger sees of a sync under way, and what of podActions it may change: later steps work with what it says then. */
import type { Exposed, Exposures } from '@podscope/trace';
import type { PodActions } from '../compute-pod-actions/pod-actions.ts';
import type { PodSync } from './step.ts';

/** @throws RangeError when the value is not a list of indices into a list that long */
function indices(value: unknown, length: number, what: string): readonly number[] {
  const isIndex = (item: unknown): item is number => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item < length;
  if (Array.isArray(value) && value.every(isIndex) && new Set(value).size === value.length) return value;
  throw new RangeError(length === 0 ? `the pod has no ${what}: only [] will do` : `a list of different indices from 0 to ${length - 1} into ${what} is needed`);
}

function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new RangeError('true or false is needed');
}

/** @throws RangeError when the value names a container that would not be killed anyway: what to kill can only be taken from the list */
function fewer<V>(value: unknown, map: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  const keys = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  if (!keys?.every((key) => typeof key === 'string' && map.has(key))) throw new RangeError(`a list of keys out of [${[...map.keys()].join(', ')}] is needed`);
  return new Map([...map].filter(([key]) => keys.includes(key)));
}

/** Everything the steps of one sync share, by name. */
export function syncExposures(sync: PodSync): Exposures {
  const { spec } = sync.pod;
  const action = <Name extends keyof PodActions>(name: Name, description: string, parse: (value: unknown) => PodActions[Name]): Exposed => ({
    description,
    read: () => sync.actions[name],
    write: (value) => {
      sync.actions = { ...sync.actions, [name]: parse(value) };
    },
  });
  return {
    podActions: () => sync.actions,
    'podActions.killPod': action('killPod', 'Stop every container and sandbox first.', flag),
    'podActions.createSandbox': action('createSandbox', 'Create a new sandbox.', flag),
    'podActions.containersToStart': action('containersToStart', 'Indices into spec.containers.', (value) =>
      indices(value, spec.containers.length, 'spec.containers'),
    ),
    'podActions.initContainersToStart': action('initContainersToStart', 'Indices into spec.initContainers, in start order.', (value) =>
      indices(value, spec.initContainers?.length ?? 0, 'spec.initContainers'),
    ),
    'podActions.ephemeralContainersToStart': action('ephemeralContainersToStart', 'Indices into spec.ephemeralContainers.', (value) =>
      indices(value, spec.ephemeralContainers?.length ?? 0, 'spec.ephemeralContainers'),
    ),
    'podActions.containersToKill': action('containersToKill', 'Containers to stop, by id: keys may be left out.', (value) =>
      fewer(value, sync.actions.containersToKill),
    ),
    pod: () => sync.pod,
    podStatus: () => sync.podStatus,
    sandboxConfig: () => sync.sandboxConfig,
    sandboxID: () => sync.sandboxID,
    podIPs: () => sync.podIPs,
    syncResults: () => sync.result.syncResults,
    backOff: () => sync.backOff.entries(),
    imageBackOff: () => sync.parts.imageManager.peekBackOff(),
    imageErrors: () => sync.parts.imageManager.previousErrors,
    imageVolumes: () => sync.imageVolumes,
  };
}
