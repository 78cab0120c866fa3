/** Creates dockershim with all its dependencies. Upstream: NewDockerService (dockershim docker_service.go, v1.20). */
import { join } from 'node:path';
import { type ContainerRuntime, CriError, type RuntimeFailures } from '@podscope/cri';
import { cniPoints, dockerPoints, engineProbePoints, runPodSandboxPoints } from '@podscope/flow';
import { StreamingServer } from '@podscope/streaming';
import { type Context, type Point, withoutCancel, withThread } from '@podscope/trace';
import { openCheckpointStore } from './checkpoint/store.ts';
import { ProcessUsers } from './container/create/process-user.ts';
import type { DockershimDependencies } from './dependencies.ts';
import { cacheEngine } from './docker/cached-engine.ts';
import { connectDocker } from './docker/dockerode-client.ts';
import { dockerEndpoint } from './docker/endpoint.ts';
import { DockerError, isNotFound, responseError } from './docker/error.ts';
import { instrumentDocker } from './docker/instrumented.ts';
import type { DockerClient } from './docker/port.ts';
import { Capabilities } from './engine/capabilities.ts';
import { Deviations } from './engine/deviations.ts';
import { discoverEngine } from './engine/facts.ts';
import { OomScores } from './engine/oom-scores.ts';
import { removeTrials } from './engine/try-start.ts';
import { ImageNames } from './image/image-names.ts';
import { ImageUsers } from './image/image-users.ts';
import { ImageVolumes } from './image/image-volumes.ts';
import { containerLogs } from './logs/container-logs.ts';
import { LogWriters } from './logs/log-writers.ts';
import { chooseNetworkPlugin } from './network/choose-plugin.ts';
import type { NetworkPlugin } from './network/plugin.ts';
import { managePlugin } from './network/plugin-manager.ts';
import { OwnedObjects } from './objects/owned-objects.ts';
import { type DockershimOptions, resolveOptions } from './options.ts';
import { StartingSandboxes } from './sandbox/starting-sandboxes.ts';
import { DockershimImageService } from './service/image-service.ts';
import { DockershimRuntimeService } from './service/runtime-service.ts';
import { servicesV120 } from './service/v1-20/services.ts';
import { dockerStreams } from './streams/docker-streams.ts';
import { NamespaceDialers } from './streams/namespace-dialers.ts';

/**
 * Connects to a Docker Engine and returns an in-process CRI runtime.
 * @throws CriError Unavailable if no engine answers, FailedPrecondition if the engine is too old; Error for invalid
 * options
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

/**
 * Returns a CRI runtime that uses an existing client.
 * @param network the network plugin; default: the plugin that the options select
 */
export async function dockershimOver(
  ctx: Context,
  client: DockerClient,
  options: DockershimOptions,
  network?: NetworkPlugin,
): Promise<ContainerRuntime> {
  const resolved = resolveOptions(options);
  const instrumented = instrumentDocker(client);
  // The v1.20 dockershim requests version and info from the engine in each Version and Status call.
  const docker = resolved.release === 'v1.20' ? instrumented : cacheEngine(instrumented);
  const deviations = new Deviations();
  const objects = new OwnedObjects(docker, resolved.instance);
  const checkpoints = await openCheckpointStore(join(resolved.stateDirectory, 'sandbox'));
  const startingSandboxes = await StartingSandboxes.open(join(resolved.stateDirectory, 'starting'));
  const engine = await discoverEngine(ctx, docker);
  const plugin =
    network ?? (await chooseNetworkPlugin(ctx, { docker, checkpoints, engine, deviations, options: resolved }));
  const dependencies: DockershimDependencies = {
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
    dialers: new NamespaceDialers(),
    // Following a log isn't part of a CRI call, so it uses the client without spans.
    logWriters: new LogWriters(ctx, {
      docker: client,
      objects: new OwnedObjects(client, resolved.instance),
      deviations,
      directory: join(resolved.stateDirectory, 'logs'),
      isEnabled: resolved.logFiles && resolved.release !== 'v1.20',
    }),
  };
  if (!dependencies.engine.hasLocalFiles) {
    deviations.record(
      ctx,
      "The engine's files cannot be reached from here: it writes resolv.conf itself, and host paths of mounts " +
        'are paths on its machine.',
    );
  }
  await forgetLost(ctx, dependencies);
  await removeTrials(ctx, docker, resolved.instance);
  dependencies.logWriters.resume();
  const streams = dockerStreams(dependencies);
  const streamingServer = new StreamingServer(withThread(withoutCancel(ctx), 'streaming'), streams, resolved.streaming);
  return {
    name: 'docker',
    ...(resolved.release === 'v1.20'
      ? servicesV120(dependencies, streamingServer)
      : {
          runtime: new DockershimRuntimeService(dependencies, streamingServer),
          images: new DockershimImageService(dependencies),
        }),
    logs: {
      containerLogs: (logCtx, containerId, logOptions) => containerLogs(logCtx, dependencies, containerId, logOptions),
    },
    deviations: () => deviations.list(),
    points: dockershimPoints,
    failures: dockershimFailures,
    streams,
    async close() {
      await Promise.all([streamingServer.close(), dependencies.logWriters.close(), dependencies.dialers.close()]);
      docker.close();
    },
  };
}

/** The points of the spans that dockershim opens. */
export const dockershimPoints: readonly Point[] = [
  runPodSandboxPoints,
  engineProbePoints,
  dockerPoints,
  cniPoints,
].flatMap((points) => Object.values<Point>(points));

/** Creates the errors of the layers below dockershim. */
export const dockershimFailures: RuntimeFailures = {
  docker: (status, message) => responseError(status, message),
  cni: (_code, message, details) => new CriError('Unknown', details ? `${message}; ${details}` : message),
  restored: (code, message, status) => new DockerError(code, message, status),
};

/** Removes unfinished sandboxes of an earlier process from the record if they have been deleted since. */
async function forgetLost(ctx: Context, { objects, startingSandboxes }: DockershimDependencies): Promise<void> {
  for (const id of startingSandboxes.all) {
    await objects.inspect(ctx, id, 'podsandbox').catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await startingSandboxes.end(id);
    });
  }
}
