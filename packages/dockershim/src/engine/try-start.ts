/** Probes the engine with temporary containers, because only a start shows what it allows. */
import { randomUUID } from 'node:crypto';
import { asError } from '@podscope/base';
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../objects/labels.ts';

interface Trial {
  /** Name of the probe, stored in the container's label. */
  readonly probe: string;
  /** The owner of the container. */
  readonly instance: string;
  /** The sandbox image; its pause program has no effects. */
  readonly image: string;
  readonly hostConfig: Omit<ContainerCreateBody['HostConfig'], 'NetworkMode'>;
}

/**
 * Starts a container without a network and removes it.
 * @returns the start's error; undefined if it started
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

/** Removes probe containers that a crashed process left. */
export async function removeTrials(ctx: Context, docker: DockerClient, instance: string): Promise<void> {
  const label = [labelKeys.probe, `${labelKeys.instance}=${instance}`];
  for (const { Id } of await docker.listContainers(ctx, { all: true, filters: { label } })) {
    await docker.removeContainer(ctx, { id: Id, force: true }).catch(() => undefined);
  }
}
