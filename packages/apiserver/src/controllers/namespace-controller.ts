/**
 * Deletes the content of terminating namespaces, pods first, and then the namespaces. A namespace isn't deleted while
 * objects with finalizers remain in it; its conditions name these objects. Upstream: pkg/controller/namespace/deletion
 * (v1.36).
 */
import type { Namespace, NamespaceCondition } from '@podscope/k8s';
import { type Clock, formatTime } from '@podscope/trace';
import type { Registry } from '../registry/registry.ts';
import { resourceDefinitions, type StoredKind } from '../registry/resources.ts';
import type { Storage } from '../storage/storage.ts';

export interface NamespaceControllerOptions {
  readonly storage: Storage;
  readonly registry: Registry;
  readonly clock: Clock;
}

/** The remaining content of a namespace: the number of objects per resource (`pods.` → 2) and per finalizer. */
interface Remains {
  readonly resources: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
}

const namespacedKinds: readonly StoredKind[] = resourceDefinitions
  .filter(({ namespaced }) => namespaced)
  .map(({ kind }) => kind);

function remainsOf(storage: Storage, namespace: string): Remains {
  const resources = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const { kind, resource, group } of resourceDefinitions) {
    const objects = namespacedKinds.includes(kind) ? storage.list(kind, namespace) : [];
    if (objects.length > 0) resources.set(`${resource}.${group}`, objects.length);
    for (const name of objects.flatMap(({ metadata }) => metadata.finalizers ?? []))
      finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }
  return { resources, finalizers };
}

const listed = (counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string =>
  [...counts]
    .map(([name, count]) => text(name, count))
    .toSorted()
    .join(', ');

/** Upstream: namespaceConditionUpdater. */
function conditionsOf(
  previous: readonly NamespaceCondition[],
  { resources, finalizers }: Remains,
  now: string,
): readonly NamespaceCondition[] {
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string): NamespaceCondition => {
    const before = previous.find((candidate) => candidate.type === type);
    return {
      type,
      status,
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
      reason,
      message,
    };
  };
  const remaining = listed(resources, (name, count) => `${name} has ${count} resource instances`);
  const held = listed(finalizers, (name, count) => `${name} in ${count} resource instances`);
  return [
    condition(
      'NamespaceDeletionDiscoveryFailure',
      'False',
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      'False',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    condition(
      'NamespaceDeletionContentFailure',
      'False',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    remaining
      ? condition(
          'NamespaceContentRemaining',
          'True',
          'SomeResourcesRemain',
          `Some resources are remaining: ${remaining}`,
        )
      : condition('NamespaceContentRemaining', 'False', 'ContentRemoved', 'All content successfully removed'),
    held
      ? condition(
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held}`,
        )
      : condition(
          'NamespaceFinalizersRemaining',
          'False',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ];
}

/** Starts the controller. It also finishes deletions that an earlier run began. */
export function finishNamespaces({ storage, registry, clock }: NamespaceControllerOptions): void {
  const isEnding = (name: string): boolean =>
    storage.get('Namespace', undefined, name)?.metadata.deletionTimestamp !== undefined;

  const deleteAll = (kind: StoredKind, namespace: string): void => {
    for (const { metadata } of storage.list(kind, namespace)) {
      if (metadata.deletionTimestamp === undefined)
        registry.delete(kind, namespace, metadata.name, { preconditions: { uid: metadata.uid } });
    }
  };

  const sync = (name: string): void => {
    if (!isEnding(name)) return;
    deleteAll('Pod', name);
    if (storage.list('Pod', name).length === 0) for (const kind of namespacedKinds) deleteAll(kind, name);
    const remains = remainsOf(storage, name);
    const withConditions = (namespace: Namespace): Namespace => ({
      ...namespace,
      status: {
        ...namespace.status,
        conditions: conditionsOf(namespace.status?.conditions ?? [], remains, formatTime(clock.now())),
      },
    });
    const { metadata } = storage.update('Namespace', undefined, name, withConditions);
    if (remains.resources.size === 0 && (metadata.finalizers?.length ?? 0) === 0)
      storage.remove('Namespace', undefined, name, { uid: metadata.uid });
  };

  /**
   * The namespaces to process in the next turn of the event loop, because a watcher must not change objects while other
   * watchers are being called.
   */
  const due = new Set<string>();
  const schedule = (name: string): void => {
    if (!isEnding(name) || due.has(name)) return;
    due.add(name);
    clock.schedule(0, () => {
      due.delete(name);
      sync(name);
    });
  };

  for (const kind of namespacedKinds) {
    storage.watch(kind, storage.resourceVersion, ({ object: { metadata } }) => schedule(metadata.namespace ?? ''));
  }
  storage.watch('Namespace', storage.resourceVersion, ({ type, object, previous }) => {
    const { deletionTimestamp, finalizers } = object.metadata;
    const changed =
      deletionTimestamp !== previous?.metadata.deletionTimestamp ||
      finalizers?.length !== previous?.metadata.finalizers?.length;
    if (type === 'MODIFIED' && changed) schedule(object.metadata.name);
  });
  for (const { metadata } of storage.list('Namespace')) schedule(metadata.name);
}
