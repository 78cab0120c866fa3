/** Puts dockershim together. */
import { join } from 'node:path';
import { type ContainerRuntime, CriError } from '@podscope/cri';
import { StreamingServer } from '@podscope/streaming';
import { type Context, withoutCancel, withThread } from '@podscope/trace';
import { openCheckpointStore } from './checkpoint/store.ts';
import { ProcessUsers } from './container/process-user.ts';
import { Deviations } from './deviations.ts';
import { connectDocker } from './docker/dockerode-client.ts';
import { dockerEndpoint } from './docker/endpoint.ts';
import { isNotFound, responseError } from './docker/error.ts';
import { instrumentDocker } from './docker/instrumented.ts';
import type { DockerClient } from './docker/port.ts';
import { Capabilities } from './engine/capabilities.ts';
import { discoverEngine } from './engine/facts.ts';
import { OomScores } from './engine/oom-scores.ts';
import { removeTrials } from './engine/try-start.ts';
import { ImageNames } from './image/image-names.ts';
import { ImageUsers } from './image/image-users.ts';
import { ImageVolumes } from './image/image-volumes.ts';
import { DockershimImageService } from './image-service.ts';
import { containerLogs } from './logs/container-logs.ts';
import { LogWriters } from './logs/log-writers.ts';
import { chooseNetworkPlugin } from './network/choose-plugin.ts';
import type { NetworkPlugin } from './network/plugin.ts';
import { managePlugin } from './network/plugin-manager.ts';
import { type DockershimOptions, resolveOptions } from './options.ts';
import { OwnedObjects } from './owned-objects.ts';
import { dockershimPoints } from './points.ts';
import { DockershimRuntimeService } from './runtime-service.ts';
import { StartingSandboxes } from './sandbox/starting-sandboxes.ts';
import type { Shim } from './shim.ts';
import { dockerStreams } from './streams/docker-streams.ts';
import { servicesV120 } from './v1-20/services.ts';

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

/** The same over a client that is there. @param network how pods are connected; as the options say when left out. */
export async function dockershimOver(ctx: Context, client: DockerClient, options: DockershimOptions, network?: NetworkPlugin): Promise<ContainerRuntime> {
  const resolved = resolveOptions(options);
  const docker = instrumentDocker(client);
  const deviations = new Deviations();
  const objects = new OwnedObjects(docker, resolved.instance);
  const checkpoints = await openCheckpointStore(join(resolved.stateDirectory, 'sandbox'));
  const startingSandboxes = await StartingSandboxes.open(join(resolved.stateDirectory, 'starting'));
  const engine = await discoverEngine(ctx, docker);
  const plugin = network ?? (await chooseNetworkPlugin(ctx, { docker, checkpoints, engine, deviations, options: resolved }));
  const shim: Shim = {
    docker,
    options: resolved,
    checkpoints,
    network: managePlugin(plugin),
    networkStates: new Map(),
    startingSandboxes,
    objects,
    engine,
    oomScores: new OomScores(docker, deviations, resolved.instance),
    capabilities: new Capabilities(docker, deviations, resolved.instance),
    imageNames: new ImageNames(docker),
    imageUsers: new ImageUsers(docker, resolved.instance),
    processUsers: new ProcessUsers(engine),
    imageVolumes: new ImageVolumes(docker, join(resolved.stateDirectory, 'image-volumes'), resolved.instance),
    deviations,
    cgroupSettings: new Map(),
    // Following a log is no step of anybody's: it goes by the bare client, which makes no spans.
    logWriters: new LogWriters(ctx, {
      docker: client,
      objects: new OwnedObjects(client, resolved.instance),
      deviations,
      directory: join(resolved.stateDirectory, 'logs'),
      isEnabled: resolved.logFiles && resolved.release !== 'v1.20',
    }),
  };
  if (!shim.engine.hasLocalFiles) {
    deviations.record(ctx, "The engine's files cannot be reached from here: it writes resolv.conf itself, and host paths of mounts are paths on its machine.");
  }
  await forgetLost(shim, ctx);
  await removeTrials(docker, ctx, resolved.instance);
  shim.logWriters.resume();
  const streams = dockerStreams(shim);
  const streamingServer = new StreamingServer(withThread(withoutCancel(ctx), 'streaming'), streams, resolved.streaming);
  return {
    name: 'docker',
    ...(resolved.release === 'v1.20'
      ? servicesV120(shim, streamingServer)
      : { runtime: new DockershimRuntimeService(shim, streamingServer), images: new DockershimImageService(shim) }),
    logs: { containerLogs: (logCtx, containerId, logOptions) => containerLogs(shim, logCtx, containerId, logOptions) },
    deviations: () => deviations.list(),
    points: dockershimPoints,
    failures: {
      docker: (status, message) => responseError(status, message),
      cni: (_code, message, details) => new CriError('Unknown', details ? `${message}; ${details}` : message),
    },
    streams,
    async close() {
      await Promise.all([streamingServer.close(), shim.logWriters.close()]);
      docker.close();
    },
  };
}

/** Of a sandbox that was not finished, and that somebody has removed since, nothing is left to know. */
async function forgetLost({ objects, startingSandboxes }: Shim, ctx: Context): Promise<void> {
  for (const id of startingSandboxes.all) {
    await objects.inspect(ctx, id, 'podsandbox').catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await startingSandboxes.end(id);
    });
  }
}
