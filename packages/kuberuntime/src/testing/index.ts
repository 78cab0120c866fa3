/** Exports the conformance tests, which replay recordings of the genuine kubelet with the engine. */
export { type Disagreement, sameJSON } from './compare-rounds.ts';
export {
  computeDisagreements,
  profileOf,
  type Release,
  type ReplayObserver,
  replayOf,
  type SyncDisagreement,
  syncDisagreement,
} from './conformance.ts';
export { prepareNoopSync } from './noop-sync.ts';
export { podStatusOf } from './pod-status-vector.ts';
export { protoJSON } from './proto-json.ts';
export type { NodeRecording } from './recording-node.ts';
export { backoffDisagreements } from './replay-backoff.ts';
export { describePodActions, type PreparedCompute, prepareCompute } from './replay-compute.ts';
export { SyncReplay } from './replay-sync.ts';
export type {
  BackoffVector,
  ComputeVector,
  ContainerVector,
  PodStatusVector,
  SyncRound,
  SyncVector,
} from './vectors.ts';
