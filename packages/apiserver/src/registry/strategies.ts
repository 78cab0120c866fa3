/**
 * Prepares and validates objects of each kind at creation and update. Upstream: the strategies of pkg/registry/core
 * (v1.36).
 */
import { deepEqual } from '@podscope/base';
import {
  type ConfigMap,
  defaultNamespace,
  defaultSecret,
  type FieldError,
  type Namespace,
  type Node,
  type RuntimeClass,
  type Secret,
  type ServiceAccount,
  validateConfigMap,
  validateNamespace,
  validateNodeUpdate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
  validateSecret,
  validateServiceAccount,
  type WritableKind,
} from '@podscope/k8s';
import { type PodStrategyOptions, podStrategies } from './pod-strategy.ts';
import type { StoredKinds } from './resources.ts';
import type { Strategy, Subresource } from './strategy.ts';

/** The kinds that clients may create and update. */
export type EditableKind = WritableKind;

const immutableDetail = 'field is immutable when `immutable` is set';

/**
 * Returns an error if the update changes an immutable object. Upstream: ValidateConfigMapUpdate, ValidateSecretUpdate
 * (v1.36).
 */
function immutableErrors(next: ConfigMap | Secret, current: ConfigMap | Secret): readonly FieldError[] {
  if (!current.immutable) return [];
  const fields = ['data', 'binaryData'] as const;
  return [
    ...(next.immutable ? [] : [{ type: 'Forbidden', field: 'immutable', detail: immutableDetail } as const]),
    ...fields
      .filter((field) => !deepEqual((next as ConfigMap)[field] ?? {}, (current as ConfigMap)[field] ?? {}))
      .map((field) => ({ type: 'Forbidden', field, detail: immutableDetail }) as const),
  ];
}

const configMapStrategy: Strategy<ConfigMap> = {
  setDefaults: (object) => object,
  prepareForCreate: (object) => object,
  validate: validateConfigMap,
  prepareForUpdate: (next) => next,
  validateUpdate: (next, current) => [...immutableErrors(next, current), ...validateConfigMap(next)],
};

const secretStrategy: Strategy<Secret> = {
  setDefaults: defaultSecret,
  prepareForCreate: defaultSecret,
  validate: validateSecret,
  // An update without a type keeps the secret's type.
  prepareForUpdate: (next, current) => defaultSecret({ ...next, type: next.type || current.type }),
  validateUpdate: (next, current) => [
    ...(next.type === current.type
      ? []
      : [{ type: 'Invalid', field: 'type', value: next.type, detail: 'field is immutable' } as const]),
    ...immutableErrors(next, current),
    ...validateSecret(next),
  ],
};

const namespaceStrategy: Strategy<Namespace> = {
  setDefaults: defaultNamespace,
  prepareForCreate: (namespace) => defaultNamespace({ ...namespace, spec: undefined, status: undefined }),
  validate: validateNamespace,
  prepareForUpdate: (next, current) => ({ ...defaultNamespace(next), spec: current.spec, status: current.status }),
  validateUpdate: validateNamespace,
};

const serviceAccountStrategy: Strategy<ServiceAccount> = {
  setDefaults: (object) => object,
  prepareForCreate: (object) => object,
  validate: validateServiceAccount,
  prepareForUpdate: (next) => next,
  validateUpdate: validateServiceAccount,
};

/**
 * Returns the runtime class with its handler, or with an empty handler. The schema allows a missing handler, so that
 * validation can reject it with upstream's error.
 */
const withHandler = (object: RuntimeClass): RuntimeClass => ({ ...object, handler: object.handler ?? '' });

const runtimeClassStrategy: Strategy<RuntimeClass> = {
  setDefaults: withHandler,
  prepareForCreate: withHandler,
  validate: validateRuntimeClass,
  prepareForUpdate: withHandler,
  validateUpdate: validateRuntimeClassUpdate,
};

/** The strategy of nodes. Only kubelets create nodes. */
const nodeStrategy: Strategy<Node> = {
  setDefaults: (object) => object,
  prepareForCreate: (object) => object,
  validate: () => [],
  prepareForUpdate: (next, current) => ({ ...next, status: current.status }),
  validateUpdate: validateNodeUpdate,
};

/** The strategies of all kinds on one node. */
export class Strategies {
  readonly #pods: ReturnType<typeof podStrategies>;

  constructor(options: PodStrategyOptions) {
    this.#pods = podStrategies(options);
  }

  /** Returns the strategy of a kind or of a subresource. */
  of<K extends EditableKind>(kind: K, subresource?: Subresource): Strategy<StoredKinds[K]> {
    const strategies: { readonly [Key in EditableKind]: Strategy<StoredKinds[Key]> } = {
      ConfigMap: configMapStrategy,
      Namespace: namespaceStrategy,
      Node: nodeStrategy,
      Pod: this.#pods[subresource ?? 'pod'],
      RuntimeClass: runtimeClassStrategy,
      Secret: secretStrategy,
      ServiceAccount: serviceAccountStrategy,
    };
    return strategies[kind];
  }
}
