/** The points of the kubelet: loops, handlers, pod worker passes and the steps of syncPod around the runtime manager, as data. */
import type { Point } from '@podscope/trace';

const loop = (id: string, title: string, description: string, upstream: string): Point => ({ id: `kubelet.${id}`, kind: 'loop', title, description, upstream });

/** Loops and their handlers. */
const kubeletLoopPoints = {
  syncLoopIteration: loop('syncLoopIteration', 'SyncLoop', 'Takes one message from one channel and hands it on.', 'Kubelet.syncLoopIteration'),
  handlePodAdditions: loop('HandlePodAdditions', 'HandlePodAdditions', 'Admits new pods and gives each a worker.', 'Kubelet.HandlePodAdditions'),
  handlePodUpdates: loop('HandlePodUpdates', 'HandlePodUpdates', 'Hands changed pods to their workers.', 'Kubelet.HandlePodUpdates'),
  handlePodRemoves: loop('HandlePodRemoves', 'HandlePodRemoves', 'Ends pods that no source wants any more.', 'Kubelet.HandlePodRemoves'),
  handlePodReconcile: loop('HandlePodReconcile', 'HandlePodReconcile', 'Takes over a status that changed in the API.', 'Kubelet.HandlePodReconcile'),
  handlePodSyncs: loop('HandlePodSyncs', 'HandlePodSyncs', 'Lets workers look at their pods again.', 'Kubelet.HandlePodSyncs'),
  handlePodCleanups: loop('HandlePodCleanups', 'HandlePodCleanups', 'Housekeeping: what nobody owns any more goes.', 'Kubelet.HandlePodCleanups'),
  updatePod: loop('UpdatePod', 'UpdatePod', "Puts an update where the pod's worker finds it, and wakes the worker.", 'podWorkers.UpdatePod'),
  relist: loop('relist', 'Relist', 'Compares what the runtime shows with what it showed before.', 'GenericPLEG.Relist'),
  plegEvent: loop(
    'plegEvent',
    'PLEG event',
    'One pod lifecycle event on its way to the sync loop. Can be held, dropped or duplicated.',
    'GenericPLEG.eventChannel',
  ),
  statusManagerSyncPod: loop('statusManager.syncPod', 'Write status', 'Brings the API object up to the cached status.', 'status.manager.syncPod'),
  garbageCollect: loop(
    'garbageCollection',
    'Garbage collection',
    'Removes dead containers, sandboxes and logs that nobody needs.',
    'Kubelet.StartGarbageCollection',
  ),
  imageGarbageCollect: loop(
    'imageGarbageCollection',
    'Image garbage collection',
    'Removes unused images when the disk they lie on is nearly full.',
    'imageGCManager.GarbageCollect',
  ),
  allocateResize: loop(
    'allocateResize',
    'Decide about a resize',
    'Grants what a running pod asks for, when it fits.',
    'allocationManager.handlePodResourcesResize',
  ),
  containerDeletor: loop('containerDeletor', 'Container deletor', 'Removes dead instances of a container that just died.', 'podContainerDeletor'),
} as const satisfies Record<string, Point>;

/** Loops and handlers that v1.20 alone has. */
const kubeletLoopPointsV120 = {
  dispatchWork: loop('dispatchWork', 'dispatchWork', 'Hands a pod to its worker, or finishes it when nothing is left to do.', 'Kubelet.dispatchWork'),
  podKiller: loop('podKiller', 'Pod killer', 'Ends pods that no source wants any more.', 'podKillerWithChannel.perform'),
  sandboxDeletor: loop('sandboxDeletor', 'Sandbox deletor', 'Removes dead sandboxes that hold no container any more.', 'podSandboxDeletor'),
} as const satisfies Record<string, Point>;

/** One pass of a pod worker, by release. */
const workerLoop: Point = {
  id: 'kubelet.podWorkerLoop',
  kind: 'worker',
  title: 'podWorkerLoop',
  description: 'One pass over one pod: sync, terminating or terminated.',
  upstream: 'podWorkers.podWorkerLoop',
};
const workerLoopV120: Point = {
  id: 'kubelet.managePodLoop',
  kind: 'worker',
  title: 'managePodLoop',
  description: 'One pass over one pod: a status newer than the last pass, syncPod, then when to look again.',
  upstream: 'podWorkers.managePodLoop',
};

/** What a pass of a pod worker may be, and what comes before. */
export const podWorkerPoints = {
  getNewerThan: {
    id: 'kubelet.getNewerThan',
    kind: 'kubeletStep',
    title: 'Wait for a newer status',
    description: 'The worker waits until the PLEG has looked at the pod after its last pass.',
    upstream: 'podCache.GetNewerThan',
  },
  syncPod: {
    id: 'kubelet.SyncPod',
    kind: 'function',
    title: 'syncPod',
    description: 'Brings the node in line with the pod, step by step.',
    upstream: 'Kubelet.SyncPod',
  },
  syncTerminatingPod: {
    id: 'kubelet.SyncTerminatingPod',
    kind: 'function',
    title: 'syncTerminatingPod',
    description: 'Stops everything that runs and records how it ended.',
    upstream: 'Kubelet.SyncTerminatingPod',
  },
  syncTerminatingRuntimePod: {
    id: 'kubelet.SyncTerminatingRuntimePod',
    kind: 'function',
    title: 'syncTerminatingRuntimePod',
    description: 'Stops a pod that only the runtime knows.',
    upstream: 'Kubelet.SyncTerminatingRuntimePod',
  },
  syncTerminatedPod: {
    id: 'kubelet.SyncTerminatedPod',
    kind: 'function',
    title: 'syncTerminatedPod',
    description: 'Gives back what a finished pod held.',
    upstream: 'Kubelet.SyncTerminatedPod',
  },
  probe: { id: 'kubelet.probe', kind: 'probe', title: 'Probe', description: 'One attempt of a probe.', upstream: 'prober.probe' },
} as const satisfies Record<string, Point>;

const step = (number: number, id: string, title: string, description: string, upstream: string): Point => ({
  id: `kubelet.syncPod.${id}`,
  kind: 'kubeletStep',
  step: number,
  title,
  description,
  upstream,
});

/** The steps of the kubelet's syncPod in their order, v1.36. Upstream: Kubelet.SyncPod. */
export const syncPodKubeletSteps = {
  recordLatency: step(1, 'recordLatency', 'Latency', 'Notes how long the pod waited for its worker since it was first seen.', 'metrics.PodWorkerStartDuration'),
  generateAPIPodStatus: step(
    2,
    'generateAPIPodStatus',
    'Generate the API status',
    'Turns what the runtime shows into phase, conditions and container states.',
    'generateAPIPodStatus',
  ),
  setPodStatus: step(3, 'setPodStatus', 'Publish the status', 'Hands the status to the status manager.', 'statusManager.SetPodStatus'),
  checkNetwork: step(
    4,
    'checkNetwork',
    'Check the network',
    'Pods without host network wait until the runtime network is ready.',
    'runtimeState.networkErrors',
  ),
  ensurePodCgroup: step(5, 'ensurePodCgroup', 'Pod cgroup', "Makes the pod's cgroup, below that of its QoS class.", 'podContainerManager.EnsureExists'),
  reconcileMirrorPod: step(6, 'reconcileMirrorPod', 'Mirror pod', 'Shows a static pod in the API.', 'tryReconcileMirrorPods'),
  makePodDataDirs: step(7, 'makePodDataDirs', 'Data directories', "Creates the pod's directories on the node.", 'makePodDataDirs'),
  waitForVolumes: step(8, 'waitForVolumes', 'Volumes', 'Sets up the volumes that containers mount.', 'volumeManager.WaitForAttachAndMount'),
  getPullSecrets: step(9, 'getPullSecrets', 'Pull secrets', 'Fetches the secrets for private images.', 'getPullSecretsForPod'),
  addPodProbes: step(10, 'addPodProbes', 'Probe workers', 'Starts a worker for each probe.', 'probeManager.AddPod'),
  runtimeSyncPod: step(11, 'runtimeSyncPod', 'Runtime SyncPod', 'Makes the containers match the pod.', 'containerRuntime.SyncPod'),
  updateReasonCache: step(12, 'updateReasonCache', 'Reason cache', 'Keeps why containers could not start, for the next status.', 'reasonCache.Update'),
} as const satisfies Record<string, Point>;

const v136 = syncPodKubeletSteps;

/** The steps of the kubelet's syncPod in their order, v1.20. Upstream: Kubelet.syncPod. */
export const syncPodKubeletStepsV120 = {
  recordLatency: v136.recordLatency,
  generateAPIPodStatus: v136.generateAPIPodStatus,
  canRunPod: step(3, 'canRunPod', 'Soft admission', 'A pod that may not run is kept, and its containers wait as Blocked.', 'canRunPod'),
  setPodStatus: { ...v136.setPodStatus, step: 4 },
  killPod: step(5, 'killPod', 'Kill what must not run', 'Ends a pod that is deleted, has failed or may not run; nothing follows then.', 'killPod'),
  checkNetwork: { ...v136.checkNetwork, step: 6 },
  ensurePodCgroup: { ...v136.ensurePodCgroup, step: 7 },
  reconcileMirrorPod: { ...v136.reconcileMirrorPod, step: 8 },
  makePodDataDirs: { ...v136.makePodDataDirs, step: 9 },
  waitForVolumes: { ...v136.waitForVolumes, step: 10 },
  getPullSecrets: { ...v136.getPullSecrets, step: 11 },
  runtimeSyncPod: { ...v136.runtimeSyncPod, step: 12 },
  updateReasonCache: { ...v136.updateReasonCache, step: 13 },
} as const satisfies Record<string, Point>;

/** The steps that both releases have. */
export type CommonKubeletSteps = Readonly<Record<keyof typeof syncPodKubeletSteps & keyof typeof syncPodKubeletStepsV120, Point>>;

/** The steps of syncTerminatingPod in their order, v1.36. Upstream: Kubelet.SyncTerminatingPod. */
export const syncTerminatingPodSteps = {
  generateAPIPodStatus: {
    ...step(1, '', 'Generate the API status', 'The status at the start of the end.', 'generateAPIPodStatus'),
    id: 'kubelet.syncTerminatingPod.generateAPIPodStatus',
  },
  killPod: { ...step(2, '', 'Kill the pod', 'preStop, signal, grace period; then the sandboxes.', 'killPod'), id: 'kubelet.syncTerminatingPod.killPod' },
  verifyStopped: { ...step(3, '', 'Verify nothing runs', 'Asks the runtime, not the cache.', 'GetPodStatus'), id: 'kubelet.syncTerminatingPod.verifyStopped' },
  finalStatus: {
    ...step(4, '', 'Record the final status', 'Exit codes are kept before anything is removed.', 'generateAPIPodStatus'),
    id: 'kubelet.syncTerminatingPod.finalStatus',
  },
} as const satisfies Record<string, Point>;

/** The steps of syncTerminatedPod in their order, v1.36. Upstream: Kubelet.SyncTerminatedPod. */
export const syncTerminatedPodSteps = {
  generateAPIPodStatus: {
    ...step(1, '', 'Generate the API status', 'The last status.', 'generateAPIPodStatus'),
    id: 'kubelet.syncTerminatedPod.generateAPIPodStatus',
  },
  waitForUnmount: {
    ...step(2, '', 'Tear down volumes', 'Removes what the volumes left on the node.', 'WaitForUnmount'),
    id: 'kubelet.syncTerminatedPod.waitForUnmount',
  },
  destroyPodCgroup: {
    ...step(3, '', 'Remove the pod cgroup', 'Kills what is left in it.', 'podContainerManager.Destroy'),
    id: 'kubelet.syncTerminatedPod.destroyPodCgroup',
  },
  terminatePod: { ...step(4, '', 'Finish', 'From now on the API object may go.', 'statusManager.TerminatePod'), id: 'kubelet.syncTerminatedPod.terminatePod' },
} as const satisfies Record<string, Point>;

/** Every point of the kubelet around the steps. */
export const kubeletPoints = {
  ...kubeletLoopPoints,
  ...kubeletLoopPointsV120,
  podWorkerLoop: workerLoop,
  managePodLoop: workerLoopV120,
  ...podWorkerPoints,
} as const;

/** The points of one release, steps included: what the other one alone has is none of them. */
export function kubeletPointsOf(profile: 'v1.36' | 'v1.20'): readonly Point[] {
  const { getNewerThan, syncPod, probe } = podWorkerPoints;
  const ofRelease =
    profile === 'v1.20'
      ? [kubeletLoopPointsV120, { workerLoopV120, getNewerThan, syncPod, probe }, syncPodKubeletStepsV120]
      : [{ workerLoop }, podWorkerPoints, syncPodKubeletSteps, syncTerminatingPodSteps, syncTerminatedPodSteps];
  return [kubeletLoopPoints, ...ofRelease].flatMap((points) => Object.values<Point>(points));
}
