/** Objects that belong to others, by their owner references. */
import type { OwnerReference } from '@podscope/k8s';
import type { StoredKind, StoredKinds, StoredObject } from './resources.ts';
import type { Storage } from './storage.ts';

/** Kinds that clients make, and may give owners. */
const ownedKinds = ['ConfigMap', 'Pod', 'Secret', 'ServiceAccount'] as const satisfies readonly StoredKind[];

/** Holds an owner until its dependents are gone. Upstream: metav1.FinalizerDeleteDependents. */
export const foregroundFinalizer = 'foregroundDeletion';

/** One object that others own. */
export interface Dependent {
  readonly kind: (typeof ownedKinds)[number];
  readonly object: StoredObject;
  readonly owners: readonly OwnerReference[];
}

/** The objects that name this one as an owner: owners are of the same namespace, or of none. */
export const dependentsOf = (storage: Storage, { metadata }: StoredObject): readonly Dependent[] =>
  ownedKinds.flatMap((kind) =>
    storage.list(kind, metadata.namespace).flatMap((object): Dependent[] => {
      const owners = object.metadata.ownerReferences ?? [];
      return owners.some(({ uid }) => uid === metadata.uid) ? [{ kind, object, owners }] : [];
    }),
  );

/** Takes an owner out of a dependent's references. */
export function disown(storage: Storage, { kind, object: { metadata } }: Dependent, uid: string): void {
  storage.update(kind, metadata.namespace, metadata.name, (object) => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: object.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) },
  }));
}

/** The dependents stay, and belong to nobody. Upstream: the `orphan` finalizer's work. */
export function orphanDependents(storage: Storage, owner: StoredObject): void {
  for (const dependent of dependentsOf(storage, owner)) disown(storage, dependent, owner.metadata.uid);
}

/** What makes an owner wait for its dependents, where there are any. */
export function holdForDependents<K extends StoredKind>(storage: Storage, owner: StoredKinds[K]): (object: StoredKinds[K]) => StoredKinds[K] {
  if (dependentsOf(storage, owner).length === 0) return (object) => object;
  return (object) => {
    const finalizers = new Set([...(object.metadata.finalizers ?? []), foregroundFinalizer]);
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers] } };
  };
}
