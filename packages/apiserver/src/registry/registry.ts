/**
 * Implements the API's operations on objects: generated names and uids, defaults, validation, admission and graceful
 * deletion. The differences between kinds are in their strategies. Upstream: registry/rest and generic/registry
 * (apiserver, v1.36).
 */
import { deepEqual } from '@podscope/base';
import {
  ApplyConflictError,
  applyConfiguration,
  type FieldManager,
  type ObjectMeta,
  trackUpdate,
  writableSchemas,
} from '@podscope/k8s';
import { type Clock, formatTime } from '@podscope/trace';
import { checkNamespaceTakes } from '../admission/namespace-lifecycle.ts';
import {
  ApiError,
  applyConflict,
  badRequest,
  conflict,
  forbidden,
  invalid,
  methodNotSupported,
  notFound,
} from '../api-errors.ts';
import { generateName, newUid, type Random } from '../random.ts';
import type { Preconditions, Storage } from '../storage/storage.ts';
import { markDeleted } from './mark-deleted.ts';
import { holdForDependents, orphanDependents } from './owners.ts';
import { checkGracefulDelete } from './pod-deletion.ts';
import { apiVersionOf, definitionOf, type StoredKind, type StoredKinds } from './resources.ts';
import type { EditableKind, Strategies } from './strategies.ts';
import type { Subresource } from './strategy.ts';

/** Options of all writing operations. */
export interface WriteOptions {
  /** Performs every check but stores nothing. */
  readonly dryRun?: boolean;
  /** The field manager. Default: `podscope`. */
  readonly fieldManager?: string;
}

/** Options of server-side apply. Upstream: metav1.PatchOptions of an apply. */
export interface ApplyOptions extends WriteOptions {
  readonly subresource?: Subresource;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
}

/** Options of a deletion. Upstream: metav1.DeleteOptions. */
export interface DeleteOptions extends WriteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  /** What happens to the dependents of the deleted object. Default: they are deleted in the background. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** Rejects objects for reasons beyond validation. Upstream: admission.ValidationInterface. */
/** The object that an update replaces, and the subresource of the update. */
interface Update<K extends StoredKind> {
  readonly current: StoredKinds[K];
  readonly subresource: Subresource | undefined;
}

type Admit = <K extends StoredKind>(kind: K, object: StoredKinds[K], update?: Update<K>) => void;

export interface RegistryOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly strategies: Strategies;
  readonly admit: Admit;
}

/** Namespaces that always exist. Upstream: NamespaceLifecycle's immortal namespaces. */
export const immortalNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** The outcome of a deletion. */
export interface Deletion<K extends StoredKind> {
  readonly object: StoredKinds[K];
  /** False while the object still exists, because of its grace period or finalizers. */
  readonly removed: boolean;
}

/** The API's operations. Errors are {@link ApiError}s. */
export class Registry {
  readonly #options: RegistryOptions;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /**
   * Creates an object. `namespace` is the namespace in the path. `assumeNamespace` skips the check that the namespace
   * exists; dry runs use it. Upstream: Store.Create and rest.BeforeCreate.
   */
  create<K extends EditableKind>(
    kind: K,
    namespace: string | undefined,
    submitted: StoredKinds[K],
    { dryRun, assumeNamespace, fieldManager }: WriteOptions & { readonly assumeNamespace?: boolean } = {},
  ): StoredKinds[K] {
    const tracked = trackUpdate(
      writableSchemas[kind],
      undefined,
      this.#options.strategies.of(kind).setDefaults(submitted),
      this.#manager(kind, fieldManager),
    );
    return this.#create(kind, namespace, submitted, { dryRun, assumeNamespace, managedFields: tracked });
  }

  #create<K extends EditableKind>(
    kind: K,
    namespace: string | undefined,
    submitted: StoredKinds[K],
    {
      dryRun,
      assumeNamespace,
      managedFields,
    }: {
      readonly dryRun: boolean | undefined;
      readonly assumeNamespace?: boolean;
      readonly managedFields: readonly unknown[];
    },
  ): StoredKinds[K] {
    const { clock, random, storage, strategies, admit } = this.#options;
    const { resource, verbs } = definitionOf(kind);
    if (!verbs.includes('create')) throw methodNotSupported(resource, 'create');
    checkNamespace(submitted.metadata, namespace);
    if (submitted.metadata.resourceVersion)
      throw badRequest('resourceVersion should not be set on objects to be created');
    const generated = !submitted.metadata.name && !!submitted.metadata.generateName;
    const { selfLink: _, deletionTimestamp: __, deletionGracePeriodSeconds: ___, ...kept } = submitted.metadata;
    const metadata: ObjectMeta = {
      ...kept,
      managedFields,
      name: generated ? generateName(kept.generateName ?? '', random) : kept.name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: newUid(random),
      creationTimestamp: formatTime(clock.now()),
    };
    const strategy = strategies.of(kind);
    const object = strategy.prepareForCreate({ ...submitted, metadata });
    if (!assumeNamespace && namespace !== undefined)
      checkNamespaceTakes(storage, resource, object.metadata.name, namespace);
    const errors = strategy.validate(object);
    if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors);
    admit(kind, object);
    if (dryRun) {
      if (storage.get(kind, namespace, object.metadata.name)) storage.create(kind, object);
      return object;
    }
    return storage.create(kind, object);
  }

  /**
   * Replaces an object by the result of `change`. A resource version or UID in the result must match the current ones.
   * Upstream: Store.Update and rest.BeforeUpdate.
   */
  update<K extends EditableKind>(
    kind: K,
    namespace: string | undefined,
    name: string,
    change: (current: StoredKinds[K]) => StoredKinds[K],
    { dryRun, subresource, fieldManager }: WriteOptions & { readonly subresource?: Subresource } = {},
  ): StoredKinds[K] {
    const manager = this.#manager(kind, fieldManager, subresource);
    return this.#replace(kind, namespace, name, dryRun, (current) => {
      const next = this.#next(kind, current, change(current), subresource);
      const managedFields = trackUpdate(writableSchemas[kind], current, next, manager);
      return { ...next, metadata: { ...next.metadata, managedFields } };
    });
  }

  /**
   * Server-side apply: sets the fields of the configuration, and removes the fields that only the previous
   * configuration of the same manager had. Creates the object if it doesn't exist. Upstream: applyPatcher (apiserver
   * endpoints/handlers/patch.go, v1.36).
   * @param decode validates the merged data
   */
  apply<K extends EditableKind>(
    kind: K,
    namespace: string | undefined,
    name: string,
    configuration: Readonly<Record<string, unknown>>,
    decode: (data: Readonly<Record<string, unknown>>) => StoredKinds[K],
    { dryRun, subresource, fieldManager, force = false }: ApplyOptions,
  ): { readonly object: StoredKinds[K]; readonly created: boolean } {
    const manager = this.#manager(kind, fieldManager, subresource);
    const applied = (live: StoredKinds[K] | undefined): StoredKinds[K] =>
      decode(applyOrConflict(() => applyConfiguration(writableSchemas[kind], live, configuration, manager, force)));
    const current = this.#options.storage.get(kind, namespace, name);
    if (current) {
      return {
        object: this.#replace(kind, namespace, name, dryRun, (live) =>
          this.#next(kind, live, applied(live), subresource),
        ),
        created: false,
      };
    }
    if (subresource !== undefined) throw notFound(definitionOf(kind).resource, name);
    const submitted = applied(undefined);
    if (submitted.metadata.name !== name) throw nameMismatch(submitted.metadata.name, name);
    if (submitted.metadata.uid)
      throw conflict(
        definitionOf(kind).resource,
        name,
        `uid mismatch: the provided object specified uid ${submitted.metadata.uid}, and no existing object was found`,
      );
    return {
      object: this.#create(kind, namespace, submitted, {
        dryRun,
        managedFields: submitted.metadata.managedFields ?? [],
      }),
      created: true,
    };
  }

  #replace<K extends EditableKind>(
    kind: K,
    namespace: string | undefined,
    name: string,
    dryRun: boolean | undefined,
    replace: (current: StoredKinds[K]) => StoredKinds[K],
  ): StoredKinds[K] {
    const { storage } = this.#options;
    if (dryRun) return replace(storage.mustGet(kind, namespace, name));
    return this.#finalize(kind, storage.update(kind, namespace, name, replace)).object;
  }

  #manager(kind: StoredKind, name = 'podscope', subresource?: string): FieldManager {
    return {
      name,
      apiVersion: apiVersionOf(definitionOf(kind)),
      time: formatTime(this.#options.clock.now()),
      ...(subresource && { subresource }),
    };
  }

  /**
   * Deletes an object: pods and namespaces gracefully, other kinds at once. Upstream: Store.Delete, rest.BeforeDelete.
   */
  delete<K extends StoredKind>(
    kind: K,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions = {},
  ): Deletion<K> {
    const { storage, clock } = this.#options;
    const { resource } = definitionOf(kind);
    const current = storage.mustGet(kind, namespace, name);
    if (kind === 'Namespace' && immortalNamespaces.includes(name))
      throw forbidden(resource, name, 'this namespace may not be deleted');
    if (options.dryRun) {
      storage.update(kind, namespace, name, (object) => object, options.preconditions);
      return { object: current, removed: false };
    }
    if (kind === 'Namespace') return this.#deleteNamespace(name, options) as Deletion<K>;
    if (options.propagationPolicy === 'Orphan') orphanDependents(storage, current);
    const held =
      options.propagationPolicy === 'Foreground'
        ? holdForDependents(storage, current)
        : (object: StoredKinds[K]) => object;
    const grace =
      current.kind === 'Pod' ? checkGracefulDelete(current as StoredKinds['Pod'], options.gracePeriodSeconds) : 0;
    const updated = storage.update(
      kind,
      namespace,
      name,
      (object) => markDeleted(held(object), grace, clock),
      options.preconditions,
    );
    return grace > 0 ? { object: updated, removed: false } : this.#finalize(kind, updated);
  }

  /** Returns the object to store for an update. @throws ApiError */
  #next<K extends EditableKind>(
    kind: K,
    current: StoredKinds[K],
    next: StoredKinds[K],
    subresource: Subresource | undefined,
  ): StoredKinds[K] {
    const { resource } = definitionOf(kind);
    const { name, namespace, uid, resourceVersion } = current.metadata;
    if (next.metadata.name !== name) throw nameMismatch(next.metadata.name, name);
    checkNamespace(next.metadata, namespace);
    if (next.metadata.uid && next.metadata.uid !== uid) {
      throw conflict(
        resource,
        name,
        `Precondition failed: UID in precondition: ${next.metadata.uid}, UID in object meta: ${uid}`,
      );
    }
    if (next.metadata.resourceVersion && next.metadata.resourceVersion !== resourceVersion)
      throw conflict(resource, name);
    const metadata: ObjectMeta = {
      ...next.metadata,
      ...definedOnly({
        namespace,
        uid,
        resourceVersion,
        generation: current.metadata.generation,
        creationTimestamp: current.metadata.creationTimestamp,
        generateName: current.metadata.generateName,
        deletionTimestamp: current.metadata.deletionTimestamp,
        deletionGracePeriodSeconds: current.metadata.deletionGracePeriodSeconds,
      }),
    };
    const strategy = this.#options.strategies.of(kind, subresource);
    const prepared = strategy.prepareForUpdate({ ...next, metadata }, current);
    const { spec } = prepared as { spec?: unknown };
    const changed = metadata.generation !== undefined && !deepEqual(spec, (current as { spec?: unknown }).spec);
    const object = changed
      ? { ...prepared, metadata: { ...prepared.metadata, generation: (metadata.generation ?? 0) + 1 } }
      : prepared;
    const errors = strategy.validateUpdate(object, current);
    if (errors.length > 0) throw invalid(kind, name, errors);
    if (subresource !== 'status') this.#options.admit(kind, object, { current, subresource });
    return object;
  }

  /**
   * Removes an object whose deletion is complete. The deletion is complete when the object is marked as deleted and has
   * neither a remaining grace period nor finalizers. Any other object is returned unchanged.
   */
  #finalize<K extends StoredKind>(kind: K, object: StoredKinds[K]): Deletion<K> {
    const { metadata } = object;
    const due =
      metadata.deletionTimestamp !== undefined &&
      (metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
      kind !== 'Namespace';
    if (!due || (metadata.finalizers?.length ?? 0) > 0) return { object, removed: false };
    return {
      object: this.#options.storage.remove(kind, metadata.namespace, metadata.name, { uid: metadata.uid }),
      removed: true,
    };
  }

  /**
   * Marks a namespace as terminating; the namespace controller deletes it. Upstream: namespace registry's REST.Delete.
   */
  #deleteNamespace(name: string, options: DeleteOptions): Deletion<'Namespace'> {
    const { storage, clock } = this.#options;
    const marked = storage.update(
      'Namespace',
      undefined,
      name,
      (namespace) => ({ ...markDeleted(namespace, 0, clock), status: { ...namespace.status, phase: 'Terminating' } }),
      options.preconditions,
    );
    return { object: marked, removed: false };
  }
}

const nameMismatch = (name: string, expected: string): ApiError =>
  badRequest(`the name of the object (${name}) does not match the name on the URL (${expected})`);

function applyOrConflict<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    throw error instanceof ApplyConflictError ? applyConflict(error.message, error.conflicts) : error;
  }
}

function checkNamespace(metadata: ObjectMeta, namespace: string | undefined): void {
  if (metadata.namespace && metadata.namespace !== (namespace ?? '')) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

const definedOnly = <T extends object>(object: T): Partial<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
