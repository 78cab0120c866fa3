/**
 * Exports the Kubernetes API of one node, without HTTP: storage, registry, admission, apply, controllers, tokens and
 * events.
 */

export { checkNamespaceTakes } from './admission/namespace-lifecycle.ts';
export {
  baselinePolicy,
  findPolicyViolations,
  formatPolicyViolations,
  type PodPolicyOptions,
  type PodSecurityLevel,
  type PolicyViolation,
} from './admission/pod-security/policy.ts';
export * from './api-errors.ts';
export { ApiServer, type ApiServerOptions } from './api-server.ts';
export { ManifestApplier } from './apply/apply.ts';
export { StorageEventRecorder } from './events/event-recorder.ts';
export { newUid, type Random } from './random.ts';
export {
  type ApplyOptions,
  type DeleteOptions,
  type Deletion,
  Registry,
  type WriteOptions,
} from './registry/registry.ts';
export {
  apiVersionOf,
  definitionOf,
  findResource,
  isStoredKind,
  type ResourceDefinition,
  resourceDefinitions,
  type StoredKind,
  type StoredKinds,
  type StoredObject,
  type Verb,
} from './registry/resources.ts';
export type { EditableKind } from './registry/strategies.ts';
export type { Strategy, Subresource } from './registry/strategy.ts';
export type { ObjectPersistence } from './storage/persistence.ts';
export { type Change, type Preconditions, Storage } from './storage/storage.ts';
export { TokenIssuer, type TokenSigner, tokenIssuer } from './tokens/service-account-token.ts';
