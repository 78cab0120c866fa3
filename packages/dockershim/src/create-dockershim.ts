/** Puts dockershim together. */
import { join } from 'node:path';
import type { ContainerRuntime } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { openCheckpointStore } from './checkpoint/store.ts';
import { Deviations } from './deviations.ts';
import { connectDocker } from './docker/dockerode-client.ts';
import { dockerEndpoint } from './docker/endpoint.ts';
import { instrumentDocker } from './docker/instrumented.ts';
import { responseError } from './docker/error.ts';
import type { DockerClient } from './docker/port.ts';
import { discoverEngine } from './engine/facts.ts';
import { OomScores } from './engine/oom-scores.ts';
import { ImageNames } from './image/image-names.ts';
import { DockershimImageService } from './image-service.ts';
import { containerLogs } from './logs/container-logs.ts';
import { type NetworkPlugin, noopNetworkPlugin } from './network/plugin.ts';
import { type DockershimOptions, resolveOptions } from './options.ts';
import { OwnedObjects } from './owned-objects.ts';
import { dockershimPoints } from './points.ts';
import { DockershimRuntimeService } from './runtime-service.ts';
import type { Shim } from './shim.ts';

/**
 * Connects to a Docker Engine and answers CRI over it, in process.
 * @throws CriError Unavailable when there is no engine, FailedPrecondition when it is too old. Error for options that cannot be.
 */
export async function createDockershim(ctx: Context, options: DockershimOptions): Promise<ContainerRuntime> {
  const endpoint = dockerEndpoint(options.dockerHost, process.env);
  const docker = await connectDocker(ctx, endpoint, resolveOptions(options).requestTimeout);
  try {
    return await dockershimOver(ctx, docker, options);
  } catch (error) {
    docker.close();
    throw error;
  }
}

/** The same over a client that is there. @param network how pods are connected; the engine's bridge when left out. */
export async function dockershimOver(
  ctx: Context,
  client: DockerClient,
  options: DockershimOptions,
  network: NetworkPlugin = noopNetworkPlugin,
): Promise<ContainerRuntime> {
  const resolved = resolveOptions(options);
  const docker = instrumentDocker(client);
  const deviations = new Deviations();
  const shim: Shim = {
    docker,
    options: resolved,
    checkpoints: await openCheckpointStore(join(resolved.stateDirectory, 'sandbox')),
    network,
    networkStates: new Map(),
    objects: new OwnedObjects(docker, resolved.instance),
    engine: await discoverEngine(ctx, docker),
    oomScores: new OomScores(docker, deviations, resolved.instance),
    imageNames: new ImageNames(docker),
    deviations,
  };
  if (!shim.engine.hasLocalFiles) {
    deviations.record(ctx, "The engine's files cannot be reached from here: it writes resolv.conf itself, and host paths of mounts are paths on its machine.");
  }
  await shim.oomScores.removeLeftovers(ctx);
  return {
    name: 'docker',
    runtime: new DockershimRuntimeService(shim),
    images: new DockershimImageService(shim),
    logs: { containerLogs: (logCtx, containerId, logOptions) => containerLogs(shim, logCtx, containerId, logOptions) },
    deviations: () => deviations.list(),
    points: dockershimPoints,
    failures: { docker: (status, message) => responseError(status, message) },
    close: () => Promise.resolve(docker.close()),
  };
}
