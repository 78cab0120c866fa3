/** Replaces the image volumes of a new container by mounts that the engine accepts. */
import { CriError, type Mount } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../../dependencies.ts';
import { findImage } from '../../image/find-image.ts';
import { canMountImages } from './mounts.ts';

const pathOutside = /(^|\/)\.\.(\/|$)/;

/**
 * Returns the mounts, with each image volume in a form that the engine accepts. If the engine runs on this machine, the
 * form is a bind mount of a directory with the unpacked image. Docker's own image mounts (since Docker 28) allow an
 * image only once per container, and report a missing sub-path only at the start.
 * @throws CriError NotFound for a missing image, InvalidArgument for an invalid mount, FailedPrecondition if images
 * can't be mounted
 */
export async function resolveImageMounts(
  ctx: Context,
  dependencies: DockershimDependencies,
  mounts: readonly Mount[] = [],
): Promise<Mount[]> {
  return Promise.all(
    mounts.map(async (mount) => {
      const name = mount.image?.imageRef || mount.image?.image;
      if (!name) return mount;
      if (!mount.readonly)
        throw new CriError(
          'InvalidArgument',
          `image volume ${goQuote(name)} at ${mount.containerPath} must be mounted read-only`,
        );
      if (pathOutside.test(mount.imageSubPath ?? ''))
        throw new CriError(
          'InvalidArgument',
          `image sub-path ${goQuote(mount.imageSubPath ?? '')} leads out of the image`,
        );
      const image = await findImage(ctx, dependencies, name);
      if (!image) throw new CriError('NotFound', `ImageVolumeMountFailed: no such image: ${name}`);
      if (dependencies.engine.isLocal) {
        const hostPath = await dependencies.imageVolumes.path(ctx, image.Id, mount.imageSubPath);
        return { containerPath: mount.containerPath, hostPath, readonly: true };
      }
      if (canMountImages(dependencies.docker.apiVersion)) return { ...mount, image: { image: image.Id } };
      const text =
        `ImageVolumeMountFailed: image volume ${goQuote(name)} at ${mount.containerPath}: this engine mounts no ` +
        'images (Docker 28 does), and it is not on this machine';
      throw new CriError('FailedPrecondition', text);
    }),
  );
}
