/**
 * Lists the steps of the runtime manager's SyncPod, and the functions that they call. Upstream:
 * pkg/kubelet/kuberuntime.
 */
import type { Level, Steps } from '../level.ts';
import { criCalls } from './cri.ts';
import { kubeletLoops, podWorkerCalls } from './kubelet.ts';
import { kubeletSyncPodSteps, kubeletSyncPodStepsV120, syncTerminatingPodSteps } from './kubelet-sync-pod.ts';

/** The runtime manager's entry points. */
export const runtimeManagerEntries = {
  syncPod: { id: 'kuberuntime.SyncPod', kind: 'sync', upstream: 'kubeGenericRuntimeManager.SyncPod' },
  killPod: { id: 'kuberuntime.KillPod', kind: 'sync', upstream: 'kubeGenericRuntimeManager.KillPod' },
  garbageCollect: { id: 'kuberuntime.GarbageCollect', kind: 'function', upstream: 'containerGC.GarbageCollect' },
} as const satisfies Steps;

/** The functions that steps of SyncPod and KillPod call. */
export const runtimeManagerFunctions = {
  doBackOff: { id: 'kuberuntime.doBackOff', kind: 'function', upstream: 'doBackOff' },
  startContainer: { id: 'kuberuntime.startContainer', kind: 'function', upstream: 'startContainer' },
  killContainer: { id: 'kuberuntime.killContainer', kind: 'function', upstream: 'killContainer' },
  pruneInitContainers: {
    id: 'kuberuntime.pruneInitContainersBeforeStart',
    kind: 'function',
    upstream: 'pruneInitContainersBeforeStart',
  },
  purgeInitContainers: { id: 'kuberuntime.purgeInitContainers', kind: 'function', upstream: 'purgeInitContainers' },
  ensureImageExists: {
    id: 'images.EnsureImageExists',
    kind: 'function',
    upstream: 'imageManager.EnsureImageExists',
  },
  preCreateContainer: {
    id: 'lifecycle.preCreateContainer',
    kind: 'function',
    upstream: 'internalLifecycle.PreCreateContainer',
  },
  preStartContainer: {
    id: 'lifecycle.preStartContainer',
    kind: 'function',
    upstream: 'internalLifecycle.PreStartContainer',
  },
  postStart: { id: 'lifecycle.postStart', kind: 'hook', upstream: 'handlerRunner.Run' },
  preStop: { id: 'lifecycle.preStop', kind: 'hook', upstream: 'executePreStopHook' },
} as const satisfies Steps;

/** The steps of SyncPod, v1.36. Upstream: kuberuntime_manager.go SyncPod. */
export const syncPodSteps = {
  computePodActions: { id: 'syncPod.computePodActions', kind: 'syncStep', upstream: 'computePodActions' },
  killPod: { id: 'syncPod.killPod', kind: 'syncStep', upstream: 'killPodWithSyncResult' },
  killContainers: { id: 'syncPod.killContainers', kind: 'syncStep', upstream: 'killContainer' },
  createPodSandbox: { id: 'syncPod.createPodSandbox', kind: 'syncStep', upstream: 'createPodSandbox' },
  onPodSandboxReady: { id: 'syncPod.onPodSandboxReady', kind: 'syncStep', upstream: 'OnPodSandboxReady' },
  startEphemeralContainers: { id: 'syncPod.startEphemeralContainers', kind: 'syncStep', upstream: 'start' },
  startInitContainers: { id: 'syncPod.startInitContainers', kind: 'syncStep', upstream: 'start' },
  resizePodInPlace: { id: 'syncPod.resizePodInPlace', kind: 'syncStep', upstream: 'doPodResizeAction' },
  startContainers: { id: 'syncPod.startContainers', kind: 'syncStep', upstream: 'start' },
} as const satisfies Steps;

/** The steps of SyncPod, v1.20. Upstream: kuberuntime_manager.go SyncPod. */
export const syncPodStepsV120 = {
  computePodActions: syncPodSteps.computePodActions,
  killPod: syncPodSteps.killPod,
  killContainers: syncPodSteps.killContainers,
  createPodSandbox: syncPodSteps.createPodSandbox,
  startEphemeralContainers: { ...syncPodSteps.startEphemeralContainers, gate: 'EphemeralContainers' },
  startInitContainers: syncPodSteps.startInitContainers,
  startContainers: syncPodSteps.startContainers,
} as const satisfies Steps;

/** The four steps of startContainer. */
const startContainerSteps = {
  ensureImageExists: runtimeManagerFunctions.ensureImageExists,
  createContainer: criCalls.CreateContainer,
  startContainer: criCalls.StartContainer,
  postStart: runtimeManagerFunctions.postStart,
} as const satisfies Steps;

/** The decisions that are made between the steps about sandboxes and containers. */
export const runtimeManagerDecisions = {
  generatePodSandboxConfig: { id: 'generatePodSandboxConfig', kind: 'decision', upstream: 'generatePodSandboxConfig' },
  logDirectory: { id: 'createPodSandbox.logDirectory', kind: 'decision', upstream: 'createPodSandbox' },
  runtimeHandler: { id: 'createPodSandbox.runtimeHandler', kind: 'decision', upstream: 'LookupRuntimeHandler' },
  determinePodSandboxIPs: { id: 'determinePodSandboxIPs', kind: 'decision', upstream: 'determinePodSandboxIPs' },
  generateContainerConfig: { id: 'generateContainerConfig', kind: 'decision', upstream: 'generateContainerConfig' },
  logLink: { id: 'startContainer.logLink', kind: 'decision', upstream: 'legacyLogSymlink' },
} as const satisfies Steps;

/** The three steps of killContainer. */
export const killContainerSteps = {
  preStop: runtimeManagerFunctions.preStop,
  gracePeriod: { id: 'killContainer.gracePeriod', kind: 'decision', upstream: 'killContainer' },
  stopContainer: criCalls.StopContainer,
} as const satisfies Steps;

const { syncPod, killPod, garbageCollect } = runtimeManagerEntries;
const { doBackOff, startContainer, killContainer, pruneInitContainers, purgeInitContainers, ensureImageExists } =
  runtimeManagerFunctions;

const calls = (id: string, under: readonly string[], steps: Steps): Level => ({ id, under, steps, numbered: false });

/** The level below startContainer in v1.20, which v1.36 extends. */
const startContainerLevel = {
  id: 'startContainer',
  under: [startContainer.id],
  steps: startContainerSteps,
  numbered: true,
  after: {
    ensureImageExists: [runtimeManagerDecisions.generateContainerConfig],
    createContainer: [runtimeManagerFunctions.preStartContainer],
    startContainer: [runtimeManagerDecisions.logLink],
  },
} as const satisfies Level;

export const kuberuntimeLevels: readonly Level[] = [
  calls('runtimeSyncPod', [kubeletSyncPodSteps.runtimeSyncPod.id], { syncPod }),
  calls(
    'runtimeKillPod',
    [
      kubeletSyncPodStepsV120.killPod.id,
      kubeletSyncPodSteps.ensurePodCgroup.id,
      syncTerminatingPodSteps.killPod.id,
      podWorkerCalls.syncTerminatingRuntimePod.id,
      'kubelet.podKiller',
    ],
    { killPod },
  ),
  calls('runtimeGarbageCollection', [kubeletLoops.garbageCollect.id], { garbageCollect }),
  {
    id: 'syncPod',
    under: [syncPod.id],
    steps: syncPodSteps,
    numbered: true,
    after: { killContainers: [pruneInitContainers], onPodSandboxReady: [ensureImageExists] },
    release: 'v1.36',
  },
  {
    id: 'syncPodV120',
    under: [syncPod.id],
    steps: syncPodStepsV120,
    numbered: true,
    after: { killContainers: [pruneInitContainers] },
    release: 'v1.20',
  },
  calls('killPodInSync', [syncPodSteps.killPod.id], {
    killContainer,
    stopPodSandbox: criCalls.StopPodSandbox,
    purgeInitContainers,
  }),
  calls('killPod', [killPod.id], { killContainer, stopPodSandbox: criCalls.StopPodSandbox }),
  calls('killContainers', [syncPodSteps.killContainers.id], {
    killContainer,
    removeContainer: criCalls.RemoveContainer,
  }),
  calls('createPodSandbox', [syncPodSteps.createPodSandbox.id], {
    generatePodSandboxConfig: runtimeManagerDecisions.generatePodSandboxConfig,
    logDirectory: runtimeManagerDecisions.logDirectory,
    runtimeHandler: runtimeManagerDecisions.runtimeHandler,
    runPodSandbox: criCalls.RunPodSandbox,
    podSandboxStatus: criCalls.PodSandboxStatus,
    determinePodSandboxIPs: runtimeManagerDecisions.determinePodSandboxIPs,
  }),
  calls(
    'start',
    [syncPodSteps.startEphemeralContainers.id, syncPodSteps.startInitContainers.id, syncPodSteps.startContainers.id],
    { doBackOff, startContainer },
  ),
  {
    ...calls('resizePodInPlace', [syncPodSteps.resizePodInPlace.id], {
      updatePodSandboxResources: criCalls.UpdatePodSandboxResources,
      updateContainerResources: criCalls.UpdateContainerResources,
    }),
    release: 'v1.36',
  },
  {
    ...startContainerLevel,
    after: {
      ...startContainerLevel.after,
      ensureImageExists: [runtimeManagerDecisions.generateContainerConfig, runtimeManagerFunctions.preCreateContainer],
    },
    release: 'v1.36',
  },
  { ...startContainerLevel, id: 'startContainerV120', release: 'v1.20' },
  { id: 'killContainer', under: [killContainer.id], steps: killContainerSteps, numbered: true },
  calls('ensureImageExists', [ensureImageExists.id], {
    imageStatus: criCalls.ImageStatus,
    pullImage: criCalls.PullImage,
  }),
  calls('removeInitContainers', [pruneInitContainers.id, purgeInitContainers.id], {
    removeContainer: criCalls.RemoveContainer,
  }),
];
