/**
 * Removes the cgroups of pods that are gone.
 * Upstream: cleanupOrphanedPodCgroups (pkg/kubelet/kubelet_pods.go, v1.36 and v1.20).
 */
import { errorText } from '@podscope/base';
import type { Context } from '@podscope/trace';
import type { Cleanup } from './cleanup.ts';
import type { PodHandlerDependencies } from './dependencies.ts';

type CgroupDependencies = Pick<PodHandlerDependencies, 'orphanedDirectories' | 'podContainers' | 'tasks'>;

/**
 * Returns the removals of cgroups. A pod with volumes keeps its cgroup, with the smallest CPU weight, until they are
 * unmounted.
 * @param cgroups paths of the cgroups by pod UID
 */
export async function cgroupCleanups(
  dependencies: CgroupDependencies,
  cgroups: readonly (readonly [uid: string, path: string])[],
): Promise<readonly Cleanup[]> {
  const { orphanedDirectories, podContainers, tasks } = dependencies;
  const cleanups: Cleanup[] = [];
  for (const [uid, path] of cgroups) {
    if (!(await orphanedDirectories.podVolumesExist(uid))) {
      // Removing a cgroup waits for its processes to die, so it runs in the background. If it fails, the next
      // housekeeping retries it.
      const run = (ctx: Context): void => tasks.start(() => destroy(ctx, dependencies, path));
      cleanups.push({ what: `cgroup of pod ${uid}`, run });
    } else if (!podContainers.isReduced(path)) {
      cleanups.push({ what: `cgroup of pod ${uid} with volumes`, run: () => podContainers.reduceCPULimits(path) });
    }
  }
  return cleanups;
}

async function destroy(ctx: Context, { podContainers }: CgroupDependencies, path: string): Promise<void> {
  try {
    await podContainers.destroy(path);
  } catch (error) {
    const message = `cgroup ${path} can't be removed: ${errorText(error)}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}
