/** Pod workers and handlers of v1.36, put together. */
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { admissionV136 } from '../admission/admission.ts';
import { AllocationManager } from '../allocation/allocation-manager.ts';
import { ContainerDeletor } from '../container/container-deletor.ts';
import { judgePod } from '../loop/admit-pod.ts';
import { activePods, handlePodAdditions, handlePodReconcile, handlePodRemoves, handlePodSyncs, handlePodUpdates } from '../loop/handlers.ts';
import { handlePodCleanups } from '../loop/housekeeping.ts';
import type { LoopParts } from '../loop/parts.ts';
import type { SyncHandler } from '../loop/sync-handler.ts';
import { nodeAllocatable } from '../node-allocatable.ts';
import type { CreatePodWork } from '../pod-work.ts';
import { killPodNow } from '../pod-workers/kill-pod-now.ts';
import { PodWorkers } from '../pod-workers/pod-workers.ts';
import type { PodSyncer, SyncPodType } from '../pod-workers/types.ts';
import { syncPodKubeletSteps } from '../points.ts';
import { probeProfileV136 } from '../prober/probe-profile.ts';
import type { PodSyncParts } from '../sync-pod/parts.ts';
import { syncPod } from '../sync-pod/sync-pod.ts';
import { syncTerminatedPod } from '../sync-pod/sync-terminated-pod.ts';
import { syncTerminatingPod, syncTerminatingRuntimePod } from '../sync-pod/sync-terminating-pod.ts';

const immediateEvictionGracePeriodSeconds = 1;

/** Upstream: NewMainKubelet, as far as pod workers go (v1.36). */
export const createPodWorkV136: CreatePodWork = (work) => {
  const { deps, podManager, podCache, podConfig, workQueue, strictClock, tasks, sync, maxPerPodContainer } = work;
  const { client, node, recorder, random } = deps;
  const parts: PodSyncParts = { ...sync, steps: syncPodKubeletSteps, profile: { tellsVolumeTimeouts: false, tellsMissingPullSecrets: true } };
  const syncer: PodSyncer = {
    syncPod: (ctx, updateType, pod, mirrorPod, podStatus) => syncPod(parts, ctx, updateType, pod, mirrorPod, podStatus),
    syncTerminatingPod: (ctx, pod, podStatus, grace, edit) => syncTerminatingPod(parts, ctx, pod, podStatus, grace, edit),
    syncTerminatingRuntimePod: (ctx, runningPod) => syncTerminatingRuntimePod(parts, ctx, runningPod),
    syncTerminatedPod: (ctx, pod, podStatus) => syncTerminatedPod(parts, ctx, pod, podStatus),
  };
  const podWorkers = new PodWorkers({ syncer, cache: podCache, workQueue, recorder, random, strictClock, tasks });
  const containerDeletor = new ContainerDeletor({
    runtime: sync.runtime,
    cache: podCache,
    tasks,
    shouldPodContentBeRemoved: (uid) => podWorkers.shouldPodContentBeRemoved(uid),
    containersToKeep: maxPerPodContainer,
  });
  const tell = (ctx: Context, pod: Pod, updateType: SyncPodType): void =>
    tasks.start(async () => podWorkers.updatePod(ctx, { updateType, startTime: ctx.clock.now(), pod: allocation.granted(pod) }));
  const allocation: AllocationManager = new AllocationManager({
    enabled: sync.gates.InPlacePodVerticalScaling,
    podManager,
    resizeConditions: sync.resizeConditions,
    recorder,
    os: deps.os,
    stateFile: `${node.rootDir}/allocated_pods_state`,
    activePods: () => activePods(loop),
    allocatable: nodeAllocatable(node),
    judge: (ctx, pod, others) => judgePod(loop, ctx, pod, others),
    sync: (ctx, pod) => tell(ctx, pod, 'sync'),
  });
  const loop: LoopParts = {
    allocation,
    ...sync,
    client,
    node,
    recorder,
    standalone: deps.standalone === true,
    admission: admissionV136,
    podConfig,
    podManager,
    podWorkers,
    workQueue,
    tasks,
    containerDeletor,
    collectBackOffs: () => void sync.backOff().gc(),
    killPodNow: (ctx, pod, status) => killPodNow({ podWorkers, recorder }, ctx, pod, status),
  };
  const handler: SyncHandler = {
    handlePodAdditions: (ctx, pods) => handlePodAdditions(loop, ctx, pods),
    handlePodUpdates: (ctx, pods) => handlePodUpdates(loop, ctx, pods),
    handlePodRemoves: (ctx, pods) => handlePodRemoves(loop, ctx, pods),
    handlePodReconcile: (ctx, pods) => handlePodReconcile(loop, ctx, pods),
    handlePodSyncs: (ctx, pods) => handlePodSyncs(loop, ctx, pods),
    handlePodCleanups: (ctx) => handlePodCleanups(loop, ctx),
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
    },
    resync: (ctx, pod) => tell(ctx, pod, 'update'),
    couldHaveRunningContainers: (uid) => podWorkers.couldHaveRunningContainers(uid),
    evict: (ctx, pod, status) => killPodNow({ podWorkers, recorder }, ctx, pod, status, { gracePeriodSeconds: immediateEvictionGracePeriodSeconds }),
    podResourcesAreReclaimed: () => true,
    activePods: () => activePods(loop),
    workingPods: () => [...podWorkers.states(new Set(podManager.getPods().map(({ metadata }) => metadata.uid))).values()],
    isPodTerminationRequested: (uid) => podWorkers.isPodTerminationRequested(uid),
    shouldPodContentBeRemoved: (uid) => podWorkers.shouldPodContentBeRemoved(uid),
    shouldPodRuntimeBeRemoved: (uid) => podWorkers.shouldPodRuntimeBeRemoved(uid),
  };
};
