/** Declares the handlers that the sync loop calls. Upstream: SyncHandler (pkg/kubelet/kubelet.go, v1.36 and v1.20). */
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodLifecycleEvent } from '../pleg/events.ts';
import type { ProbeType } from '../prober/update-pod-status.ts';

type HandlePods = (ctx: Context, pods: readonly Pod[]) => Promise<void>;

/** The handlers of a release. */
export interface SyncHandler {
  readonly handlePodAdditions: HandlePods;
  readonly handlePodUpdates: HandlePods;
  readonly handlePodRemoves: HandlePods;
  readonly handlePodReconcile: HandlePods;
  readonly handlePodSyncs: HandlePods;
  readonly handlePodCleanups: (ctx: Context) => Promise<void>;
  /** Handles what a PLEG event requires besides the sync of its pod. */
  readonly handlePlegEvent: (ctx: Context, event: PodLifecycleEvent) => void;
  /** True when a probe result of this type causes a sync of the pod; false when it only changes the status. */
  readonly probeSyncsPod: (type: ProbeType) => boolean;
  /** True when the pod's worker has nothing left to do. */
  readonly isPodKnownTerminated: (uid: string) => boolean;
}
