/**
 * Stops all containers and sandboxes of a pod. Upstream: kuberuntime_manager.go killPodWithSyncResult (v1.36 and
 * v1.20).
 */
import { errorText } from '@podscope/base';
import { isCriError } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { RuntimePod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { reportSyncResult } from '../sync/report-sync-result.ts';
import { PodSyncResult, SyncError, SyncResult } from '../sync/sync-result.ts';
import { killContainer } from './kill-container.ts';
import { terminationOrderOf } from './termination-order.ts';

/**
 * Stops the containers of `runningPod` in parallel, then its sandboxes one by one. Never rejects: errors are in the
 * result.
 * @param pod undefined if the pod no longer exists in the API
 */
export async function killPodWithSyncResult(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod | undefined,
  runningPod: RuntimePod,
  gracePeriodOverride: number | undefined,
): Promise<PodSyncResult> {
  const result = new PodSyncResult();
  const running = new Set(runningPod.containers.map(({ name }) => name));
  const order = pod && dependencies.profile.ordersTermination ? terminationOrderOf(pod, running) : undefined;
  await Promise.all(
    runningPod.containers.map(async ({ id, name }) => {
      const start = ctx.clock.now();
      const killed = new SyncResult('KillContainer', name);
      try {
        await killContainer(ctx, dependencies, {
          pod,
          id,
          name,
          message: '',
          reason: 'Unknown',
          gracePeriodOverride,
          order,
        });
      } catch (error) {
        killed.fail(new SyncError('KillContainerError', { cause: error }), errorText(error));
      }
      result.syncResults.push(killed);
      reportSyncResult(ctx, killed, start);
    }),
  );
  const start = ctx.clock.now();
  const sandboxes = result.add('KillPodSandbox', runningPod.id);
  for (const { id } of runningPod.sandboxes) {
    try {
      await dependencies.runtime.stopPodSandbox(ctx, { podSandboxId: id.id });
    } catch (error) {
      if (dependencies.profile.notFoundIsStopped && isCriError(error, 'NotFound')) continue;
      sandboxes.fail(new SyncError('KillPodSandboxError', { cause: error }), errorText(error));
    }
  }
  reportSyncResult(ctx, sandboxes, start);
  return result;
}
