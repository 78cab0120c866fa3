/** Gives back what a stopped pod held on the node. Upstream: Kubelet.SyncTerminatedPod (v1.36). */
import type { Pod } from '@podscope/k8s';
import type { PodStatus } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { podWorkerPoints, syncTerminatedPodSteps as steps } from '../points.ts';
import type { PodSyncParts } from './parts.ts';

/**
 * Records the last status, takes the volumes down and lets the API object go.
 * @throws Error when something could not be given back; the worker tries again.
 */
export function syncTerminatedPod(parts: PodSyncParts, ctx: Context, pod: Pod, podStatus: PodStatus): Promise<void> {
  const { statusManager, volumeManager } = parts;
  return ctx.tracer.span(ctx, podWorkerPoints.syncTerminatedPod, {}, async (inner) => {
    await inner.tracer.span(inner, steps.generateAPIPodStatus, { podStatus }, (step) => {
      const status = parts.generateStatus(step, pod, podStatus, true);
      step.span.set({ status });
      statusManager.setPodStatus(step, pod, status);
    });
    await inner.tracer.span(inner, steps.waitForUnmount, {}, () => volumeManager.tearDown(pod.metadata.uid));
    const path = parts.podContainers.path(pod);
    await inner.tracer.span(inner, steps.destroyPodCgroup, { path }, () => parts.podContainers.destroy(path));
    await inner.tracer.span(inner, steps.terminatePod, {}, (step) => statusManager.terminatePod(step, pod));
  });
}
