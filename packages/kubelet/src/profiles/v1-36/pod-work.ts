/** Composes the pod workers and handlers of v1.36. */
import { errorText } from '@podscope/base';
import { kubeletSyncPodPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { formatPod } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { admissionV136 } from '../../admission/admission.ts';
import { NodeForAdmission } from '../../admission/node-for-admission.ts';
import { preemptedCondition } from '../../admission/preemption.ts';
import { AllocationManager } from '../../allocation/allocation-manager.ts';
import { ContainerDeletor } from '../../container/container-deletor.ts';
import { evaluateAdmission } from '../../loop/admit-pod.ts';
import type { PodHandlerDependencies } from '../../loop/dependencies.ts';
import {
  activePods,
  handlePodAdditions,
  handlePodReconcile,
  handlePodRemoves,
  handlePodSyncs,
  handlePodUpdates,
} from '../../loop/handlers.ts';
import { handlePodCleanups } from '../../loop/housekeeping.ts';
import { OrphanedDirectories, removeOrphanV136 } from '../../loop/orphaned-directories.ts';
import type { SyncHandler } from '../../loop/sync-handler.ts';
import { killPodNow } from '../../pod-workers/kill-pod-now.ts';
import { PodWorkers } from '../../pod-workers/pod-workers.ts';
import type { PodStatusFunction, PodSyncer, SyncPodType } from '../../pod-workers/types.ts';
import { probeProfileV136 } from '../../prober/probe-profile.ts';
import { withDisruption } from '../../status/conditions.ts';
import type { SyncPodDependencies } from '../../sync-pod/dependencies.ts';
import { pullSecretWarningV136 } from '../../sync-pod/pull-secret-warning.ts';
import { syncPod } from '../../sync-pod/sync-pod.ts';
import { syncTerminatedPod } from '../../sync-pod/sync-terminated-pod.ts';
import { syncTerminatingPod, syncTerminatingRuntimePod } from '../../sync-pod/sync-terminating-pod.ts';
import type { CreatePodWork } from '../pod-work.ts';

const immediateEvictionGracePeriodSeconds = 1;

/**
 * Creates the pod workers and handlers of v1.36. Upstream: NewMainKubelet (v1.36), where it creates the pod workers.
 */
export const createPodWorkV136: CreatePodWork = (dependencies) => {
  const { kubelet, podManager, podCache, podConfig, workQueue, strictClock, tasks, sync, maxPerPodContainer } =
    dependencies;
  const { client, node, recorder, random } = kubelet;
  const syncPodDependencies: SyncPodDependencies = {
    ...sync,
    steps: kubeletSyncPodPoints,
    profile: {
      reportsVolumeTimeouts: false,
      endsCancelledSyncs: true,
      reportsMissingPullSecrets: true,
      pullSecretWarning: pullSecretWarningV136,
    },
  };
  const syncer: PodSyncer = {
    syncPod: (ctx, updateType, pod, mirrorPod, podStatus) =>
      syncPod(ctx, syncPodDependencies, updateType, pod, mirrorPod, podStatus),
    syncTerminatingPod: (ctx, pod, podStatus, grace, edit) =>
      syncTerminatingPod(ctx, syncPodDependencies, pod, podStatus, grace, edit),
    syncTerminatingRuntimePod: (ctx, runningPod) => syncTerminatingRuntimePod(ctx, syncPodDependencies, runningPod),
    syncTerminatedPod: (ctx, pod, podStatus) => syncTerminatedPod(ctx, syncPodDependencies, pod, podStatus),
  };
  const podWorkers = new PodWorkers({ syncer, cache: podCache, workQueue, recorder, random, strictClock, tasks });
  const containerDeletor = new ContainerDeletor({
    runtime: sync.runtime,
    cache: podCache,
    tasks,
    shouldPodContentBeRemoved: (_ctx, uid) => podWorkers.shouldPodContentBeRemoved(uid),
    containersToKeep: maxPerPodContainer,
  });
  const updateWorker = (ctx: Context, pod: Pod, updateType: SyncPodType): void =>
    tasks.start(async () =>
      podWorkers.updatePod(ctx, { updateType, startTime: ctx.clock.now(), pod: allocation.granted(pod) }),
    );
  const allocation: AllocationManager = new AllocationManager({
    gates: sync.gates,
    podManager,
    resizeConditions: sync.resizeConditions,
    recorder,
    os: kubelet.os,
    stateFile: `${node.rootDir}/allocated_pods_state`,
    activePods: () => activePods(loop),
    allSourcesReady: () => podConfig.allReady,
    judge: (ctx, pod, others) => evaluateAdmission(ctx, loop, pod, others),
    sync: (ctx, pod) => {
      updateWorker(ctx, pod, 'sync');
      sync.requestPodRelist(ctx, pod.metadata.uid);
    },
  });
  const loop: PodHandlerDependencies = {
    allocation,
    ...sync,
    node,
    admissionNode: new NodeForAdmission({ client, node, standalone: kubelet.standalone === true, caches: true }),
    recorder,
    admission: admissionV136,
    orphanedDirectories: new OrphanedDirectories(
      sync.directories,
      (uid) => sync.volumeManager.hasPossiblyMountedVolumes(uid),
      removeOrphanV136,
      dependencies.measures,
    ),
    isShuttingDown: dependencies.isShuttingDown,
    measures: dependencies.measures,
    runtimeFeatures: () => sync.runtimeState.features,
    podConfig,
    podManager,
    podWorkers,
    workQueue,
    tasks,
    containerDeletor,
    collectBackOffs: () => void sync.backOff().gc(),
    preempt: async (ctx, pod, status) => {
      const edit: PodStatusFunction = (generated) =>
        withDisruption({ pod, gates: sync.gates }, { ...generated, ...status }, preemptedCondition);
      try {
        await killPodNow(ctx, { podWorkers, recorder }, pod, edit, { evict: true });
        return true;
      } catch (error) {
        // The victim's termination continues, so the critical pod is admitted.
        const message = `Failed to preempt pod ${formatPod(pod)}: ${errorText(error)}`;
        ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
        return false;
      }
    },
  };
  const handler: SyncHandler = {
    handlePodAdditions: async (ctx, pods) => {
      if (pods.some(({ spec }) => spec.runtimeClassName)) await dependencies.learnRuntimeClasses(pods);
      await handlePodAdditions(ctx, loop, pods);
    },
    handlePodUpdates: (ctx, pods) => handlePodUpdates(ctx, loop, pods),
    handlePodRemoves: (ctx, pods) => handlePodRemoves(ctx, loop, pods),
    handlePodReconcile: (ctx, pods) => handlePodReconcile(ctx, loop, pods),
    handlePodSyncs: (ctx, pods) => handlePodSyncs(ctx, loop, pods),
    handlePodCleanups: (ctx) => handlePodCleanups(ctx, loop),
    handlePlegEvent: (ctx, { type, uid, id }) => {
      if (type === 'ContainerDied' && id !== undefined) containerDeletor.containerDied(ctx, uid, id);
    },
    probeSyncsPod: probeProfileV136.syncsPod,
    isPodKnownTerminated: (uid) => podWorkers.isPodKnownTerminated(uid),
  };
  return {
    handler,
    start: async (ctx) => {
      podWorkers.start(ctx);
      await allocation.load();
      tasks.start(() => allocation.run(ctx));
    },
    resync: (ctx, pod) => updateWorker(ctx, pod, 'update'),
    couldHaveRunningContainers: (uid) => podWorkers.couldHaveRunningContainers(uid),
    evict: (ctx, pod, status) =>
      killPodNow(ctx, { podWorkers, recorder }, pod, (generated) => ({ ...generated, ...status }), {
        evict: true,
        gracePeriodSeconds: immediateEvictionGracePeriodSeconds,
      }),
    isCleanedUp: ({ metadata }) => podWorkers.shouldPodBeFinished(metadata.uid),
    terminate: (ctx, pod, edit, gracePeriodSeconds) =>
      killPodNow(ctx, { podWorkers, recorder }, pod, edit, { gracePeriodSeconds }),
    podResourcesAreReclaimed: () => true,
    activePods: () => activePods(loop),
    workingPods: () => [
      ...podWorkers.states(new Set(podManager.getPods().map(({ metadata }) => metadata.uid))).values(),
    ],
    isPodTerminationRequested: (uid) => podWorkers.isPodTerminationRequested(uid),
    shouldPodContentBeRemoved: (uid) => podWorkers.shouldPodContentBeRemoved(uid),
    shouldPodRuntimeBeRemoved: (uid) => podWorkers.shouldPodRuntimeBeRemoved(uid),
  };
};
