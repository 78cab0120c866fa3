/** Stops and removes all pods at the end of a run that keeps no pods. Has no upstream counterpart. */
import type { Pod } from '@podscope/k8s';
import type { Runtime } from '@podscope/kuberuntime';
import { type Context, withTimeout } from '@podscope/trace';

const defaultGraceSeconds = 10;

/**
 * How much longer than its grace period a pod may take to stop, in ms. The limit keeps a hanging runtime from blocking
 * the exit.
 */
const stopAllowance = 20_000;

/**
 * Stops all pods of this node in parallel, each with its own grace period but at most `graceSeconds`, then removes
 * their containers and sandboxes. A pod that can't be stopped doesn't block the others.
 * @throws AggregateError that names the pods that couldn't be stopped
 */
export async function stopAllPods(
  ctx: Context,
  runtime: Runtime,
  podByUID: (uid: string) => Pod | undefined,
  graceSeconds: number = defaultGraceSeconds,
): Promise<void> {
  const running = await runtime.getPods(ctx, true);
  const stopped = await Promise.allSettled(
    running.map((runtimePod) => {
      const pod = podByUID(runtimePod.id);
      const own = pod?.metadata.deletionGracePeriodSeconds ?? pod?.spec.terminationGracePeriodSeconds ?? graceSeconds;
      const containers = runtimePod.containers.filter(({ state }) => state === 'running');
      const grace = Math.min(own, graceSeconds);
      return withTimeout(ctx, grace * 1000 + stopAllowance, (bounded) =>
        runtime.killPod(bounded, pod, { ...runtimePod, containers }, grace),
      );
    }),
  );
  const failures = stopped.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
  try {
    await runtime.garbageCollect(ctx, { minAge: 0, maxPerPodContainer: 0, maxContainers: 0 }, true, true);
  } catch (error) {
    failures.push(error);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `could not stop all pods: ${failures.map(String).join('; ')}`);
}
