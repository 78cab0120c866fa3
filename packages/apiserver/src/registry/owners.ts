/** Finds and changes objects by their owner references. */
import type { OwnerReference } from '@podscope/k8s';
import type { Storage } from '../storage/storage.ts';
import type { StoredKind, StoredKinds, StoredObject } from './resources.ts';

/** The kinds that clients create and that can have owners. */
const ownedKinds = ['ConfigMap', 'Pod', 'Secret', 'ServiceAccount'] as const satisfies readonly StoredKind[];

/** The finalizer of an owner that is deleted after its dependents. Upstream: metav1.FinalizerDeleteDependents. */
export const foregroundFinalizer = 'foregroundDeletion';

/** An object that can have owners. */
export interface Dependent {
  readonly kind: (typeof ownedKinds)[number];
  readonly object: StoredObject;
  readonly owners: readonly OwnerReference[];
}

/** Returns the objects with this owner. An owner is in the same namespace or cluster-scoped. */
export const dependentsOf = (storage: Storage, { metadata }: StoredObject): readonly Dependent[] =>
  ownedKinds.flatMap((kind) =>
    storage.list(kind, metadata.namespace).flatMap((object): Dependent[] => {
      const owners = object.metadata.ownerReferences ?? [];
      return owners.some(({ uid }) => uid === metadata.uid) ? [{ kind, object, owners }] : [];
    }),
  );

/** Removes an owner from a dependent's references. */
export function disown(storage: Storage, { kind, object: { metadata } }: Dependent, uid: string): void {
  storage.update(kind, metadata.namespace, metadata.name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      ownerReferences: object.metadata.ownerReferences?.filter((owner) => owner.uid !== uid),
    },
  }));
}

/**
 * Removes the owner from the references of all its dependents, so that they aren't deleted with it. Upstream: the work
 * of the `orphan` finalizer.
 */
export function orphanDependents(storage: Storage, owner: StoredObject): void {
  for (const dependent of dependentsOf(storage, owner)) disown(storage, dependent, owner.metadata.uid);
}

/**
 * Returns the change that adds the foregroundDeletion finalizer to an owner with dependents, so that the owner's
 * deletion waits for them. An owner without dependents stays unchanged.
 */
export function holdForDependents<K extends StoredKind>(
  storage: Storage,
  owner: StoredKinds[K],
): (object: StoredKinds[K]) => StoredKinds[K] {
  if (dependentsOf(storage, owner).length === 0) return (object) => object;
  return (object) => {
    const finalizers = new Set([...(object.metadata.finalizers ?? []), foregroundFinalizer]);
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers] } };
  };
}
