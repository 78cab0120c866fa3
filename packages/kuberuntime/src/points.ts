/** The points of the runtime manager, and the numbered steps of SyncPod as data: run, stopped at and drawn from this one list. */
import type { Point } from '@podscope/trace';

const step = (number: number, id: string, title: string, description: string, upstream: string): Point => ({
  id: `syncPod.${id}`,
  kind: 'syncStep',
  step: number,
  title,
  description,
  upstream,
});

/** The nine steps of SyncPod, v1.36. Upstream: kuberuntime_manager.go SyncPod. */
export const syncPodStepsV136 = {
  computePodActions: step(
    1,
    'computePodActions',
    'Compute sandbox and container changes',
    'Compares the pod with what the runtime shows and decides what to do.',
    'computePodActions',
  ),
  killPod: step(
    2,
    'killPod',
    'Kill the pod if the sandbox has changed',
    'Stops all containers and the sandbox when the sandbox must be replaced or nothing is left to run.',
    'killPodWithSyncResult',
  ),
  killContainers: step(
    3,
    'killContainers',
    'Kill containers that should not run',
    'Stops containers that are unhealthy, changed or in an unknown state.',
    'killContainer',
  ),
  createPodSandbox: step(
    4,
    'createPodSandbox',
    'Create the sandbox if necessary',
    'Asks the runtime for a new pod sandbox and reads back its address.',
    'createPodSandbox',
  ),
  onPodSandboxReady: step(
    5,
    'onPodSandboxReady',
    'Report the sandbox ready',
    'Lets the kubelet publish PodReadyToStartContainers before images are pulled.',
    'OnPodSandboxReady',
  ),
  startEphemeralContainers: step(6, 'startEphemeralContainers', 'Start ephemeral containers', 'Starts debug containers that were added to the pod.', 'start'),
  startInitContainers: step(7, 'startInitContainers', 'Start init containers', 'Starts the init containers and sidecars whose turn it is.', 'start'),
  resizePodInPlace: step(
    8,
    'resizePodInPlace',
    'Resize running containers',
    'Gives running containers their new CPU and memory without a restart.',
    'doPodResizeAction',
  ),
  startContainers: step(9, 'startContainers', 'Start containers', 'Starts the regular containers, each after its back-off.', 'start'),
} as const satisfies Record<string, Point>;

/** The seven steps of SyncPod, v1.20, with the EphemeralContainers gate. Upstream: kuberuntime_manager.go SyncPod. */
export const syncPodStepsV120 = {
  computePodActions: syncPodStepsV136.computePodActions,
  killPod: syncPodStepsV136.killPod,
  killContainers: syncPodStepsV136.killContainers,
  createPodSandbox: syncPodStepsV136.createPodSandbox,
  startEphemeralContainers: { ...syncPodStepsV136.startEphemeralContainers, step: 5 },
  startInitContainers: step(6, 'startInitContainers', 'Start the next init container', 'Starts the init container whose turn it is.', 'start'),
  startContainers: { ...syncPodStepsV136.startContainers, step: 7 },
} as const satisfies Record<string, Point>;

const { startEphemeralContainers: _gated, ...others } = syncPodStepsV120;

/** The six that are left while that gate is off, as it is unless it is asked for. */
export const syncPodStepsV120Ungated = {
  ...others,
  startInitContainers: { ...others.startInitContainers, step: 5 },
  startContainers: { ...others.startContainers, step: 6 },
} as const satisfies Record<string, Point>;

/** The steps of a release with some of its gates set: what a page lists. */
export function syncPodSteps(release: 'v1.36' | 'v1.20', gates: Readonly<Record<string, boolean>> = {}): readonly Point[] {
  if (release === 'v1.36') return Object.values<Point>(syncPodStepsV136);
  return Object.values<Point>(gates['EphemeralContainers'] ? syncPodStepsV120 : syncPodStepsV120Ungated);
}

const fn = (id: string, title: string, upstream: string): Point => ({ id, kind: 'function', title, upstream });

/** Points of the runtime manager beside the steps. */
export const kuberuntimePoints = {
  syncPod: {
    id: 'kuberuntime.SyncPod',
    kind: 'sync',
    title: 'SyncPod',
    description: 'Makes the running pod match its spec.',
    upstream: 'kubeGenericRuntimeManager.SyncPod',
  },
  killPod: {
    id: 'kuberuntime.KillPod',
    kind: 'sync',
    title: 'KillPod',
    description: 'Stops all containers and sandboxes of a pod.',
    upstream: 'kubeGenericRuntimeManager.KillPod',
  },
  startContainer: fn('kuberuntime.startContainer', 'startContainer', 'startContainer'),
  killContainer: fn('kuberuntime.killContainer', 'killContainer', 'killContainer'),
  ensureImageExists: fn('images.EnsureImageExists', 'EnsureImageExists', 'imageManager.EnsureImageExists'),
  doBackOff: fn('kuberuntime.doBackOff', 'doBackOff', 'doBackOff'),
  pruneInitContainers: fn('kuberuntime.pruneInitContainersBeforeStart', 'pruneInitContainersBeforeStart', 'pruneInitContainersBeforeStart'),
  purgeInitContainers: fn('kuberuntime.purgeInitContainers', 'purgeInitContainers', 'purgeInitContainers'),
  garbageCollect: fn('kuberuntime.GarbageCollect', 'GarbageCollect', 'containerGC.GarbageCollect'),
  postStart: { id: 'lifecycle.postStart', kind: 'hook', title: 'postStart', upstream: 'handlerRunner.Run' },
  preStop: { id: 'lifecycle.preStop', kind: 'hook', title: 'preStop', upstream: 'executePreStopHook' },
} as const satisfies Record<string, Point>;
