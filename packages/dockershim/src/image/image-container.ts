/** Reads files of images. The engine only exports files of containers, so a container is created and never started. */
import { randomUUID } from 'node:crypto';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../objects/labels.ts';

/** Calls `use` with the id of a temporary container of the image and removes it afterwards. */
export async function withImageContainer<T>(
  ctx: Context,
  docker: DockerClient,
  { imageId, instance }: { readonly imageId: string; readonly instance: string },
  use: (containerId: string) => Promise<T>,
): Promise<T> {
  // The engine requires a command if the image doesn't define one.
  const body = {
    Image: imageId,
    Cmd: ['/'],
    Labels: { [labelKeys.probe]: 'image-files', [labelKeys.instance]: instance },
    HostConfig: {},
  };
  const { Id: id } = await docker.createContainer(ctx, { name: `podscope_image_${randomUUID()}`, body });
  try {
    return await use(id);
  } finally {
    await docker.removeContainer(withoutCancel(ctx), { id, force: true });
  }
}
