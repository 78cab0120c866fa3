/** Stops all of a pod. Upstream: kuberuntime_manager.go killPodWithSyncResult (v1.36 and v1.20). */
import { isCriError } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { RuntimePod } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { tellSyncResult } from '../sync/tell-sync-result.ts';
import { PodSyncResult, SyncError, SyncResult } from '../sync-result.ts';
import { errorText } from '../util/errors.ts';
import { killContainer } from './kill-container.ts';
import { terminationOrderOf } from './termination-order.ts';

/**
 * Stops every container of `runningPod` at once, then every sandbox one after another. Never throws: failures are in the result.
 * @param pod undefined when it is gone from the API
 */
export async function killPodWithSyncResult(
  ctx: Context,
  parts: RuntimeParts,
  pod: Pod | undefined,
  runningPod: RuntimePod,
  gracePeriodOverride: number | undefined,
): Promise<PodSyncResult> {
  const result = new PodSyncResult();
  const running = new Set(runningPod.containers.map(({ name }) => name));
  const order = pod && parts.profile.ordersTermination ? terminationOrderOf(pod, running) : undefined;
  await Promise.all(
    runningPod.containers.map(async ({ id, name }) => {
      const start = ctx.clock.now();
      const killed = new SyncResult('KillContainer', name);
      try {
        await killContainer(ctx, parts, { pod, id, name, message: '', reason: 'Unknown', gracePeriodOverride, order });
      } catch (error) {
        killed.fail(new SyncError('KillContainerError', { cause: error }), errorText(error));
      }
      result.syncResults.push(killed);
      tellSyncResult(ctx, killed, start);
    }),
  );
  const start = ctx.clock.now();
  const sandboxes = result.add('KillPodSandbox', runningPod.id);
  for (const { id } of runningPod.sandboxes) {
    try {
      await parts.runtime.stopPodSandbox(ctx, { podSandboxId: id.id });
    } catch (error) {
      if (parts.profile.notFoundIsStopped && isCriError(error, 'NotFound')) continue;
      sandboxes.fail(new SyncError('KillPodSandboxError', { cause: error }), errorText(error));
    }
  }
  tellSyncResult(ctx, sandboxes, start);
  return result;
}
