/**
 * Lists the kubelet's loops, handlers and pod workers. Upstream: pkg/kubelet/kubelet.go, pod_workers.go (v1.36 and
 * v1.20).
 */
import type { Level, Steps } from '../level.ts';

/** The outermost work of each of the kubelet's threads. */
export const kubeletLoops = {
  syncLoopIteration: { id: 'kubelet.syncLoopIteration', kind: 'loop', upstream: 'Kubelet.syncLoopIteration' },
  relist: { id: 'kubelet.relist', kind: 'loop', upstream: 'GenericPLEG.Relist' },
  probe: { id: 'kubelet.probe', kind: 'probe', upstream: 'prober.probe' },
  statusManagerSyncPod: { id: 'kubelet.statusManager.syncPod', kind: 'loop', upstream: 'status.manager.syncPod' },
  allocateResize: {
    id: 'kubelet.allocateResize',
    kind: 'loop',
    upstream: 'allocationManager.handlePodResourcesResize',
  },
  containerDeletor: { id: 'kubelet.containerDeletor', kind: 'loop', upstream: 'podContainerDeletor' },
  garbageCollect: { id: 'kubelet.garbageCollection', kind: 'loop', upstream: 'Kubelet.StartGarbageCollection' },
  imageGarbageCollect: {
    id: 'kubelet.imageGarbageCollection',
    kind: 'loop',
    upstream: 'imageGCManager.GarbageCollect',
  },
} as const satisfies Steps;

/** The work of its own thread that only v1.36 has. */
export const kubeletLoopsV136 = {
  fastStaticPodsRegistration: {
    id: 'kubelet.fastStaticPodsRegistration',
    kind: 'loop',
    upstream: 'Kubelet.fastStaticPodsRegistration',
  },
} as const satisfies Steps;

/** The loops that only v1.20 has. */
export const kubeletLoopsV120 = {
  podKiller: { id: 'kubelet.podKiller', kind: 'loop', upstream: 'podKillerWithChannel.perform' },
  sandboxDeletor: { id: 'kubelet.sandboxDeletor', kind: 'loop', upstream: 'podSandboxDeletor' },
} as const satisfies Steps;

/** The handlers of the sync loop. One iteration reads one message and calls its handler. */
export const syncLoopHandlers = {
  handlePodAdditions: { id: 'kubelet.HandlePodAdditions', kind: 'loop', upstream: 'Kubelet.HandlePodAdditions' },
  handlePodUpdates: { id: 'kubelet.HandlePodUpdates', kind: 'loop', upstream: 'Kubelet.HandlePodUpdates' },
  handlePodRemoves: { id: 'kubelet.HandlePodRemoves', kind: 'loop', upstream: 'Kubelet.HandlePodRemoves' },
  handlePodReconcile: { id: 'kubelet.HandlePodReconcile', kind: 'loop', upstream: 'Kubelet.HandlePodReconcile' },
  handlePodSyncs: { id: 'kubelet.HandlePodSyncs', kind: 'loop', upstream: 'Kubelet.HandlePodSyncs' },
  handlePodCleanups: { id: 'kubelet.HandlePodCleanups', kind: 'loop', upstream: 'Kubelet.HandlePodCleanups' },
} as const satisfies Steps;

const handlerIDs = Object.values(syncLoopHandlers).map(({ id }) => id);

/** The functions with which a handler sends a pod to its worker. */
export const podUpdates = {
  updatePod: { id: 'kubelet.UpdatePod', kind: 'loop', upstream: 'podWorkers.UpdatePod' },
} as const satisfies Steps;

/** The functions with which a handler of v1.20 sends a pod to its worker. */
export const podUpdatesV120 = {
  dispatchWork: { id: 'kubelet.dispatchWork', kind: 'loop', upstream: 'Kubelet.dispatchWork' },
} as const satisfies Steps;

/** The messages that a relist sends to the sync loop. */
export const plegEvents = {
  plegEvent: { id: 'kubelet.plegEvent', kind: 'loop', upstream: 'GenericPLEG.eventChannel' },
} as const satisfies Steps;

/** A sync of a pod worker. */
export const podWorker = {
  podWorkerLoop: { id: 'kubelet.podWorkerLoop', kind: 'worker', upstream: 'podWorkers.podWorkerLoop' },
} as const satisfies Steps;

/** A sync of a pod worker in v1.20. */
export const podWorkerV120 = {
  managePodLoop: { id: 'kubelet.managePodLoop', kind: 'worker', upstream: 'podWorkers.managePodLoop' },
} as const satisfies Steps;

const waiting = {
  getNewerThan: { id: 'kubelet.getNewerThan', kind: 'kubeletStep', upstream: 'podCache.GetNewerThan' },
} as const satisfies Steps;

const syncing = {
  syncPod: { id: 'kubelet.SyncPod', kind: 'function', upstream: 'Kubelet.SyncPod' },
} as const satisfies Steps;

/** The calls of a worker in a sync: it waits for a newer status, then calls one of the sync functions. */
export const podWorkerCalls = {
  ...waiting,
  ...syncing,
  syncTerminatingPod: { id: 'kubelet.SyncTerminatingPod', kind: 'function', upstream: 'Kubelet.SyncTerminatingPod' },
  syncTerminatingRuntimePod: {
    id: 'kubelet.SyncTerminatingRuntimePod',
    kind: 'function',
    upstream: 'Kubelet.SyncTerminatingRuntimePod',
  },
  syncTerminatedPod: { id: 'kubelet.SyncTerminatedPod', kind: 'function', upstream: 'Kubelet.SyncTerminatedPod' },
} as const satisfies Steps;

/** The calls of a v1.20 worker in a sync. Its syncPod also terminates pods. */
const podWorkerCallsV120 = { ...waiting, ...syncing } as const satisfies Steps;

export const kubeletLevels: readonly Level[] = [
  { id: 'kubeletLoops', under: [], steps: kubeletLoops, numbered: false },
  { id: 'kubeletLoopsV136', under: [], steps: kubeletLoopsV136, numbered: false, release: 'v1.36' },
  { id: 'kubeletLoopsV120', under: [], steps: kubeletLoopsV120, numbered: false, release: 'v1.20' },
  { id: 'podWorker', under: [], steps: podWorker, numbered: false, release: 'v1.36' },
  { id: 'podWorkerV120', under: [], steps: podWorkerV120, numbered: false, release: 'v1.20' },
  { id: 'syncLoopHandlers', under: [kubeletLoops.syncLoopIteration.id], steps: syncLoopHandlers, numbered: false },
  { id: 'podUpdatesV120', under: handlerIDs, steps: podUpdatesV120, numbered: false, release: 'v1.20' },
  { id: 'podUpdates', under: handlerIDs, steps: podUpdates, numbered: false, release: 'v1.36' },
  {
    id: 'dispatchedUpdates',
    under: [podUpdatesV120.dispatchWork.id],
    steps: podUpdates,
    numbered: false,
    release: 'v1.20',
  },
  { id: 'plegEvents', under: [kubeletLoops.relist.id], steps: plegEvents, numbered: false },
  {
    id: 'podWorkerCalls',
    under: [podWorker.podWorkerLoop.id],
    steps: podWorkerCalls,
    numbered: false,
    release: 'v1.36',
  },
  {
    id: 'podWorkerCallsV120',
    under: [podWorkerV120.managePodLoop.id],
    steps: podWorkerCallsV120,
    numbered: false,
    release: 'v1.20',
  },
];
