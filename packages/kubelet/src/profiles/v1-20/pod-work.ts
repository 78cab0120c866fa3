/** Composes the pod workers and handlers of v1.20. */
import { errorText } from '@podscope/base';
import { kubeletSyncPodPointsV120 } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { formatPod } from '@podscope/kuberuntime';
import { NodeForAdmission } from '../../admission/node-for-admission.ts';
import { admissionV120 } from '../../admission/v1-20/admission.ts';
import { createCanRunPod } from '../../admission/v1-20/can-run-pod.ts';
import { updateQOSCgroups } from '../../cgroups/update-qos-cgroups.ts';
import { ContainerDeletor } from '../../container/container-deletor.ts';
import { RuntimeCache } from '../../container/v1-20/runtime-cache.ts';
import { SandboxDeletor } from '../../container/v1-20/sandbox-deletor.ts';
import { OrphanedDirectories, removeOrphanV120 } from '../../loop/orphaned-directories.ts';
import type { PodHandlerDependenciesV120 } from '../../loop/v1-20/dependencies.ts';
import { SyncHandlerV120 } from '../../loop/v1-20/handlers.ts';
import { PodKiller } from '../../pod-workers/v1-20/pod-killer.ts';
import { isEvicted, notRunning, PodStatesV120 } from '../../pod-workers/v1-20/pod-states.ts';
import { PodWorkersV120 } from '../../pod-workers/v1-20/pod-workers.ts';
import { pullSecretWarningV120 } from '../../sync-pod/v1-20/pull-secret-warning.ts';
import { type SyncPodDependenciesV120, syncPodV120 } from '../../sync-pod/v1-20/sync-pod.ts';
import type { CreatePodWork } from '../pod-work.ts';

/**
 * Creates the pod workers and handlers of v1.20. Upstream: NewMainKubelet (v1.20), where it creates the pod workers.
 */
export const createPodWorkV120: CreatePodWork = (dependencies) => {
  const { kubelet, podManager, podCache, podConfig, workQueue, strictClock, tasks, sync, cri, maxPerPodContainer } =
    dependencies;
  const { client, node, recorder, random } = kubelet;
  const { statusManager, podContainers, volumeManager } = sync;
  const podStates = new PodStatesV120(podManager, statusManager);
  const syncPodDependencies: SyncPodDependenciesV120 = {
    ...sync,
    steps: kubeletSyncPodPointsV120,
    profile: {
      reportsVolumeTimeouts: true,
      endsCancelledSyncs: false,
      reportsMissingPullSecrets: false,
      pullSecretWarning: pullSecretWarningV120,
    },
    canRunPod: createCanRunPod({
      appArmor: node.appArmor,
      runtimeVersion: (ctx) => cri.version(ctx, { version: '' }),
    }),
    isTerminated: (pod) => podStates.isTerminated(pod),
  };
  const podWorkers = new PodWorkersV120({
    syncPod: (ctx, { pod, mirrorPod, updateType, killPodOptions }, podStatus) =>
      syncPodV120(ctx, syncPodDependencies, { updateType, pod, mirrorPod, podStatus, killPodOptions }),
    cache: podCache,
    workQueue,
    recorder,
    random,
    strictClock,
    tasks,
  });
  const podKiller = new PodKiller({
    runtime: sync.runtime,
    tasks,
    onKilled: (ctx) => updateQOSCgroups(ctx, podContainers, podStates.activePods()),
  });
  const containerDeletor = new ContainerDeletor({
    runtime: sync.runtime,
    cache: podCache,
    tasks,
    // Generates the status as upstream's cleanUpContainersInPod does. Generating the status emits decisions.
    shouldPodContentBeRemoved: (ctx, uid) => {
      const pod = podManager.getPodByUID(uid);
      if (!pod) return false;
      if (isEvicted(pod.status)) return true;
      return (
        pod.metadata.deletionTimestamp !== undefined &&
        notRunning(sync.generateStatus(ctx, pod, podCache.get(uid).status, false).containerStatuses)
      );
    },
    containersToKeep: maxPerPodContainer,
  });
  const loop: PodHandlerDependenciesV120 = {
    ...sync,
    node,
    admissionNode: new NodeForAdmission({ client, node, standalone: kubelet.standalone === true, caches: false }),
    recorder,
    admission: admissionV120,
    orphanedDirectories: new OrphanedDirectories(
      sync.directories,
      (uid) => volumeManager.hasVolumes(uid),
      removeOrphanV120,
    ),
    isShuttingDown: dependencies.isShuttingDown,
    measures: dependencies.measures,
    runtimeFeatures: () => sync.runtimeState.features,
    runtimeCache: new RuntimeCache(sync.runtime),
    podConfig,
    podManager,
    podCache,
    podWorkers,
    podStates,
    podKiller,
    containerDeletor,
    sandboxDeletor: new SandboxDeletor({
      runtime: cri,
      cache: podCache,
      tasks,
      isPodDeleted: (uid) => podStates.shouldPodContentBeRemoved(uid),
    }),
    tasks,
    collectBackOffs: () => void sync.backOff().gc(),
    preempt: async (ctx, pod, status) => {
      try {
        await podWorkers.killPodNow(ctx, pod, () => status);
        return true;
      } catch (error) {
        throw new Error(`preemption: pod ${formatPod(pod)} failed to evict ${errorText(error)}`, { cause: error });
      }
    },
  };
  const podResourcesAreReclaimed = ({ metadata: { uid } }: Pod, status: ApiPodStatus): boolean => {
    const runtime = podCache.get(uid).status;
    const gone =
      notRunning(status.containerStatuses) && runtime.containerStatuses.length + runtime.sandboxStatuses.length === 0;
    return gone && !volumeManager.hasVolumes(uid) && !podContainers.isKept(uid);
  };
  return {
    handler: new SyncHandlerV120(loop),
    start: async (ctx) => podWorkers.start(ctx),
    resync: (ctx, pod) =>
      tasks.start(async () =>
        podWorkers.updatePod(ctx, { pod, mirrorPod: podManager.getMirrorPodByPod(pod), updateType: 'sync' }),
      ),
    couldHaveRunningContainers: (uid) => !podStates.shouldPodRuntimeBeRemoved(uid),
    // The given status replaces the generated one, so container statuses, conditions and addresses are lost.
    evict: (ctx, pod, status) => podWorkers.killPodNow(ctx, pod, () => status, 0),
    terminate: (ctx, pod, edit, gracePeriodSeconds) => podWorkers.killPodNow(ctx, pod, edit, gracePeriodSeconds),
    isCleanedUp: (pod) => podResourcesAreReclaimed(pod, podStates.status(pod)),
    podResourcesAreReclaimed,
    activePods: () => podStates.activePods(),
    workingPods: () => [],
    isPodTerminationRequested: (uid) => podStates.isPodTerminationRequested(uid),
    shouldPodContentBeRemoved: (uid) => podStates.shouldPodContentBeRemoved(uid),
    shouldPodRuntimeBeRemoved: (uid) => podStates.shouldPodRuntimeBeRemoved(uid),
  };
};
