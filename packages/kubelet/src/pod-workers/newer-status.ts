/** Reads the pod's status at the start of a worker's sync. Upstream: podCache.GetNewerThan (v1.36 and v1.20). */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { PodStatus } from '@podscope/kuberuntime';
import { type Context, type Instant, isCanceled } from '@podscope/trace';
import type { PodCache } from '../container/pod-cache.ts';

/**
 * Waits for a status that is newer than the end of the last sync.
 * @param report receives the text of the event when the runtime couldn't report the status
 * @throws Error when the runtime couldn't report the status, or when the sync is canceled
 */
export async function getNewerThan(
  ctx: Context,
  cache: PodCache,
  uid: string,
  lastSyncTime: Instant,
  report: (message: string) => void,
): Promise<PodStatus> {
  try {
    const facts = { lastSyncTime: lastSyncTime === 0 ? undefined : lastSyncTime };
    return await ctx.tracer.span(ctx, kubeletPoints.getNewerThan, facts, (step) =>
      cache.getNewerThan(uid, lastSyncTime, step.signal),
    );
  } catch (error) {
    if (!isCanceled(error, ctx.signal)) report(`error determining status: ${errorText(error)}`);
    throw error;
  }
}
