/** The generic runtime manager: SyncPod and all it calls. */
export { Backoff, type BackoffOptions } from './flowcontrol/backoff.ts';
export { kuberuntimePoints, syncPodStepsV136 } from './points.ts';
export * from './runtime.ts';
export { minBackoffExpiration, PodSyncResult, type SyncAction, SyncError, SyncResult } from './sync-result.ts';
