/** Decides which spans are syncs, and which spans inside a sync change something. */
import { changingPoints } from '../../changing-calls.ts';

/** The runtime manager's SyncPod. */
export const syncPoint = 'kuberuntime.SyncPod';

const killPoint = 'kuberuntime.KillPod';

/** The functions that end a pod. A call of one of them always counts as a change. */
const terminations: ReadonlySet<string> = new Set([
  killPoint,
  'kubelet.SyncTerminatingPod',
  'kubelet.SyncTerminatingRuntimePod',
  'kubelet.SyncTerminatedPod',
]);

/**
 * Returns true for the span of a sync. The span of a pod worker is a sync. Outside of pod workers, a call of the
 * runtime manager is a sync.
 */
export const isSyncRoot = (kind: string, point: string): boolean =>
  kind === 'worker' || point === syncPoint || point === killPoint;

/** Returns true for a span that changes something, or tries to. */
export const isAction = (kind: string, point: string): boolean =>
  kind === 'hook' || (kind === 'cri' ? changingPoints.has(point) : terminations.has(point));
