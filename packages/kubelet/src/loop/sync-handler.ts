/** What the sync loop hands its messages to. Upstream: SyncHandler (pkg/kubelet/kubelet.go, v1.36 and v1.20). */
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodLifecycleEvent } from '../pleg/events.ts';
import type { ProbeType } from '../prober/update-pod-status.ts';

type HandlePods = (ctx: Context, pods: readonly Pod[]) => Promise<void>;

/** A release's handlers. */
export interface SyncHandler {
  readonly handlePodAdditions: HandlePods;
  readonly handlePodUpdates: HandlePods;
  readonly handlePodRemoves: HandlePods;
  readonly handlePodReconcile: HandlePods;
  readonly handlePodSyncs: HandlePods;
  readonly handlePodCleanups: (ctx: Context) => Promise<void>;
  /** What an event of the PLEG brings about beside a sync of its pod. */
  readonly handlePlegEvent: (ctx: Context, event: PodLifecycleEvent) => void;
  /** Whether a probe's result makes the loop look at the pod; else it only changes the status. */
  readonly probeSyncsPod: (type: ProbeType) => boolean;
  /** Its worker has nothing left to do. */
  readonly isPodKnownTerminated: (uid: string) => boolean;
}
