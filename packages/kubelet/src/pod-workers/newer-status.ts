/** The first thing of a worker's pass: the pod as the PLEG saw it after the last pass. Upstream: podCache.GetNewerThan (v1.36 and v1.20). */
import type { PodStatus } from '@podscope/kuberuntime';
import { type Context, type Instant, isCanceled } from '@podscope/trace';
import type { PodCache } from '../pod-cache.ts';
import { podWorkerPoints } from '../points.ts';
import { errorText } from '../util/error-text.ts';

/**
 * Waits for a status newer than the end of the pass before.
 * @param tell is told when the runtime could not say what became of the pod
 * @throws Error then, and when the pass is canceled
 */
export async function getNewerThan(ctx: Context, cache: PodCache, uid: string, lastSyncTime: Instant, tell: (message: string) => void): Promise<PodStatus> {
  try {
    const facts = { lastSyncTime: lastSyncTime === 0 ? undefined : lastSyncTime };
    return await ctx.tracer.span(ctx, podWorkerPoints.getNewerThan, facts, (step) => cache.getNewerThan(uid, lastSyncTime, step.signal));
  } catch (error) {
    if (!isCanceled(error, ctx.signal)) tell(`error determining status: ${errorText(error)}`);
    throw error;
  }
}
