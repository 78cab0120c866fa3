/** Keeps the state of a pod's worker. Upstream: podSyncStatus (pkg/kubelet/pod_workers.go, v1.36). */
import type { Pod } from '@podscope/k8s';
import { type Instant, instant, type PodReference } from '@podscope/trace';
import type { KillPodOptions, PodStatusFunction, PodWorkType, UpdatePodOptions } from './types.ts';

/** The worker's record of a pod UID. It is kept until housekeeping removes it. */
export interface PodSyncStatus {
  readonly reference: PodReference;
  readonly fullName: string;
  readonly syncedAt: Instant;
  startedAt: Instant | undefined;
  terminatingAt: Instant | undefined;
  /** Whether the worker has begun to terminate the pod. The worker then starts no further container. */
  startedTerminating: boolean;
  terminatedAt: Instant | undefined;
  finished: boolean;
  deleted: boolean;
  evicted: boolean;
  restartRequested: boolean;
  observedRuntime: boolean;
  /** The grace period in seconds; 0 until termination is requested. Later requests can only shorten it. */
  gracePeriod: number;
  pendingUpdate: UpdatePodOptions | undefined;
  activeUpdate: UpdatePodOptions | undefined;
  /** True while the worker's loop is running. */
  working: boolean;
  /** Cancels the current sync. */
  cancel: (() => void) | undefined;
  lastSyncTime: Instant;
  readonly notifyPostTerminating: (() => void)[];
  statusPostTerminating: PodStatusFunction | undefined;
}

/** Returns a new record. */
export const newPodSyncStatus = (reference: PodReference, fullName: string, syncedAt: Instant): PodSyncStatus => ({
  reference,
  fullName,
  syncedAt,
  startedAt: undefined,
  terminatingAt: undefined,
  startedTerminating: false,
  terminatedAt: undefined,
  finished: false,
  deleted: false,
  evicted: false,
  restartRequested: false,
  observedRuntime: false,
  gracePeriod: 0,
  pendingUpdate: undefined,
  activeUpdate: undefined,
  working: false,
  cancel: undefined,
  lastSyncTime: instant(0),
  notifyPostTerminating: [],
  statusPostTerminating: undefined,
});

/** Returns the type of the next sync. Upstream: podSyncStatus.WorkType. */
export function workType({ terminatedAt, terminatingAt }: PodSyncStatus): PodWorkType {
  if (terminatedAt !== undefined) return 'terminated';
  return terminatingAt === undefined ? 'sync' : 'terminating';
}

/**
 * Returns the grace period in seconds after a new request. The first grace period is the pod's own, and a request can
 * only shorten it. Upstream: calculateEffectiveGracePeriod (v1.36).
 */
export function calculateEffectiveGracePeriod(
  current: number,
  pod: Pod | undefined,
  options: KillPodOptions | undefined,
): { readonly gracePeriod: number; readonly shortened: boolean } {
  let gracePeriod = current;
  const deletion = pod?.metadata.deletionGracePeriodSeconds;
  const override = options?.gracePeriodSecondsOverride;
  let overridden = false;
  for (const wanted of [deletion, override]) {
    if (wanted === undefined || (gracePeriod !== 0 && wanted >= gracePeriod)) continue;
    gracePeriod = wanted;
    overridden = true;
  }
  if (!overridden && gracePeriod === 0) gracePeriod = pod?.spec.terminationGracePeriodSeconds ?? 0;
  gracePeriod = Math.max(1, gracePeriod);
  return { gracePeriod, shortened: current !== 0 && current !== gracePeriod };
}

/** Merges an update that the worker has taken into the active update. Upstream: podSyncStatus.mergeLastUpdate. */
export function mergeLastUpdate(status: PodSyncStatus, update: UpdatePodOptions): void {
  const active = status.activeUpdate;
  // A known pod isn't replaced by an update that only has a runtime pod.
  const onlyRuntime = update.pod === undefined && active?.pod !== undefined;
  const killPodOptions = active?.killPodOptions || update.killPodOptions ? { ...active?.killPodOptions } : undefined;
  const merged: { -readonly [Key in keyof KillPodOptions]: KillPodOptions[Key] } | undefined = killPodOptions;
  if (merged && update.killPodOptions) {
    if (update.killPodOptions.evict !== undefined) merged.evict = update.killPodOptions.evict;
    if (update.killPodOptions.gracePeriodSecondsOverride !== undefined) {
      merged.gracePeriodSecondsOverride = update.killPodOptions.gracePeriodSecondsOverride;
    }
  }
  status.activeUpdate = {
    updateType: update.updateType,
    startTime: update.startTime,
    pod: onlyRuntime ? active.pod : update.pod,
    mirrorPod: update.mirrorPod ?? active?.mirrorPod,
    runningPod: onlyRuntime || update.pod ? undefined : update.runningPod,
    killPodOptions: merged,
  };
}
