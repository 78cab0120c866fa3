/**
 * Defines the values of a running sync that a debugger can show, and the pod actions that it can change before later
 * steps use them.
 */
import type { Container } from '@podscope/k8s';
import type { Exposed, Exposures } from '@podscope/trace';
import type { ContainerToUpdate, PodActions, ResizedResource } from '../compute-pod-actions/pod-actions.ts';
import type { PodSync } from '../runtime-dependencies.ts';

/**
 * Parses a list of indices.
 * @throws RangeError when the value isn't a list of distinct indices below `length`
 */
function indices(value: unknown, length: number, what: string): readonly number[] {
  const isIndex = (item: unknown): item is number =>
    typeof item === 'number' && Number.isInteger(item) && item >= 0 && item < length;
  if (Array.isArray(value) && value.every(isIndex) && new Set(value).size === value.length) return value;
  throw new RangeError(
    length === 0
      ? `the pod has no ${what}: only [] will do`
      : `a list of different indices from 0 to ${length - 1} into ${what} is needed`,
  );
}

function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new RangeError('true or false is needed');
}

/**
 * Returns the entries of `map` that the value names. A debugger can only remove containers from the list.
 * @throws RangeError when the value names a container that isn't in the list
 */
function fewer<V>(value: unknown, map: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  const keys = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  if (!keys?.every((key) => typeof key === 'string' && map.has(key)))
    throw new RangeError(`a list of keys out of [${[...map.keys()].join(', ')}] is needed`);
  return new Map([...map].filter(([key]) => keys.includes(key)));
}

/**
 * Parses an attempt number.
 * @throws RangeError when the value isn't a whole number of at least 0
 */
function attemptNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new RangeError('a whole number of at least 0 is needed');
}

/**
 * Returns the init container with this name; undefined for null.
 * @throws RangeError when the pod has no such init container
 */
function initContainerNamed(value: unknown, containers: readonly Container[] = []): Container | undefined {
  if (value === null) return undefined;
  const found = containers.find(({ name }) => name === value);
  if (found) return found;
  throw new RangeError(`null or a name out of [${containers.map(({ name }) => name).join(', ')}] is needed`);
}

const resources: readonly ResizedResource[] = ['memory', 'cpu'];

/**
 * Returns the updates of the named containers, in the order that was computed. An example of the value:
 * `{ "cpu": ["app"], "memory": [] }`.
 * @throws RangeError when the value names a container that isn't to be updated
 */
function fewerUpdates(value: unknown, updates: PodActions['containersToUpdate']): PodActions['containersToUpdate'] {
  const kept = (resource: ResizedResource): readonly ContainerToUpdate[] => {
    const all = updates?.[resource] ?? [];
    const known = all.map(({ container }) => container.name);
    const names = typeof value === 'object' && value !== null ? (Reflect.get(value, resource) as unknown) : undefined;
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && known.includes(name)))
      throw new RangeError(`a list of names out of [${known.join(', ')}] is needed for ${resource}`);
    return all.filter(({ container }) => names.includes(container.name));
  };
  const [memory = [], cpu = []] = resources.map(kept);
  return updates && { cpu, memory };
}

/** Returns the values of a sync by name. v1.20 exposes one init container to start, later releases expose several. */
export function syncExposures(sync: PodSync): Exposures {
  const { spec } = sync.pod;
  const isV120 = sync.dependencies.profile.name === 'v1.20';
  const action = <Name extends keyof PodActions>(
    name: Name,
    description: string,
    parse: (value: unknown) => PodActions[Name],
  ): Exposed => ({
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
    'podActions.attempt': action('attempt', 'The attempt number of a new sandbox.', attemptNumber),
    ...(isV120
      ? {
          'podActions.nextInitContainerToStart': {
            ...action('nextInitContainerToStart', 'The name of an init container, or null.', (value) =>
              initContainerNamed(value, spec.initContainers),
            ),
            read: () => sync.actions.nextInitContainerToStart?.name ?? null,
          },
        }
      : {
          'podActions.initContainersToStart': action(
            'initContainersToStart',
            'Indices into spec.initContainers, in start order.',
            (value) => indices(value, spec.initContainers?.length ?? 0, 'spec.initContainers'),
          ),
        }),
    'podActions.containersToUpdate': {
      ...action('containersToUpdate', 'Containers to resize, by resource: names can be removed.', (value) =>
        fewerUpdates(value, sync.actions.containersToUpdate),
      ),
      read: () =>
        Object.fromEntries(
          resources.map((resource) => [
            resource,
            (sync.actions.containersToUpdate?.[resource] ?? []).map(({ container }) => container.name),
          ]),
        ),
    },
    'podActions.ephemeralContainersToStart': action(
      'ephemeralContainersToStart',
      'Indices into spec.ephemeralContainers.',
      (value) => indices(value, spec.ephemeralContainers?.length ?? 0, 'spec.ephemeralContainers'),
    ),
    'podActions.containersToKill': action(
      'containersToKill',
      'Containers to stop, by id: ids can be removed.',
      (value) => fewer(value, sync.actions.containersToKill),
    ),
    pod: () => sync.pod,
    podStatus: () => sync.podStatus,
    sandboxConfig: () => sync.sandboxConfig,
    sandboxID: () => sync.sandboxID,
    podIPs: () => sync.podIPs,
    syncResults: () => sync.result.syncResults,
    backOff: () => sync.backOff.entries(),
    imageBackOff: () => sync.dependencies.imageManager.peekBackOff(),
    imageErrors: () => sync.dependencies.imageManager.previousErrors,
    imageVolumes: () => sync.imageVolumes,
  };
}
