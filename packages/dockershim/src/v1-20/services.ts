/** The CRI services of the v1.20 dockershim: its verbs; streaming, statistics and events are today's. */
import * as cri from '@podscope/cri';
import type { StreamingServer } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import { DockershimImageService } from '../image-service.ts';
import { DockershimRuntimeService } from '../runtime-service.ts';
import { StartingSandboxes } from '../sandbox/starting-sandboxes.ts';
import type { Shim } from '../shim.ts';
import { containerStatus, listContainers } from './container-status.ts';
import { createContainer, removeContainer, startContainer, stopContainer, updateContainerResources } from './containers.ts';
import { imageLookups } from './image-lookups.ts';
import { imageStatus, listImages, pullImage, removeImage } from './images.ts';
import { listPodSandbox, podSandboxStatus } from './pod-sandbox-status.ts';
import { runPodSandbox } from './run-pod-sandbox.ts';
import { EngineVersion, nodeFiles, type ShimV120 } from './shim.ts';
import { removePodSandbox, stopPodSandbox } from './stop-and-remove-pod-sandbox.ts';

/** Upstream: dockerService as RuntimeService (v1.20). */
export class DockershimRuntimeServiceV120 extends DockershimRuntimeService {
  readonly #shim: ShimV120;

  constructor(shim: ShimV120, streamingServer: StreamingServer) {
    super(shim, streamingServer);
    this.#shim = shim;
  }

  /** Without what CRI did not know yet. */
  override async status(ctx: Context, request: cri.StatusRequest): Promise<cri.StatusResponse> {
    const { runtimeHandlers: _handlers, features: _features, ...known } = await super.status(ctx, request);
    return known;
  }
  override runPodSandbox(ctx: Context, request: cri.RunPodSandboxRequest): Promise<cri.RunPodSandboxResponse> {
    return runPodSandbox(this.#shim, ctx, request);
  }
  override stopPodSandbox(ctx: Context, request: cri.StopPodSandboxRequest): Promise<cri.StopPodSandboxResponse> {
    return stopPodSandbox(this.#shim, ctx, request);
  }
  override removePodSandbox(ctx: Context, request: cri.RemovePodSandboxRequest): Promise<cri.RemovePodSandboxResponse> {
    return removePodSandbox(this.#shim, ctx, request);
  }
  override podSandboxStatus(ctx: Context, request: cri.PodSandboxStatusRequest): Promise<cri.PodSandboxStatusResponse> {
    return podSandboxStatus(this.#shim, ctx, request);
  }
  override listPodSandbox(ctx: Context, request: cri.ListPodSandboxRequest): Promise<cri.ListPodSandboxResponse> {
    return listPodSandbox(this.#shim, ctx, request);
  }
  override createContainer(ctx: Context, request: cri.CreateContainerRequest): Promise<cri.CreateContainerResponse> {
    return createContainer(this.#shim, ctx, request);
  }
  override startContainer(ctx: Context, request: cri.StartContainerRequest): Promise<cri.StartContainerResponse> {
    return startContainer(this.#shim, ctx, request);
  }
  override stopContainer(ctx: Context, request: cri.StopContainerRequest): Promise<cri.StopContainerResponse> {
    return stopContainer(this.#shim, ctx, request);
  }
  override removeContainer(ctx: Context, request: cri.RemoveContainerRequest): Promise<cri.RemoveContainerResponse> {
    return removeContainer(this.#shim, ctx, request);
  }
  override listContainers(ctx: Context, request: cri.ListContainersRequest): Promise<cri.ListContainersResponse> {
    return listContainers(this.#shim, ctx, request);
  }
  override containerStatus(ctx: Context, request: cri.ContainerStatusRequest): Promise<cri.ContainerStatusResponse> {
    return containerStatus(this.#shim, ctx, request);
  }
  override updateContainerResources(ctx: Context, request: cri.UpdateContainerResourcesRequest): Promise<cri.UpdateContainerResourcesResponse> {
    return updateContainerResources(this.#shim, ctx, request);
  }
  /**
   * The release told of no events, and of a sandbox that was ready before its network was. A look on hearing of its start would nearly always
   * fall between the two, find no address, and take the sandbox for broken: of a start under way nobody is told, the next look finds it.
   */
  override async *getContainerEvents(ctx: Context): AsyncGenerator<cri.ContainerEventResponse> {
    for await (const event of super.getContainerEvents(ctx)) if (!this.#shim.startingSandboxes.has(event.containerId)) yield event;
  }
  /** Docker's own log file was linked to, so there was nothing to reopen. */
  override reopenContainerLog(): Promise<cri.ReopenContainerLogResponse> {
    return Promise.reject(new cri.CriError('Unknown', 'docker does not support reopening container log files'));
  }
}

/** Upstream: dockerService as ImageService (v1.20). */
export class DockershimImageServiceV120 extends DockershimImageService {
  readonly #shim: ShimV120;

  constructor(shim: ShimV120) {
    super(shim);
    this.#shim = shim;
  }

  override imageStatus(ctx: Context, request: cri.ImageStatusRequest): Promise<cri.ImageStatusResponse> {
    return imageStatus(this.#shim, ctx, request);
  }
  override listImages(ctx: Context, request: cri.ListImagesRequest): Promise<cri.ListImagesResponse> {
    return listImages(this.#shim, ctx, request);
  }
  override pullImage(ctx: Context, request: cri.PullImageRequest): Promise<cri.PullImageResponse> {
    return pullImage(this.#shim, ctx, request);
  }
  override removeImage(ctx: Context, request: cri.RemoveImageRequest): Promise<cri.RemoveImageResponse> {
    return removeImage(this.#shim, ctx, request);
  }
}

/** Both, over what today's shim has. Container logs stay with the engine: CRI's files are links to them. */
export function servicesV120(shim: Shim, streamingServer: StreamingServer): { readonly runtime: cri.RuntimeService; readonly images: cri.ImageService } {
  const shimV120: ShimV120 = {
    ...shim,
    networkReady: new Map(),
    images: imageLookups(shim.docker),
    files: nodeFiles,
    engineVersion: new EngineVersion(shim.docker),
    // Of v1.20, which knew of none, only this process's own.
    startingSandboxes: StartingSandboxes.inMemory(),
    sandboxPull: {},
  };
  return { runtime: new DockershimRuntimeServiceV120(shimV120, streamingServer), images: new DockershimImageServiceV120(shimV120) };
}
