/** Starts one container of a sync, after its back-off. Upstream: the start helper in SyncPod (v1.36 and v1.20). */
import { asError, errorText } from '@podscope/base';
import type { Container, EphemeralContainer } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { containerEvent } from '../container/container-event.ts';
import { doBackOff } from '../container/do-back-off.ts';
import { startContainer } from '../container/start-container.ts';
import type { ImageVolumes } from '../helper/mounts.ts';
import type { PodSync } from '../runtime-dependencies.ts';
import { ActionError } from './action-error.ts';
import { reportSyncResult } from './report-sync-result.ts';

/**
 * Starts a container unless it is in back-off. Returns undefined if it started, otherwise the error. The result of the
 * sync contains the error, too.
 */
export async function start(
  ctx: Context,
  sync: PodSync,
  container: Container | EphemeralContainer,
): Promise<ActionError | undefined> {
  const { dependencies, pod, podStatus, pullSecrets, podIPs, sandboxID, sandboxConfig, backOff } = sync;
  const result = sync.result.add('StartContainer', container.name);
  const begun = ctx.clock.now();
  try {
    if (!sandboxConfig) throw new Error(`no sandbox configuration to start container ${container.name} in`);
    await doBackOff(ctx, dependencies, pod, container, podStatus, backOff);
    const imageVolumes = imageVolumesOf(ctx, sync, container);
    await startContainer(ctx, dependencies, {
      sandboxID,
      sandboxConfig,
      pod,
      container,
      podStatus,
      pullSecrets,
      podIPs,
      imageVolumes,
    });
    return undefined;
  } catch (error) {
    const failure = error instanceof ActionError ? error : new ActionError(asError(error), errorText(error));
    result.fail(failure.error, failure.message);
    return failure;
  } finally {
    reportSyncResult(ctx, result, begun);
  }
}

/**
 * Returns the image volumes that the container mounts.
 * @throws ActionError when an image couldn't be pulled
 */
function imageVolumesOf(
  ctx: Context,
  { dependencies, pod, imageVolumes }: PodSync,
  container: Container,
): ImageVolumes {
  const volumes: Record<string, ImageVolumes[string]> = {};
  let failure: ActionError | undefined;
  for (const { name } of container.volumeMounts ?? []) {
    const volume = imageVolumes.get(name);
    if (!volume) continue;
    if ('failure' in volume) {
      failure = volume.failure;
      containerEvent(ctx, dependencies, pod, container, '', 'Warning', 'Failed', `Error: ${failure.reason}`);
    } else volumes[name] = volume;
  }
  if (failure) throw failure;
  return volumes;
}
