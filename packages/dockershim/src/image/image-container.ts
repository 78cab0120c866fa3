/** Looking into an image: the engine gives out files of containers only, so one is made of it that is never started. */
import { randomUUID } from 'node:crypto';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../labels.ts';

/** Calls `use` with the id of a throw-away container of the image. */
export async function withImageContainer<T>(
  docker: DockerClient,
  ctx: Context,
  { imageId, instance }: { readonly imageId: string; readonly instance: string },
  use: (containerId: string) => Promise<T>,
): Promise<T> {
  // A command is needed for images that have none.
  const body = { Image: imageId, Cmd: ['/'], Labels: { [labelKeys.probe]: 'image-files', [labelKeys.instance]: instance }, HostConfig: {} };
  const { Id: id } = await docker.createContainer(ctx, { name: `podscope_image_${randomUUID()}`, body });
  try {
    return await use(id);
  } finally {
    await docker.removeContainer(withoutCancel(ctx), { id, force: true });
  }
}
