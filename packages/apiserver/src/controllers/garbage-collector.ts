/**
 * Deletes the dependents of deleted objects, and finishes owners in foreground deletion once their dependents are gone.
 * Upstream: garbagecollector.GarbageCollector (pkg/controller, v1.36).
 */
import type { Clock } from '@podscope/trace';
import { dependentsOf, disown, foregroundFinalizer } from '../registry/owners.ts';
import type { Registry } from '../registry/registry.ts';
import { resourceDefinitions, type StoredKind, type StoredObject } from '../registry/resources.ts';
import type { EditableKind } from '../registry/strategies.ts';
import type { Storage } from '../storage/storage.ts';

export interface GarbageCollectorOptions {
  readonly storage: Storage;
  readonly registry: Registry;
  readonly clock: Clock;
}

const isHeld = ({ metadata }: StoredObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(foregroundFinalizer) ?? false);

/** Starts the garbage collector. */
export function collectGarbage({ storage, registry, clock }: GarbageCollectorOptions): void {
  const isThere = (uid: string): boolean =>
    resourceDefinitions.some(({ kind }) => storage.list(kind).some(({ metadata }) => metadata.uid === uid));

  const deleteDependents = (owner: StoredObject, policy: 'Background' | 'Foreground'): void => {
    for (const dependent of dependentsOf(storage, owner)) {
      const { kind, object, owners } = dependent;
      const { uid } = owner.metadata;
      // A dependent that has another existing owner isn't deleted.
      if (owners.some((reference) => reference.uid !== uid && isThere(reference.uid))) disown(storage, dependent, uid);
      else if (object.metadata.deletionTimestamp === undefined) {
        registry.delete(kind, object.metadata.namespace, object.metadata.name, {
          propagationPolicy: policy,
          preconditions: { uid: object.metadata.uid },
        });
      }
    }
  };

  /** Removes the foregroundDeletion finalizer of an owner without dependents, so that its deletion finishes. */
  const release = (kind: StoredKind, { metadata }: StoredObject): void => {
    const owner = storage.get(kind, metadata.namespace, metadata.name);
    if (!owner || owner.metadata.uid !== metadata.uid || !isHeld(owner) || dependentsOf(storage, owner).length > 0)
      return;
    registry.update(kind as EditableKind, metadata.namespace, metadata.name, (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        finalizers: object.metadata.finalizers?.filter((name) => name !== foregroundFinalizer),
      },
    }));
  };

  const heldOwners = (): readonly (readonly [StoredKind, StoredObject])[] =>
    resourceDefinitions.flatMap(({ kind }) =>
      storage
        .list(kind)
        .filter(isHeld)
        .map((object) => [kind, object] as const),
    );

  for (const { kind } of resourceDefinitions) {
    storage.watch(kind, storage.resourceVersion, ({ type, object, previous }) => {
      const begins = type === 'MODIFIED' && isHeld(object) && !(previous && isHeld(previous));
      if (type !== 'DELETED' && !begins) return;
      if (type === 'DELETED' && !object.metadata.ownerReferences?.length && dependentsOf(storage, object).length === 0)
        return;
      // Run in the next turn of the event loop: a watcher must not change objects while other watchers are being
      // called.
      clock.schedule(0, () => {
        deleteDependents(object, begins ? 'Foreground' : 'Background');
        for (const [held, owner] of heldOwners()) release(held, owner);
      });
    });
  }
}
