/** Image volumes of a container that is created. */
import { CriError, type Mount } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { findImage } from '../image/find-image.ts';
import type { Shim } from '../shim.ts';
import { canMountImages } from './mounts.ts';

const pathOutside = /(^|\/)\.\.(\/|$)/;

/**
 * The mounts with each image volume in a form that the engine takes: a directory of ours where it is on this machine, as Docker's own image
 * mounts (since Docker 28) take an image once in a container only, and tell a path that is not in it at the start.
 * @throws CriError NotFound for an image that is not here, InvalidArgument for a mount that cannot be, FailedPrecondition where images cannot be mounted.
 */
export async function resolveImageMounts(shim: Shim, ctx: Context, mounts: readonly Mount[] = []): Promise<Mount[]> {
  return Promise.all(
    mounts.map(async (mount) => {
      const name = mount.image?.imageRef || mount.image?.image;
      if (!name) return mount;
      if (!mount.readonly) throw new CriError('InvalidArgument', `image volume ${goQuote(name)} at ${mount.containerPath} must be mounted read-only`);
      if (pathOutside.test(mount.imageSubPath ?? ''))
        throw new CriError('InvalidArgument', `image sub-path ${goQuote(mount.imageSubPath ?? '')} leads out of the image`);
      const image = await findImage(shim, ctx, name);
      if (!image) throw new CriError('NotFound', `ImageVolumeMountFailed: no such image: ${name}`);
      if (shim.engine.isLocal) {
        const hostPath = await shim.imageVolumes.path(ctx, image.Id, mount.imageSubPath);
        return { containerPath: mount.containerPath, hostPath, readonly: true };
      }
      if (canMountImages(shim.docker.apiVersion)) return { ...mount, image: { image: image.Id } };
      const text = `ImageVolumeMountFailed: image volume ${goQuote(name)} at ${mount.containerPath}: this engine mounts no images (Docker 28 does), and it is not on this machine`;
      throw new CriError('FailedPrecondition', text);
    }),
  );
}
