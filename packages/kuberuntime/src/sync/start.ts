/** Starts one container of a sync, after its back-off. Upstream: the start helper in SyncPod (v1.36 and v1.20). */
import type { Container, EphemeralContainer } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { ActionError } from '../action-error.ts';
import { containerEvent } from '../container/container-event.ts';
import { doBackOff } from '../container/do-back-off.ts';
import { startContainer } from '../container/start-container.ts';
import type { ImageVolumes } from '../helper/mounts.ts';
import { errorText } from '../util/errors.ts';
import type { PodSync } from './step.ts';
import { tellSyncResult } from './tell-sync-result.ts';

/** Undefined when it started; else why not, which is in the result of the sync too. */
export async function start(ctx: Context, sync: PodSync, container: Container | EphemeralContainer): Promise<ActionError | undefined> {
  const { parts, pod, podStatus, pullSecrets, podIPs, sandboxID, sandboxConfig, backOff } = sync;
  const result = sync.result.add('StartContainer', container.name);
  const begun = ctx.clock.now();
  try {
    if (!sandboxConfig) throw new Error(`no sandbox configuration to start container ${container.name} in`);
    await doBackOff(ctx, parts, pod, container, podStatus, backOff);
    const imageVolumes = imageVolumesOf(ctx, sync, container);
    await startContainer(ctx, parts, { sandboxID, sandboxConfig, pod, container, podStatus, pullSecrets, podIPs, imageVolumes });
    return undefined;
  } catch (error) {
    const failure = error instanceof ActionError ? error : new ActionError(error instanceof Error ? error : new Error(String(error)), errorText(error));
    result.fail(failure.error, failure.message);
    return failure;
  } finally {
    tellSyncResult(ctx, result, begun);
  }
}

/** @throws ActionError when an image that the container mounts could not be had */
function imageVolumesOf(ctx: Context, { parts, pod, imageVolumes }: PodSync, container: Container): ImageVolumes {
  const volumes: Record<string, ImageVolumes[string]> = {};
  let failure: ActionError | undefined;
  for (const { name } of container.volumeMounts ?? []) {
    const volume = imageVolumes.get(name);
    if (!volume) continue;
    if ('failure' in volume) {
      failure = volume.failure;
      containerEvent(ctx, parts, pod, container, '', 'Warning', 'Failed', `Error: ${failure.reason}`);
    } else volumes[name] = volume;
  }
  if (failure) throw failure;
  return volumes;
}
