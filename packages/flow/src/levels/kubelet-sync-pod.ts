/**
 * Lists the steps of the kubelet's three sync functions. Upstream: SyncPod, SyncTerminatingPod, SyncTerminatedPod
 * (v1.36 and v1.20).
 */
import type { Level, Steps } from '../level.ts';
import { podWorkerCalls } from './kubelet.ts';

/** The steps of the kubelet's SyncPod, v1.36. */
export const kubeletSyncPodSteps = {
  recordLatency: {
    id: 'kubelet.syncPod.recordLatency',
    kind: 'kubeletStep',
    upstream: 'metrics.PodWorkerStartDuration',
  },
  generateAPIPodStatus: {
    id: 'kubelet.syncPod.generateAPIPodStatus',
    kind: 'kubeletStep',
    upstream: 'generateAPIPodStatus',
  },
  setPodStatus: { id: 'kubelet.syncPod.setPodStatus', kind: 'kubeletStep', upstream: 'statusManager.SetPodStatus' },
  checkNetwork: { id: 'kubelet.syncPod.checkNetwork', kind: 'kubeletStep', upstream: 'runtimeState.networkErrors' },
  ensurePodCgroup: {
    id: 'kubelet.syncPod.ensurePodCgroup',
    kind: 'kubeletStep',
    upstream: 'podContainerManager.EnsureExists',
  },
  reconcileMirrorPod: {
    id: 'kubelet.syncPod.reconcileMirrorPod',
    kind: 'kubeletStep',
    upstream: 'tryReconcileMirrorPods',
  },
  makePodDataDirs: { id: 'kubelet.syncPod.makePodDataDirs', kind: 'kubeletStep', upstream: 'makePodDataDirs' },
  waitForVolumes: {
    id: 'kubelet.syncPod.waitForVolumes',
    kind: 'kubeletStep',
    upstream: 'volumeManager.WaitForAttachAndMount',
  },
  getPullSecrets: { id: 'kubelet.syncPod.getPullSecrets', kind: 'kubeletStep', upstream: 'getPullSecretsForPod' },
  addPodProbes: { id: 'kubelet.syncPod.addPodProbes', kind: 'kubeletStep', upstream: 'probeManager.AddPod' },
  runtimeSyncPod: { id: 'kubelet.syncPod.runtimeSyncPod', kind: 'kubeletStep', upstream: 'containerRuntime.SyncPod' },
  updateReasonCache: { id: 'kubelet.syncPod.updateReasonCache', kind: 'kubeletStep', upstream: 'reasonCache.Update' },
} as const satisfies Steps;

const v136 = kubeletSyncPodSteps;

/** The steps of the kubelet's syncPod, v1.20. */
export const kubeletSyncPodStepsV120 = {
  recordLatency: v136.recordLatency,
  generateAPIPodStatus: v136.generateAPIPodStatus,
  canRunPod: { id: 'kubelet.syncPod.canRunPod', kind: 'kubeletStep', upstream: 'canRunPod' },
  setPodStatus: v136.setPodStatus,
  killPod: { id: 'kubelet.syncPod.killPod', kind: 'kubeletStep', upstream: 'killPod' },
  checkNetwork: v136.checkNetwork,
  ensurePodCgroup: v136.ensurePodCgroup,
  reconcileMirrorPod: v136.reconcileMirrorPod,
  makePodDataDirs: v136.makePodDataDirs,
  waitForVolumes: v136.waitForVolumes,
  getPullSecrets: v136.getPullSecrets,
  runtimeSyncPod: v136.runtimeSyncPod,
  updateReasonCache: v136.updateReasonCache,
} as const satisfies Steps;

/** The steps of SyncTerminatingPod, v1.36. */
export const syncTerminatingPodSteps = {
  generateAPIPodStatus: {
    id: 'kubelet.syncTerminatingPod.generateAPIPodStatus',
    kind: 'kubeletStep',
    upstream: 'generateAPIPodStatus',
  },
  killPod: { id: 'kubelet.syncTerminatingPod.killPod', kind: 'kubeletStep', upstream: 'killPod' },
  verifyStopped: { id: 'kubelet.syncTerminatingPod.verifyStopped', kind: 'kubeletStep', upstream: 'GetPodStatus' },
  finalStatus: {
    id: 'kubelet.syncTerminatingPod.finalStatus',
    kind: 'kubeletStep',
    upstream: 'generateAPIPodStatus',
  },
} as const satisfies Steps;

/** The steps of SyncTerminatedPod, v1.36. */
export const syncTerminatedPodSteps = {
  generateAPIPodStatus: {
    id: 'kubelet.syncTerminatedPod.generateAPIPodStatus',
    kind: 'kubeletStep',
    upstream: 'generateAPIPodStatus',
  },
  waitForUnmount: {
    id: 'kubelet.syncTerminatedPod.waitForUnmount',
    kind: 'kubeletStep',
    upstream: 'volumeManager.WaitForUnmount',
  },
  destroyPodCgroup: {
    id: 'kubelet.syncTerminatedPod.destroyPodCgroup',
    kind: 'kubeletStep',
    upstream: 'podContainerManager.Destroy',
  },
  terminatePod: {
    id: 'kubelet.syncTerminatedPod.terminatePod',
    kind: 'kubeletStep',
    upstream: 'statusManager.TerminatePod',
  },
} as const satisfies Steps;

const { syncPod, syncTerminatingPod, syncTerminatedPod } = podWorkerCalls;

export const kubeletSyncPodLevels: readonly Level[] = [
  { id: 'kubeletSyncPod', under: [syncPod.id], steps: kubeletSyncPodSteps, numbered: true, release: 'v1.36' },
  { id: 'kubeletSyncPodV120', under: [syncPod.id], steps: kubeletSyncPodStepsV120, numbered: true, release: 'v1.20' },
  {
    id: 'syncTerminatingPod',
    under: [syncTerminatingPod.id],
    steps: syncTerminatingPodSteps,
    numbered: true,
    release: 'v1.36',
  },
  {
    id: 'syncTerminatedPod',
    under: [syncTerminatedPod.id],
    steps: syncTerminatedPodSteps,
    numbered: true,
    release: 'v1.36',
  },
];
