/** Brings everything the kubelet holds in line with the pods that should be. Upstream: HandlePodCleanups (pkg/kubelet/kubelet_pods.go, v1.20). */
import { type Pod, podFullName } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { kubeletPoints } from '../../points.ts';
import { errorText } from '../../util/error-text.ts';
import { quiet } from '../../util/quiet.ts';
import type { LoopPartsV120 } from './parts.ts';

/** One thing to clean up. */
interface Cleanup {
  readonly what: string;
  readonly run: (ctx: Context) => void | Promise<void>;
}

/** Looks for leftovers, and tells (as a span) only when there are any. */
export async function handlePodCleanupsV120(parts: LoopPartsV120, ctx: Context): Promise<void> {
  const { podContainers, podLives, podManager, podWorkers, probeManager, statusManager, runtimeCache } = parts;
  const cgroups = await podContainers.pods();
  const active = podLives.activePods();
  const desired = new Set(active.map(({ metadata }) => metadata.uid));
  podWorkers.forgetNonExistingPodWorkers(desired);
  probeManager.cleanupPods(desired);
  // Without knowing what runs nothing can be called an orphan.
  const cached = await runtimeCache.getPods(ctx);
  const kills = cached
    .filter(({ id }) => !desired.has(id))
    .map((pod): Cleanup => ({ what: `unwanted pod ${pod.name}`, run: (inner) => parts.podKiller.killPod(inner, undefined, pod) }));
  statusManager.removeOrphanedStatuses(podManager.allUIDs());
  const running = new Set((await parts.runtime.getPods(quiet(ctx), false)).map(({ id }) => id));
  await tearDownVolumes(parts, ctx, running);
  const cleanups = [...kills, ...(await orphanedDirectories(parts, running)), ...orphanedMirrorPods(parts), ...orphanedCgroups(parts, cgroups, active)];
  parts.collectBackOffs();
  if (cleanups.length === 0) return;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodCleanups, { cleanups: cleanups.map(({ what }) => what) }, async (inner) => {
    for (const { run } of cleanups) await run(inner);
  });
}

/** Volumes of pods that are gone or have ended go once nothing of the pod runs. Upstream: desiredStateOfWorldPopulator.findAndRemoveDeletedPods. */
async function tearDownVolumes({ volumeManager, podManager, podLives }: LoopPartsV120, ctx: Context, running: ReadonlySet<string>): Promise<void> {
  for (const uid of volumeManager.podsWithVolumes()) {
    const pod = podManager.getPodByUID(uid);
    if ((pod && !podLives.isTerminated(pod)) || running.has(uid)) continue;
    try {
      await volumeManager.tearDown(uid);
    } catch (error) {
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Volumes of pod ${uid} can't be taken down: ${errorText(error)}` });
    }
  }
}

/** Upstream: cleanupOrphanedPodDirs. */
async function orphanedDirectories({ directories, podManager, volumeManager }: LoopPartsV120, running: ReadonlySet<string>): Promise<readonly Cleanup[]> {
  const wanted = podManager.allUIDs();
  const orphans = (await directories.listPodsFromDisk()).filter((uid) => !wanted.has(uid) && !running.has(uid) && !volumeManager.hasVolumes(uid));
  return orphans.map((uid) => ({ what: `directory of pod ${uid}`, run: () => directories.removePodDir(uid) }));
}

/** Upstream: deleteOrphanedMirrorPods. */
const orphanedMirrorPods = ({ podManager, podKiller, mirrorPods }: LoopPartsV120): readonly Cleanup[] =>
  podManager
    .orphanedMirrorPods()
    .filter((pod) => !podKiller.isMirrorPodPendingTerminationByPodName(podFullName(pod)))
    .map((pod) => ({ what: `mirror pod ${pod.metadata.name}`, run: () => mirrorPods.delete(pod) }));

/**
 * Cgroups of pods that are not active: their processes are killed, in spite of a grace period that still runs, unless a volume holds the pod.
 * Upstream: cleanupOrphanedPodCgroups (v1.20).
 */
function orphanedCgroups(parts: LoopPartsV120, cgroups: ReadonlyMap<string, string>, active: readonly Pod[]): readonly Cleanup[] {
  const { podContainers, podKiller, volumeManager, tasks } = parts;
  const wanted = new Set(active.map(({ metadata }) => metadata.uid));
  return [...cgroups]
    .filter(([uid]) => !wanted.has(uid) && !podKiller.isMirrorPodPendingTerminationByUID(uid))
    .filter(([uid, path]) => !volumeManager.hasVolumes(uid) || !podContainers.isReduced(path))
    .map(([uid, path]): Cleanup => {
      if (volumeManager.hasVolumes(uid)) return { what: `cgroup of pod ${uid} with volumes`, run: () => podContainers.reduceCPULimits(path) };
      // In the background, as it waits for processes to die; what fails is tried again at the next housekeeping.
      return { what: `cgroup of pod ${uid}`, run: (ctx) => tasks.start(() => destroy(parts, ctx, path)) };
    });
}

async function destroy({ podContainers }: LoopPartsV120, ctx: Context, path: string): Promise<void> {
  try {
    await podContainers.destroy(path);
  } catch (error) {
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `cgroup ${path} can't be removed: ${errorText(error)}` });
  }
}
