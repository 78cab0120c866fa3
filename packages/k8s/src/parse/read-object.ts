/** Decodes, defaults and validates a single object, for API requests and for documents in the editor. */

import { defaultNamespace, defaultSecret } from '../defaults/objects.ts';
import { defaultPod } from '../defaults/pod.ts';
import type { FieldError } from '../field-error.ts';
import { decodeObject } from '../schema/decode.ts';
import { type ManifestKind, manifestSchemas } from '../schema/kinds.ts';
import type { ConfigMap, Namespace, Pod, RuntimeClass, Secret } from '../types.ts';
import { validateConfigMap, validateNamespace, validateRuntimeClass, validateSecret } from '../validation/objects.ts';
import { validatePod, validatePodCreate } from '../validation/pod.ts';

export interface ManifestObjects {
  readonly Pod: Pod;
  readonly ConfigMap: ConfigMap;
  readonly Secret: Secret;
  readonly Namespace: Namespace;
  readonly RuntimeClass: RuntimeClass;
}

export interface ReadObjectOptions {
  /** The namespace of an object that declares none. Default: `default`. */
  readonly namespace?: string;
  /**
   * The rules that apply. `create`: the rules for a new object. `existing`: the rules for an object from a cluster,
   * which may have ephemeral containers and a status. Default: `create`.
   */
  readonly as?: 'create' | 'existing';
}

export interface ReadObject<K extends ManifestKind> {
  /** The object with defaults; undefined if its structure is invalid. The object is valid only if `errors` is empty. */
  readonly object?: ManifestObjects[K];
  /** The paths of unknown fields. The object doesn't contain them; strict callers reject them. */
  readonly unknownFields: readonly string[];
  readonly errors: readonly FieldError[];
}

/** Decodes, defaults and validates an object of this kind. */
export function readObject<K extends ManifestKind>(
  kind: K,
  data: unknown,
  options: ReadObjectOptions = {},
): ReadObject<K> {
  const { value, unknownFields, errors } = decodeObject(manifestSchemas[kind], data);
  if (errors.length > 0) return { unknownFields, errors };
  // The schema checked the type of every field and added the required ones, so the cast is safe.
  const decoded = withNamespace(kind, value as unknown as ManifestObjects[K], options.namespace ?? 'default');
  const handler: Handler<ManifestObjects[K]> = handlers[kind];
  const object = handler.default(decoded);
  return { object, unknownFields, errors: handler.validate(object, options.as ?? 'create') };
}

interface Handler<T> {
  readonly default: (object: T) => T;
  readonly validate: (object: T, as: 'create' | 'existing') => FieldError[];
}

const handlers: { readonly [K in ManifestKind]: Handler<ManifestObjects[K]> } = {
  Pod: { default: defaultPod, validate: (pod, as) => (as === 'create' ? validatePodCreate(pod) : validatePod(pod)) },
  ConfigMap: { default: (configMap) => configMap, validate: validateConfigMap },
  Secret: { default: defaultSecret, validate: validateSecret },
  Namespace: { default: defaultNamespace, validate: validateNamespace },
  RuntimeClass: {
    default: (runtimeClass) => ({ ...runtimeClass, handler: runtimeClass.handler ?? '' }),
    validate: validateRuntimeClass,
  },
};

function withNamespace<T extends ManifestObjects[ManifestKind]>(kind: ManifestKind, object: T, namespace: string): T {
  if (kind === 'Namespace' || kind === 'RuntimeClass' || object.metadata.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
