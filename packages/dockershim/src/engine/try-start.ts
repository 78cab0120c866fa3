/** Starts temporary containers to find out what an engine allows, because no call of its API reports this. */
import { randomUUID } from 'node:crypto';
import { asError } from '@podscope/base';
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../objects/labels.ts';

interface Trial {
  /** The name of the probe. It is stored in a label of the container. */
  readonly probe: string;
  /** The instance that owns the container. */
  readonly instance: string;
  /** The image of the sandboxes. Its pause program has no effects. */
  readonly image: string;
  readonly hostConfig: Omit<ContainerCreateBody['HostConfig'], 'NetworkMode'>;
}

/**
 * Starts a container without a network and removes it.
 * @returns the error of the start; undefined if the container started
 */
export async function tryStart(
  ctx: Context,
  docker: DockerClient,
  { probe, instance, image, hostConfig }: Trial,
): Promise<Error | undefined> {
  const body: ContainerCreateBody = {
    Image: image,
    Labels: { [labelKeys.probe]: probe, [labelKeys.instance]: instance },
    HostConfig: { NetworkMode: 'none', ...hostConfig },
  };
  const { Id: id } = await docker.createContainer(ctx, { name: `podscope_probe_${randomUUID()}`, body });
  try {
    await docker.startContainer(ctx, { id });
    return undefined;
  } catch (error) {
    return asError(error);
  } finally {
    await docker.removeContainer(ctx, { id, force: true }).catch(() => undefined);
  }
}

/** Removes the probe containers that a crashed process left behind. */
export async function removeTrials(ctx: Context, docker: DockerClient, instance: string): Promise<void> {
  const label = [labelKeys.probe, `${labelKeys.instance}=${instance}`];
  for (const { Id } of await docker.listContainers(ctx, { all: true, filters: { label } })) {
    await docker.removeContainer(ctx, { id: Id, force: true }).catch(() => undefined);
  }
}
