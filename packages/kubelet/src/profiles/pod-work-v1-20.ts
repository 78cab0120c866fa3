/** Pod workers and handlers of v1.20, put together. */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { admissionV120 } from '../admission/admission.ts';
import { canRunPodV120 } from '../admission/can-run-pod.ts';
import { ContainerDeletor } from '../container/container-deletor.ts';
import { RuntimeCache } from '../container/runtime-cache.ts';
import { SandboxDeletor } from '../container/sandbox-deletor.ts';
import { SyncHandlerV120 } from '../loop/v1-20/handlers.ts';
import type { LoopPartsV120 } from '../loop/v1-20/parts.ts';
import type { CreatePodWork } from '../pod-work.ts';
import { PodKiller } from '../pod-workers/v1-20/pod-killer.ts';
import { isEvicted, notRunning, PodLivesV120 } from '../pod-workers/v1-20/pod-lives.ts';
import { PodWorkersV120 } from '../pod-workers/v1-20/pod-workers.ts';
import { syncPodKubeletStepsV120 } from '../points.ts';
import { type SyncPodPartsV120, syncPodV120 } from '../sync-pod/sync-pod-v1-20.ts';

/** Upstream: NewMainKubelet, as far as pod workers go (v1.20). */
export const createPodWorkV120: CreatePodWork = (work) => {
  const { deps, podManager, podCache, podConfig, workQueue, strictClock, tasks, sync, cri, maxPerPodContainer } = work;
  const { client, node, recorder, random } = deps;
  const { statusManager, podContainers, volumeManager } = sync;
  const podLives = new PodLivesV120(podManager, statusManager);
  const parts: SyncPodPartsV120 = {
    ...sync,
    steps: syncPodKubeletStepsV120,
    profile: { tellsVolumeTimeouts: true, tellsMissingPullSecrets: false },
    canRunPod: canRunPodV120,
    isTerminated: (pod) => podLives.isTerminated(pod),
  };
  const podWorkers = new PodWorkersV120({
    syncPod: (ctx, { pod, mirrorPod, updateType, killPodOptions }, podStatus) =>
      syncPodV120(parts, ctx, { updateType, pod, mirrorPod, podStatus, killPodOptions }),
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
    onKilled: () => void podContainers.updateQOSCgroups(podLives.activePods()).catch(() => undefined),
  });
  const containerDeletor = new ContainerDeletor({
    runtime: sync.runtime,
    cache: podCache,
    tasks,
    // Upstream: cleanUpContainersInPod. Generating the status has the side effects it always has.
    shouldPodContentBeRemoved: (uid, ctx) => {
      const pod = podManager.getPodByUID(uid);
      if (!pod) return false;
      if (isEvicted(pod.status)) return true;
      return pod.metadata.deletionTimestamp !== undefined && notRunning(sync.generateStatus(ctx, pod, podCache.get(uid).status, false).containerStatuses);
    },
    containersToKeep: maxPerPodContainer,
  });
  const loop: LoopPartsV120 = {
    ...sync,
    client,
    node,
    recorder,
    standalone: deps.standalone === true,
    admission: admissionV120,
    runtimeCache: new RuntimeCache(sync.runtime),
    podConfig,
    podManager,
    podCache,
    podWorkers,
    podLives,
    podKiller,
    containerDeletor,
    sandboxDeletor: new SandboxDeletor({ runtime: cri, cache: podCache, tasks, isPodDeleted: (uid) => podLives.shouldPodContentBeRemoved(uid) }),
    tasks,
    collectBackOffs: () => void sync.backOff().gc(),
    killPodNow: (ctx, pod, status) => podWorkers.killPodNow(ctx, pod, (generated) => ({ ...generated, ...status })),
  };
  return {
    handler: new SyncHandlerV120(loop),
    start: async (ctx) => podWorkers.start(ctx),
    resync: (ctx, pod) => tasks.start(async () => podWorkers.updatePod(ctx, { pod, mirrorPod: podManager.getMirrorPodByPod(pod), updateType: 'sync' })),
    couldHaveRunningContainers: (uid) => !podLives.shouldPodRuntimeBeRemoved(uid),
    evict: (ctx, pod, status) => podWorkers.killPodNow(ctx, pod, (generated) => ({ ...generated, ...status }), 0),
    podResourcesAreReclaimed: ({ metadata }: Pod, status: ApiPodStatus) => {
      const { uid } = metadata;
      const runtime = podCache.get(uid).status;
      const gone = notRunning(status.containerStatuses) && runtime.containerStatuses.length + runtime.sandboxStatuses.length === 0;
      return gone && !volumeManager.hasVolumes(uid) && !podContainers.isKept(uid);
    },
    activePods: () => podLives.activePods(),
    workingPods: () => [],
    isPodTerminationRequested: (uid) => podLives.isPodTerminationRequested(uid),
    shouldPodContentBeRemoved: (uid) => podLives.shouldPodContentBeRemoved(uid),
    shouldPodRuntimeBeRemoved: (uid) => podLives.shouldPodRuntimeBeRemoved(uid),
  };
};
