/**
 * Applies manifests as `kubectl apply` does: creates missing objects and patches existing ones. The applied manifest is
 * stored in kubectl's own annotation, so the page and kubectl can be used alternately.
 */
import { isRecord } from '@podscope/base';
import {
  applyPatch,
  decodeObject,
  formatFieldError,
  type ManifestKind,
  type ManifestObject,
  manifestSchemas,
  PatchError,
  type Pod,
  patchTypes,
  readManifests,
  type SoundObject,
  type ManifestError as SourceError,
} from '@podscope/k8s';
import { ApiError, asApiError, badRequest } from '../api-errors.ts';
import type { Registry } from '../registry/registry.ts';
import { definitionOf, type StoredKinds } from '../registry/resources.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppliedObject, ApplyResult, ManifestError } from './apply-result.ts';
import { threeWayPatch } from './three-way-patch.ts';

/** The annotation with the manifest that was applied last. Upstream: v1.LastAppliedConfigAnnotation. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

type Data = Readonly<Record<string, unknown>>;

/** Applies manifests through a registry. */
export class ManifestApplier {
  readonly #registry: Registry;
  readonly #storage: Storage;

  constructor({ registry, storage }: { readonly registry: Registry; readonly storage: Storage }) {
    this.#registry = registry;
    this.#storage = storage;
  }

  /** Applies all objects of a text. If a dry run rejects any object, none is applied. */
  apply(text: string): ApplyResult {
    const { applied: _, errors } = this.validate(text);
    if (errors.length > 0) return { applied: [], errors };
    return this.#each(readManifests(text).objects, false);
  }

  /** Returns the result that `apply` would have, without storing anything. */
  validate(text: string): ApplyResult {
    const { objects, errors } = readManifests(text);
    const faults = errors.map(shownError);
    if (faults.length === 0 && objects.length === 0)
      faults.push({ message: 'There is no object in the manifest.', line: 1, column: 1 });
    if (faults.length > 0) return { applied: [], errors: faults };
    const { applied, errors: refused } = this.#each(objects, true);
    return refused.length > 0
      ? { applied: [], errors: refused }
      : { applied: applied.map((each) => ({ ...each, operation: 'valid' })), errors: [] };
  }

  #each(objects: readonly SoundObject[], dryRun: boolean): ApplyResult {
    const applied: AppliedObject[] = [];
    const errors: ManifestError[] = [];
    const namesOf = (kind: ManifestKind): readonly string[] =>
      objects.filter(({ object }) => object.kind === kind).map(({ object }) => object.metadata.name);
    const created = { namespaces: namesOf('Namespace'), runtimeClasses: namesOf('RuntimeClass') };
    for (const sound of objects) {
      try {
        applied.push(this.#one(sound, dryRun, created));
      } catch (error) {
        errors.push(...placedErrors(asApiError(error), sound.source));
      }
    }
    return { applied, errors };
  }

  /**
   * Applies one object. A dry run doesn't store the namespaces and runtime classes that the same text creates, so it
   * assumes that they exist.
   */
  #one(
    { object, source }: SoundObject,
    dryRun: boolean,
    { namespaces, runtimeClasses }: Readonly<Record<'namespaces' | 'runtimeClasses', readonly string[]>>,
  ): AppliedObject {
    const kind = source.kind as ManifestKind;
    const namespace = definitionOf(kind).namespaced ? object.metadata.namespace : undefined;
    const { name } = object.metadata;
    const current = name ? this.#storage.get(kind, namespace, name) : undefined;
    const annotations = { ...object.metadata.annotations, [lastAppliedAnnotation]: lastApplied(source.object) };
    if (!current) {
      const own = dryRun ? withoutClassOf(object, runtimeClasses) : object;
      const submitted = { ...own, metadata: { ...own.metadata, annotations } } as StoredKinds[ManifestKind];
      const created = this.#registry.create(kind, namespace, submitted, {
        dryRun,
        assumeNamespace: dryRun && namespaces.includes(namespace ?? ''),
      });
      return { kind, namespace, name: created.metadata.name, uid: created.metadata.uid, operation: 'created' };
    }
    const updated = this.#registry.update(kind, namespace, name, (live) => patched(kind, live, source.object), {
      dryRun,
    });
    const changed = updated.metadata.resourceVersion !== current.metadata.resourceVersion;
    return { kind, namespace, name, uid: updated.metadata.uid, operation: changed ? 'configured' : 'unchanged' };
  }
}

const isPod = (object: SoundObject['object']): object is Pod => object.kind === 'Pod';

/**
 * Returns the object to submit in a dry run. A pod loses its runtime class if the same text creates that class, because
 * a dry run doesn't store the class.
 */
function withoutClassOf(object: SoundObject['object'], classes: readonly string[]): SoundObject['object'] {
  if (!isPod(object)) return object;
  const { runtimeClassName = '', overhead: _, ...spec } = object.spec;
  return classes.includes(runtimeClassName) ? { ...object, spec } : object;
}

/**
 * Returns the manifest as JSON text, without the annotation that holds this text. Upstream:
 * util.GetModifiedConfiguration.
 */
function lastApplied(manifest: Data): string {
  const { annotations, ...metadata } = (manifest.metadata ?? {}) as { readonly annotations?: Data };
  const { [lastAppliedAnnotation]: _, ...others } = annotations ?? {};
  return `${JSON.stringify({ ...manifest, metadata: { annotations: others, ...metadata } })}\n`;
}

function parseLastApplied(text: string | undefined): Data | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the live object with the manifest applied. */
function patched<K extends ManifestKind>(kind: K, live: StoredKinds[K], manifest: Data): StoredKinds[K] {
  const before = parseLastApplied(live.metadata.annotations?.[lastAppliedAnnotation]);
  const patch = threeWayPatch(manifestSchemas[kind], before, JSON.parse(lastApplied(manifest)) as Data);
  const metadata = (patch.metadata ?? {}) as Data;
  const annotations = { ...(metadata.annotations as Data | undefined), [lastAppliedAnnotation]: lastApplied(manifest) };
  try {
    const data = applyPatch(
      patchTypes.strategic,
      kind,
      { ...live },
      { ...patch, metadata: { ...metadata, annotations } },
    );
    const { value, errors } = decodeObject(manifestSchemas[kind], data);
    if (errors.length > 0) throw badRequest(errors.map(formatFieldError).join(', '));
    // The cast is safe: the schema of the kind has checked every field.
    return value as unknown as StoredKinds[K];
  } catch (error) {
    throw error instanceof PatchError ? badRequest(error.message) : error;
  }
}

/** Converts an error of the manifest reader: the document counts from 0, and the hint becomes part of the message. */
const shownError = ({ message, hint, field, line, column, document }: SourceError): ManifestError => ({
  message: hint === undefined ? message : `${message} (${hint})`,
  field,
  line,
  column,
  document: document === undefined ? undefined : document - 1,
});

/**
 * Returns the errors of a rejected object. Each error has the position of its field, or the position of the object if
 * the error names no field.
 */
function placedErrors(error: ApiError, source: ManifestObject): readonly ManifestError[] {
  const causes = error.reason === 'Invalid' ? (error.details?.causes ?? []) : [];
  const document = source.document - 1;
  if (causes.length === 0) return [{ message: error.message, document, ...source.start }];
  return causes.map(({ field = '', message }) => {
    const { line, column } = { ...source.start, ...source.locate(field) };
    return { message: `${field}: ${message}`, field, document, line, column };
  });
}
