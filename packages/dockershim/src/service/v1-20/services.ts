/**
 * Provides the CRI services of the v1.20 dockershim. Streaming, statistics and events are those of the current
 * dockershim.
 */
import * as cri from '@podscope/cri';
import type { StreamingServer } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import { containerStatus, listContainers } from '../../container/v1-20/container-status.ts';
import {
  createContainer,
  removeContainer,
  startContainer,
  stopContainer,
  updateContainerResources,
} from '../../container/v1-20/containers.ts';
import type { DockershimDependencies } from '../../dependencies.ts';
import { containerEvents } from '../../events/container-events.ts';
import { imageLookups } from '../../image/v1-20/image-lookups.ts';
import { imageStatus, listImages, pullImage, removeImage } from '../../image/v1-20/images.ts';
import { StartingSandboxes } from '../../sandbox/starting-sandboxes.ts';
import { listPodSandbox, podSandboxStatus } from '../../sandbox/v1-20/pod-sandbox-status.ts';
import { runPodSandbox } from '../../sandbox/v1-20/run-pod-sandbox.ts';
import { removePodSandbox, stopPodSandbox } from '../../sandbox/v1-20/stop-and-remove-pod-sandbox.ts';
import { DockershimImageService } from '../image-service.ts';
import { DockershimRuntimeService } from '../runtime-service.ts';
import { type DockershimDependenciesV120, EngineVersion, nodeFiles } from './dependencies.ts';

/** The RuntimeService of v1.20. */
export class DockershimRuntimeServiceV120 extends DockershimRuntimeService {
  readonly #dependencies: DockershimDependenciesV120;

  constructor(dependencies: DockershimDependenciesV120, streamingServer: StreamingServer) {
    super(dependencies, streamingServer);
    this.#dependencies = dependencies;
  }

  /** Returns the status without the fields that CRI didn't have at the time of v1.20. */
  override async status(ctx: Context, request: cri.StatusRequest): Promise<cri.StatusResponse> {
    const { runtimeHandlers: _handlers, features: _features, ...known } = await super.status(ctx, request);
    return known;
  }
  override runPodSandbox(ctx: Context, request: cri.RunPodSandboxRequest): Promise<cri.RunPodSandboxResponse> {
    return runPodSandbox(ctx, this.#dependencies, request);
  }
  override stopPodSandbox(ctx: Context, request: cri.StopPodSandboxRequest): Promise<cri.StopPodSandboxResponse> {
    return stopPodSandbox(ctx, this.#dependencies, request);
  }
  override removePodSandbox(ctx: Context, request: cri.RemovePodSandboxRequest): Promise<cri.RemovePodSandboxResponse> {
    return removePodSandbox(ctx, this.#dependencies, request);
  }
  override podSandboxStatus(ctx: Context, request: cri.PodSandboxStatusRequest): Promise<cri.PodSandboxStatusResponse> {
    return podSandboxStatus(ctx, this.#dependencies, request);
  }
  override listPodSandbox(ctx: Context, request: cri.ListPodSandboxRequest): Promise<cri.ListPodSandboxResponse> {
    return listPodSandbox(ctx, this.#dependencies, request);
  }
  override createContainer(ctx: Context, request: cri.CreateContainerRequest): Promise<cri.CreateContainerResponse> {
    return createContainer(ctx, this.#dependencies, request);
  }
  override startContainer(ctx: Context, request: cri.StartContainerRequest): Promise<cri.StartContainerResponse> {
    return startContainer(ctx, this.#dependencies, request);
  }
  override stopContainer(ctx: Context, request: cri.StopContainerRequest): Promise<cri.StopContainerResponse> {
    return stopContainer(ctx, this.#dependencies, request);
  }
  override removeContainer(ctx: Context, request: cri.RemoveContainerRequest): Promise<cri.RemoveContainerResponse> {
    return removeContainer(ctx, this.#dependencies, request);
  }
  override listContainers(ctx: Context, request: cri.ListContainersRequest): Promise<cri.ListContainersResponse> {
    return listContainers(ctx, this.#dependencies, request);
  }
  override containerStatus(ctx: Context, request: cri.ContainerStatusRequest): Promise<cri.ContainerStatusResponse> {
    return containerStatus(ctx, this.#dependencies, request);
  }
  override updateContainerResources(
    ctx: Context,
    request: cri.UpdateContainerResourcesRequest,
  ): Promise<cri.UpdateContainerResourcesResponse> {
    return updateContainerResources(ctx, this.#dependencies, request);
  }
  /**
   * Yields events, except those of sandboxes that are starting. v1.20 reports a sandbox as ready before its network is
   * set up. A kubelet that reacts to the event would find no IP and create a new sandbox. The kubelet's next relist
   * finds the sandbox in any case.
   */
  override getContainerEvents(ctx: Context): AsyncGenerator<cri.ContainerEventResponse> {
    return containerEvents(ctx, this.#dependencies, 'drop');
  }
  /** Always rejects, because in v1.20 the log is a link to the engine's log file. */
  override reopenContainerLog(): Promise<cri.ReopenContainerLogResponse> {
    return Promise.reject(new cri.CriError('Unknown', 'docker does not support reopening container log files'));
  }
}

/** The ImageService of v1.20. */
export class DockershimImageServiceV120 extends DockershimImageService {
  readonly #dependencies: DockershimDependenciesV120;

  constructor(dependencies: DockershimDependenciesV120) {
    super(dependencies);
    this.#dependencies = dependencies;
  }

  override imageStatus(ctx: Context, request: cri.ImageStatusRequest): Promise<cri.ImageStatusResponse> {
    return imageStatus(ctx, this.#dependencies, request);
  }
  override listImages(ctx: Context, request: cri.ListImagesRequest): Promise<cri.ListImagesResponse> {
    return listImages(ctx, this.#dependencies, request);
  }
  override pullImage(ctx: Context, request: cri.PullImageRequest): Promise<cri.PullImageResponse> {
    return pullImage(ctx, this.#dependencies, request);
  }
  override removeImage(ctx: Context, request: cri.RemoveImageRequest): Promise<cri.RemoveImageResponse> {
    return removeImage(ctx, this.#dependencies, request);
  }
}

/**
 * Creates both services from the dependencies of the current dockershim. The engine writes the logs; CRI's log files
 * are links to them.
 */
export function servicesV120(
  dependencies: DockershimDependencies,
  streamingServer: StreamingServer,
): { readonly runtime: cri.RuntimeService; readonly images: cri.ImageService } {
  const dependenciesV120: DockershimDependenciesV120 = {
    ...dependencies,
    networkReady: new Map(),
    images: imageLookups(dependencies.docker),
    files: nodeFiles,
    engineVersion: new EngineVersion(dependencies.docker),
    // v1.20 doesn't record starting sandboxes on disk, so the set contains only the sandboxes of this process.
    startingSandboxes: StartingSandboxes.inMemory(),
    sandboxPull: {},
  };
  return {
    runtime: new DockershimRuntimeServiceV120(dependenciesV120, streamingServer),
    images: new DockershimImageServiceV120(dependenciesV120),
  };
}
