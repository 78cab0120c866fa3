/**
 * Reads files of images. The engine exports only files of containers, so this module creates a container that is never
 * started.
 */
import { randomUUID } from 'node:crypto';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../objects/labels.ts';

/** Creates a temporary container of the image, calls `use` with its id, and removes the container. */
export async function withImageContainer<T>(
  ctx: Context,
  docker: DockerClient,
  { imageId, instance }: { readonly imageId: string; readonly instance: string },
  use: (containerId: string) => Promise<T>,
): Promise<T> {
  // Without a command in the request, the engine rejects an image that defines no command.
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
