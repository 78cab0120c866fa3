/**
 * Stores the API's objects in memory, with one counter of resource versions, optimistic concurrency, and watches that
 * can start in the recent past. Changes are synchronous and therefore atomic; {@link PersistenceQueue} writes them to
 * disk in the background.
 */
import { deepEqual } from '@podscope/base';
import type { KubernetesObject } from '@podscope/k8s';
import { alreadyExists, conflict, expired, notFound, resourceVersionTooLarge } from '../api-errors.ts';
import {
  definitionOf,
  isStoredKind,
  type StoredKind,
  type StoredKinds,
  type StoredObject,
} from '../registry/resources.ts';
import { PersistenceQueue } from './persistence.ts';

/** One change of one object. */
export interface Change<K extends StoredKind = StoredKind> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: K;
  /** The object after the change. For DELETED: the last state, with the version of the deletion. */
  readonly object: StoredKinds[K];
  /** The object before the change; absent for ADDED. */
  readonly previous?: StoredKinds[K];
  readonly resourceVersion: number;
}

/** Conditions for a change. Upstream: metav1.Preconditions. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** The number of changes of each kind that the history holds for watches. */
const defaultHistory = 2_000;

const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;

/** The objects, history and watchers of one kind. */
interface Shelf {
  readonly objects: Map<string, StoredObject>;
  history: Change[];
  /** The newest version that is no longer in the history. A watch must start at or after it. */
  forgotten: number;
  readonly watchers: Set<(change: Change) => void>;
}

/** The store of API objects. */
export class Storage {
  readonly #shelves = new Map<StoredKind, Shelf>();
  readonly #historyLimit: number;
  readonly #persistence: PersistenceQueue;
  #version = 1;
  /** The resource version at which the history starts. */
  #loadedAt = 0;

  constructor(persistence: PersistenceQueue = new PersistenceQueue(), historyLimit: number = defaultHistory) {
    this.#persistence = persistence;
    this.#historyLimit = historyLimit;
  }

  /**
   * Restores the objects of an earlier run. Call it once, before anything else. Resource versions continue from the
   * last one of the earlier run.
   */
  async load(): Promise<void> {
    for (const object of await this.#persistence.load()) {
      if (!isStoredKind(object.kind)) continue;
      this.#shelf(object.kind).objects.set(keyOf(object.metadata.namespace, object.metadata.name), object);
      this.#version = Math.max(this.#version, Number(object.metadata.resourceVersion ?? 0));
    }
    // The history of the earlier run is lost, so clients that watch from an earlier version have to list again.
    this.#version += 1;
    this.#loadedAt = this.#version;
    for (const shelf of this.#shelves.values()) shelf.forgotten = this.#version;
  }

  /** Resolves once every change so far is written; rejects if a write fails. */
  saved(): Promise<void> {
    return this.#persistence.saved();
  }

  /** The resource version of the newest change. */
  get resourceVersion(): number {
    return this.#version;
  }

  get<K extends StoredKind>(kind: K, namespace: string | undefined, name: string): StoredKinds[K] | undefined {
    return this.#shelf(kind).objects.get(keyOf(namespace, name)) as StoredKinds[K] | undefined;
  }

  /** Returns the object. @throws ApiError NotFound */
  mustGet<K extends StoredKind>(kind: K, namespace: string | undefined, name: string): StoredKinds[K] {
    const object = this.get(kind, namespace, name);
    if (!object) throw notFound(definitionOf(kind).resource, name);
    return object;
  }

  /** Returns all objects of a kind, optionally of one namespace, sorted by namespace and name. */
  list<K extends StoredKind>(kind: K, namespace?: string): readonly StoredKinds[K][] {
    const objects = [...this.#shelf(kind).objects.entries()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object as StoredKinds[K]);
    return namespace ? objects.filter(({ metadata }) => metadata.namespace === namespace) : objects;
  }

  /** Stores a new object. @throws ApiError AlreadyExists */
  create<K extends StoredKind>(kind: K, object: StoredKinds[K]): StoredKinds[K] {
    const { namespace, name } = object.metadata;
    if (this.get(kind, namespace, name)) throw alreadyExists(definitionOf(kind).resource, name);
    return this.#commit('ADDED', kind, object, undefined);
  }

  /**
   * Replaces an object by the result of `change`. An equal result doesn't change the object's version. @throws ApiError
   * NotFound, or Conflict if a precondition doesn't hold
   */
  update<K extends StoredKind>(
    kind: K,
    namespace: string | undefined,
    name: string,
    change: (current: StoredKinds[K]) => StoredKinds[K],
    preconditions: Preconditions = {},
  ): StoredKinds[K] {
    const current = this.mustGet(kind, namespace, name);
    checkPreconditions(kind, current, preconditions);
    const next = change(current);
    if (next === current || deepEqual(withVersion(next, current.metadata.resourceVersion), current)) return current;
    return this.#commit('MODIFIED', kind, next, current);
  }

  /**
   * Removes an object and returns its last state.
   * @throws ApiError NotFound, or Conflict if a precondition doesn't hold
   */
  remove<K extends StoredKind>(
    kind: K,
    namespace: string | undefined,
    name: string,
    preconditions: Preconditions = {},
  ): StoredKinds[K] {
    const current = this.mustGet(kind, namespace, name);
    checkPreconditions(kind, current, preconditions);
    return this.#commit('DELETED', kind, current, current);
  }

  /**
   * Calls `listener` with every change of a kind after version `since`: past changes before it returns, new ones as
   * they happen. Returns a function that unsubscribes. @throws ApiError Expired if the history doesn't reach back to
   * `since`
   */
  watch<K extends StoredKind>(kind: K, since: number, listener: (change: Change<K>) => void): () => void {
    const shelf = this.#shelf(kind);
    if (since < shelf.forgotten) throw expired(since, shelf.forgotten);
    if (since > this.#version) throw resourceVersionTooLarge(since, this.#version);
    const call = listener as (change: Change) => void;
    for (const change of shelf.history) if (change.resourceVersion > since) call(change);
    shelf.watchers.add(call);
    return () => void shelf.watchers.delete(call);
  }

  #shelf(kind: StoredKind): Shelf {
    let shelf = this.#shelves.get(kind);
    if (!shelf) {
      shelf = { objects: new Map(), history: [], forgotten: this.#loadedAt, watchers: new Set() };
      this.#shelves.set(kind, shelf);
    }
    return shelf;
  }

  #commit<K extends StoredKind>(
    type: Change['type'],
    kind: K,
    object: StoredKinds[K],
    previous: StoredKinds[K] | undefined,
  ): StoredKinds[K] {
    const resourceVersion = ++this.#version;
    const stored = withVersion(object, String(resourceVersion));
    const { namespace, name } = stored.metadata;
    const shelf = this.#shelf(kind);
    const key = keyOf(namespace, name);
    if (type === 'DELETED') shelf.objects.delete(key);
    else shelf.objects.set(key, stored);
    if (definitionOf(kind).persistent)
      this.#persistence.record(`${definitionOf(kind).resource}/${key}`, type === 'DELETED' ? undefined : stored);
    const change = { type, kind, object: stored, previous, resourceVersion } as Change;
    shelf.history.push(change);
    if (shelf.history.length >= this.#historyLimit * 1.25) {
      const dropped = shelf.history.splice(0, shelf.history.length - this.#historyLimit);
      shelf.forgotten = dropped.at(-1)?.resourceVersion ?? shelf.forgotten;
    }
    for (const watcher of shelf.watchers) watcher(change);
    return stored;
  }
}

function withVersion<T extends KubernetesObject>(object: T, resourceVersion: string | undefined): T {
  if (object.metadata.resourceVersion === resourceVersion) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

/**
 * Throws if the object has another UID or resource version than expected. Upstream: Preconditions.Check (apiserver
 * storage).
 */
function checkPreconditions(
  kind: StoredKind,
  current: KubernetesObject,
  { uid, resourceVersion }: Preconditions,
): void {
  const { metadata } = current;
  const { resource } = definitionOf(kind);
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      resource,
      metadata.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== metadata.resourceVersion)
    throw conflict(resource, metadata.name);
}
