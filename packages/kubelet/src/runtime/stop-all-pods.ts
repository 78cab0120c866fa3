/** Stops and removes all pods at the end of a run that keeps no pods. Has no upstream counterpart. */
import type { Pod } from '@podscope/k8s';
import type { GCPolicy, Runtime } from '@podscope/kuberuntime';
import { type Context, sleep, withTimeout } from '@podscope/trace';

const defaultGraceSeconds = 10;

/**
 * How much longer than its grace period a pod may take to stop, in ms. The limit keeps a hanging runtime from blocking
 * the exit.
 */
const stopAllowance = 20_000;

/** Everything is removed: also a container that is newer than this clock, because a remote runtime has its own. */
const removeAll: GCPolicy = { minAge: Number.NEGATIVE_INFINITY, maxPerPodContainer: 0, maxContainers: 0 };

/** How often the removal is tried, because a runtime refuses it while a container is busy. */
const removalAttempts = 5;
/** The pause between two attempts, in ms. */
const removalPause = 1000;

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
    await removeContainers(ctx, runtime, failures.length === 0 ? removalAttempts : 1);
  } catch (error) {
    failures.push(error);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `could not stop all pods: ${failures.map(String).join('; ')}`);
}

/** Warns of the pods whose containers or sandboxes are left at the end. The collection has logged the reasons. */
async function removeContainers(ctx: Context, runtime: Runtime, attempts: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await runtime.garbageCollect(ctx, removeAll, true, true);
    const left = await runtime.getPods(ctx, true);
    if (left.length === 0) return;
    if (attempt === attempts) {
      const names = left.map(({ name, namespace }) => `${namespace}/${name}`).join(', ');
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Containers are left of the pods ${names}.` });
      return;
    }
    await sleep(ctx.clock, removalPause, ctx.signal);
  }
}
