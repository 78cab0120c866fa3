/** Releases the node's resources of a stopped pod. Upstream: Kubelet.SyncTerminatedPod (v1.36). */
import { kubeletPoints, syncTerminatedPodPoints as steps } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import type { PodStatus } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { podCgroup } from './common-steps.ts';
import type { SyncPodDependencies } from './dependencies.ts';

/**
 * Stores the last status, waits until the volumes are unmounted, removes the cgroup, and permits the removal of the API
 * object.
 * @throws Error when a resource couldn't be released; the worker then retries
 */
export function syncTerminatedPod(
  ctx: Context,
  dependencies: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
): Promise<void> {
  const { statusManager, volumeManager } = dependencies;
  return ctx.tracer.span(ctx, kubeletPoints.syncTerminatedPod, {}, async (inner) => {
    await inner.tracer.span(inner, steps.generateAPIPodStatus, { podStatus }, async (step) => {
      const cgroup = await podCgroup(step, dependencies, pod);
      const status = dependencies.generateStatus(step, pod, podStatus, true, cgroup);
      step.span.set({ status });
      statusManager.setPodStatus(step, pod, status);
    });
    await inner.tracer.span(inner, steps.waitForUnmount, {}, (step) => volumeManager.waitForUnmount(step, pod));
    const path = dependencies.podContainers.path(pod);
    await inner.tracer.span(inner, steps.destroyPodCgroup, { path }, () => dependencies.podContainers.destroy(path));
    await inner.tracer.span(inner, steps.terminatePod, {}, (step) => statusManager.terminatePod(step, pod));
  });
}
