/** Pulls the images that a pod mounts as volumes. Upstream: kuberuntime_manager.go getImageVolumes (v1.36). */
import { errorText } from '@podscope/base';
import { kuberuntimePoints } from '@podscope/flow';
import type { Context } from '@podscope/trace';
import type { PodSync } from '../runtime-dependencies.ts';
import { ActionError } from './action-error.ts';
import type { ImageVolume } from './image-volume.ts';

/** Pulls missing images. A failure affects only the containers that mount the image. */
export async function ensureImageVolumes(ctx: Context, sync: PodSync): Promise<void> {
  const { dependencies, pod, pullSecrets, sandboxConfig } = sync;
  const volumes = new Map<string, ImageVolume>();
  for (const { name, image } of pod.spec.volumes ?? []) {
    if (!image || !sandboxConfig) continue;
    const reference = image.reference ?? '';
    const request = {
      pod,
      container: undefined,
      image: reference,
      pullPolicy: image.pullPolicy,
      pullSecrets,
      sandboxConfig,
    };
    try {
      const ref = await ctx.tracer.span(
        ctx,
        kuberuntimePoints.ensureImageExists,
        { volume: name, image: reference, pullPolicy: image.pullPolicy },
        (inner) => dependencies.profile.ensureImage(inner, dependencies.imageManager, request),
      );
      volumes.set(name, { image: ref, userSpecifiedImage: reference });
    } catch (error) {
      volumes.set(name, {
        failure: error instanceof ActionError ? error : new ActionError(new Error(errorText(error)), errorText(error)),
      });
    }
  }
  sync.imageVolumes = volumes;
}
