/** Throw-away containers that find out what an engine allows: nobody but a start can tell. */
import { randomUUID } from 'node:crypto';
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../labels.ts';

interface Trial {
  /** What is found out; the container's label says it. */
  readonly probe: string;
  /** Whose container it is. */
  readonly instance: string;
  /** Its pause program harms nobody. */
  readonly image: string;
  readonly hostConfig: Omit<ContainerCreateBody['HostConfig'], 'NetworkMode'>;
}

/** Starts a container without a network and removes it. @returns what kept it from starting; undefined when it started */
export async function tryStart(docker: DockerClient, ctx: Context, { probe, instance, image, hostConfig }: Trial): Promise<Error | undefined> {
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
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await docker.removeContainer(ctx, { id, force: true }).catch(() => undefined);
  }
}

/** Removes what trials of a crashed process left behind. */
export async function removeTrials(docker: DockerClient, ctx: Context, instance: string): Promise<void> {
  const label = [labelKeys.probe, `${labelKeys.instance}=${instance}`];
  for (const { Id } of await docker.listContainers(ctx, { all: true, filters: { label } })) {
    await docker.removeContainer(ctx, { id: Id, force: true }).catch(() => undefined);
  }
}
