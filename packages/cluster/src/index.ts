/** A cluster of one node: the API's objects, admission, the kubelet, the event log, and sessions of clients. */

export { toJson } from '@podscope/trace';
export * from './api-errors.ts';
export { type ChangeInterceptor, Cluster, kubernetesVersion } from './cluster.ts';
export type { ClusterOptions, RefusedPod, StaticPodSource } from './cluster-options.ts';
export {
  type CommandCall,
  type CommandConnection,
  type CommandHandlers,
  type CommandInterceptor,
  type CommandName,
  type CommandOf,
  CommandTable,
  requireConnection,
} from './command-table.ts';
export { type ArchivedRun, type EventArchive, type EventFeed, LiveFeed } from './event-feed.ts';
export { EventEncoder } from './event-json.ts';
export { type LogRequest, type NodeCommands, nodeCommandHandlers } from './node-commands.ts';
export type { MachineFacts } from './node-object.ts';
export { type PastRun, pastCommandHandlers } from './past-commands.ts';
export type { ObjectPersistence } from './persistence.ts';
export {
  baselinePolicy,
  findPolicyViolations,
  formatPolicyViolations,
  type PodPolicyOptions,
  type PodSecurityLevel,
  type PolicyViolation,
} from './pod-security/policy.ts';
export type { Random } from './random.ts';
export { type ApplyOptions, type DeleteOptions, type Deletion, Registry, type WriteOptions } from './registry.ts';
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
} from './resources.ts';
export { runCommandHandlers } from './run-commands.ts';
export { exportPlace, type RunExportPlace, type RunLibrary, type RunPageRequest } from './run-library.ts';
export { TokenIssuer, type TokenSigner, tokenIssuer } from './service-account-token.ts';
export { maxClientMessage, type RunTimeSource, Session, type SessionDependencies, type Transport } from './session.ts';
export { type Change, type Preconditions, Storage } from './storage.ts';
export type { EditableKind, Strategy, Subresource } from './strategies.ts';
export { systemClock } from './system-clock.ts';
