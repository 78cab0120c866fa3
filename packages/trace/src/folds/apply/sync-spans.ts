/** Decides which spans are syncs, and which spans inside a sync change something. */

/** The runtime manager's SyncPod. */
export const syncPoint = 'kuberuntime.SyncPod';

const killPoint = 'kuberuntime.KillPod';

/** The functions that end a pod. Their only purpose is a change. */
const terminations: ReadonlySet<string> = new Set([
  killPoint,
  'kubelet.SyncTerminatingPod',
  'kubelet.SyncTerminatingRuntimePod',
  'kubelet.SyncTerminatedPod',
]);

/** CRI calls that change a sandbox, a container or an image. */
const writingCalls: ReadonlySet<string> = new Set(
  [
    'RunPodSandbox',
    'StopPodSandbox',
    'RemovePodSandbox',
    'UpdatePodSandboxResources',
    'CreateContainer',
    'StartContainer',
    'StopContainer',
    'RemoveContainer',
    'UpdateContainerResources',
    'PullImage',
  ].map((method) => `cri.${method}`),
);

/**
 * Returns true for the span of a sync. It is a sync of a pod worker or, outside of one, a call of the runtime manager.
 */
export const isSyncRoot = (kind: string, point: string): boolean =>
  kind === 'worker' || point === syncPoint || point === killPoint;

/** Returns true for a span that changes something, or tries to. */
export const isAction = (kind: string, point: string): boolean =>
  kind === 'hook' || (kind === 'cri' ? writingCalls.has(point) : terminations.has(point));
