/**
 * Removes workers, running pods, volumes, directories, mirror pods and cgroups that belong to no active pod. Upstream:
 * HandlePodCleanups (pkg/kubelet/kubelet_pods.go, v1.20).
 */
import { kubeletPoints } from '@podscope/flow';
import { type Pod, podFullName } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { withoutTracing } from '../../util/without-tracing.ts';
import type { Cleanup } from '../cleanup.ts';
import { cgroupCleanups } from '../orphaned-cgroups.ts';
import type { PodHandlerDependenciesV120 } from './dependencies.ts';

/** Finds leftovers and removes them; emits a span only if there are any. */
export async function handlePodCleanupsV120(ctx: Context, dependencies: PodHandlerDependenciesV120): Promise<void> {
  const { podContainers, podStates, podManager, podWorkers, probeManager, statusManager, runtimeCache } = dependencies;
  const cgroups = await podContainers.pods();
  const active = podStates.activePods();
  const desired = new Set(active.map(({ metadata }) => metadata.uid));
  podWorkers.forgetNonExistingPodWorkers(desired);
  probeManager.cleanupPods(desired);
  // Orphans are found among the running pods, so a failed list ends the cleanup.
  const cached = await runtimeCache.getPods(ctx);
  const kills = cached
    .filter(({ id }) => !desired.has(id))
    .map(
      (pod): Cleanup => ({
        what: `unwanted pod ${pod.name}`,
        run: (inner) => dependencies.podKiller.killPod(inner, undefined, pod),
      }),
    );
  statusManager.removeOrphanedStatuses(podManager.allUIDs());
  const running = new Set((await dependencies.runtime.getPods(withoutTracing(ctx), false)).map(({ id }) => id));
  removeDeletedPods(dependencies, running);
  const cleanups = [
    ...kills,
    ...(await dependencies.orphanedDirectories.cleanups(new Set([...podManager.allUIDs(), ...running]))),
    ...orphanedMirrorPods(dependencies),
    ...(await orphanedCgroups(dependencies, cgroups, active)),
  ];
  dependencies.collectBackOffs();
  if (cleanups.length === 0) return;
  await ctx.tracer.span(
    ctx,
    kubeletPoints.handlePodCleanups,
    { cleanups: cleanups.map(({ what }) => what) },
    async (inner) => {
      for (const { run } of cleanups) await run(inner);
    },
  );
}

/**
 * Allows the volumes of deleted or terminated pods to be unmounted once no container of the pod runs. Upstream:
 * findAndRemoveDeletedPods.
 */
function removeDeletedPods(
  { volumeManager, podManager, podStates }: PodHandlerDependenciesV120,
  running: ReadonlySet<string>,
): void {
  volumeManager.removeDeletedPods((uid) => {
    const pod = podManager.getPodByUID(uid);
    return (!pod || podStates.isTerminated(pod)) && !running.has(uid);
  });
}

/** Returns the removals of mirror pods that have no static pod. Upstream: deleteOrphanedMirrorPods. */
const orphanedMirrorPods = ({ podManager, podKiller, mirrorPods }: PodHandlerDependenciesV120): readonly Cleanup[] =>
  podManager
    .orphanedMirrorPods()
    .filter((pod) => !podKiller.isMirrorPodPendingTerminationByPodName(podFullName(pod)))
    .map((pod) => ({ what: `mirror pod ${pod.metadata.name}`, run: () => mirrorPods.delete(pod) }));

/** Returns the removals of cgroups of inactive pods. Their processes are killed even during a grace period. */
function orphanedCgroups(
  dependencies: PodHandlerDependenciesV120,
  cgroups: ReadonlyMap<string, string>,
  active: readonly Pod[],
): Promise<readonly Cleanup[]> {
  const { podKiller } = dependencies;
  const wanted = new Set(active.map(({ metadata }) => metadata.uid));
  const inactive = [...cgroups].filter(
    ([uid]) => !wanted.has(uid) && !podKiller.isMirrorPodPendingTerminationByUID(uid),
  );
  return cgroupCleanups(dependencies, inactive);
}
