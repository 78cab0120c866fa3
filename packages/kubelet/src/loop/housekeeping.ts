/**
 * Removes workers, directories, mirror pods, running pods and cgroups that belong to no known pod. Upstream:
 * HandlePodCleanups (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import { kubeletPoints } from '@podscope/flow';
import { isStaticPod, type Pod, podFullName } from '@podscope/k8s';
import type { RuntimePod } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { isTerminalPhase } from '../status/manager/merge-pod-status.ts';
import { withoutTracing } from '../util/without-tracing.ts';
import type { Cleanup } from './cleanup.ts';
import type { PodHandlerDependencies } from './dependencies.ts';
import { activePods } from './handlers.ts';
import { cgroupCleanups } from './orphaned-cgroups.ts';

/** Finds leftovers and removes them; emits a span only if there are any. */
export async function handlePodCleanups(ctx: Context, dependencies: PodHandlerDependencies): Promise<void> {
  const { podManager, podWorkers, probeManager, statusManager, resizeConditions, runtime, volumeManager } =
    dependencies;
  const pods = podManager.getPods();
  const workers = podWorkers.syncKnownPods(ctx, pods);
  // Orphans are found among the running pods, so a failed list ends the cleanup.
  const running = await runtime.getPods(withoutTracing(ctx), false);
  const possiblyRunning = new Set([...workers].filter(([, { state }]) => state !== 'terminated').map(([uid]) => uid));
  probeManager.cleanupPods(possiblyRunning);
  const known = podManager.allUIDs();
  statusManager.removeOrphanedStatuses(known);
  resizeConditions.retain(known);
  dependencies.allocation.retain(known);
  volumeManager.removeDeletedPods((uid) => podWorkers.shouldPodRuntimeBeRemoved(uid));
  dependencies.collectBackOffs();

  const cgroups = await dependencies.podContainers.pods();
  const cleanups = [
    ...(await dependencies.orphanedDirectories.cleanups(new Set([...known, ...running.map(({ id }) => id)]))),
    ...orphanedMirrorPods(dependencies),
    ...unknownPods(dependencies, workers, new Set(running.map(({ id }) => id))),
    ...orphanedRuntimePods(dependencies, running, new Set(workers.keys())),
    ...(await orphanedCgroups(dependencies, cgroups, possiblyRunning)),
  ];
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

/** Returns the removals of mirror pods that have no static pod. Upstream: cleanupOrphanedMirrorPods. */
const orphanedMirrorPods = ({ podManager, podWorkers, mirrorPods }: PodHandlerDependencies): readonly Cleanup[] =>
  podManager
    .orphanedMirrorPods()
    .filter((pod) => !podWorkers.isPodForMirrorPodTerminatingByFullName(podFullName(pod)))
    .map((pod) => ({ what: `mirror pod ${pod.metadata.name}`, run: () => mirrorPods.delete(pod) }));

/** Returns the pods that should have a worker and don't have one. */
function unknownPods(
  dependencies: PodHandlerDependencies,
  workers: ReadonlyMap<string, unknown>,
  running: ReadonlySet<string>,
): readonly Cleanup[] {
  const { podManager, podWorkers } = dependencies;
  const start = (pod: Pod, updateType: 'create' | 'kill', what: string): Cleanup => ({
    what: `${what} ${pod.metadata.name}`,
    run: (ctx) =>
      podWorkers.updatePod(ctx, {
        updateType,
        startTime: ctx.clock.now(),
        pod,
        mirrorPod: podManager.getPodAndMirrorPod(pod).mirrorPod,
      }),
  });
  const restarted = activePods(dependencies).filter(({ metadata }) => !workers.has(metadata.uid));
  const deleted = podManager
    .getPods()
    .filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp !== undefined && isTerminalPhase(status?.phase) && !workers.has(metadata.uid),
    )
    .filter(({ metadata }) => !running.has(metadata.uid));
  return [
    ...restarted.map((pod) => start(pod, 'create', isStaticPod(pod) ? 'restarted static pod' : 'restarted pod')),
    ...deleted.map((pod) => start(pod, 'kill', 'rejected pod')),
  ];
}

/** Returns running pods of this node that have no worker. */
const orphanedRuntimePods = (
  { podWorkers }: PodHandlerDependencies,
  running: readonly RuntimePod[],
  workers: ReadonlySet<string>,
): readonly Cleanup[] =>
  running
    .filter(({ id }) => !workers.has(id))
    .map((runningPod) => ({
      what: `orphaned running pod ${runningPod.name}`,
      run: (ctx) =>
        podWorkers.updatePod(ctx, {
          updateType: 'kill',
          startTime: ctx.clock.now(),
          runningPod,
          killPodOptions: { gracePeriodSecondsOverride: 1 },
        }),
    }));

/** Returns the removals of cgroups whose pods can't have running containers. */
const orphanedCgroups = (
  dependencies: PodHandlerDependencies,
  cgroups: ReadonlyMap<string, string>,
  keep: ReadonlySet<string>,
): Promise<readonly Cleanup[]> =>
  cgroupCleanups(
    dependencies,
    [...cgroups].filter(([uid]) => !keep.has(uid)),
  );
