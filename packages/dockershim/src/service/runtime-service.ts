/**
 * Implements CRI's RuntimeService on Docker. Each RPC has its own module; an RPC without a module returns
 * UNIMPLEMENTED.
 */
import * as cri from '@podscope/cri';
import { StreamingServer } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import { checkpointContainer } from '../container/checkpoint-container.ts';
import { containerStatus } from '../container/container-status.ts';
import { createContainer } from '../container/create/create-container.ts';
import { execSync } from '../container/exec/exec-sync.ts';
import { listContainers } from '../container/list-containers.ts';
import { removeContainer } from '../container/remove-container.ts';
import { startContainer } from '../container/start-container.ts';
import { stopContainer } from '../container/stop-container.ts';
import { updateContainerResources } from '../container/update-container-resources.ts';
import type { DockershimDependencies } from '../dependencies.ts';
import { containerEvents } from '../events/container-events.ts';
import { listMetricDescriptors, listPodSandboxMetrics } from '../runtime/metrics.ts';
import {
  CpuSamples,
  containerStats,
  listContainerStats,
  listPodSandboxStats,
  podSandboxStats,
} from '../runtime/stats.ts';
import { runtimeConfig, status, updateRuntimeConfig, version } from '../runtime/status.ts';
import { listPodSandbox } from '../sandbox/list-pod-sandbox.ts';
import { podSandboxStatus } from '../sandbox/pod-sandbox-status.ts';
import { removePodSandbox } from '../sandbox/remove-pod-sandbox.ts';
import { runPodSandbox } from '../sandbox/run-pod-sandbox.ts';
import { SandboxImages } from '../sandbox/sandbox-image.ts';
import { stopPodSandbox } from '../sandbox/stop-pod-sandbox.ts';
import { updatePodSandboxResources } from '../sandbox/update-pod-sandbox-resources.ts';
import { inspectRunning } from '../streams/inspect-running.ts';

/** The RuntimeService. Upstream: dockerService (v1.20). */
export class DockershimRuntimeService extends cri.UnimplementedRuntimeService {
  readonly #dependencies: DockershimDependencies;
  readonly #streamingServer: StreamingServer;
  readonly #sandboxImages = new SandboxImages();
  readonly #cpuSamples = new CpuSamples();

  constructor(dependencies: DockershimDependencies, streamingServer: StreamingServer) {
    super();
    this.#dependencies = dependencies;
    this.#streamingServer = streamingServer;
  }

  override version(ctx: Context): Promise<cri.VersionResponse> {
    return version(ctx, this.#dependencies);
  }
  override status(ctx: Context, request: cri.StatusRequest): Promise<cri.StatusResponse> {
    return status(ctx, this.#dependencies, request);
  }
  override updateRuntimeConfig(
    ctx: Context,
    request: cri.UpdateRuntimeConfigRequest,
  ): Promise<cri.UpdateRuntimeConfigResponse> {
    return updateRuntimeConfig(ctx, this.#dependencies, request);
  }
  override runtimeConfig(): Promise<cri.RuntimeConfigResponse> {
    return Promise.resolve(runtimeConfig(this.#dependencies));
  }

  override runPodSandbox(ctx: Context, request: cri.RunPodSandboxRequest): Promise<cri.RunPodSandboxResponse> {
    return runPodSandbox(ctx, this.#dependencies, this.#sandboxImages, request);
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
  override async *streamPodSandboxes(
    ctx: Context,
    request: cri.StreamPodSandboxesRequest,
  ): AsyncGenerator<cri.StreamPodSandboxesResponse> {
    yield { podSandboxes: (await listPodSandbox(ctx, this.#dependencies, request)).items };
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
  override async *streamContainers(
    ctx: Context,
    request: cri.StreamContainersRequest,
  ): AsyncGenerator<cri.StreamContainersResponse> {
    yield await listContainers(ctx, this.#dependencies, request);
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
  override updatePodSandboxResources(
    ctx: Context,
    request: cri.UpdatePodSandboxResourcesRequest,
  ): Promise<cri.UpdatePodSandboxResourcesResponse> {
    return updatePodSandboxResources(ctx, this.#dependencies, request);
  }
  override checkpointContainer(
    ctx: Context,
    request: cri.CheckpointContainerRequest,
  ): Promise<cri.CheckpointContainerResponse> {
    return checkpointContainer(ctx, this.#dependencies, request);
  }
  override async reopenContainerLog(
    ctx: Context,
    { containerId }: cri.ReopenContainerLogRequest,
  ): Promise<cri.ReopenContainerLogResponse> {
    const { Id } = await inspectRunning(ctx, this.#dependencies, containerId, 'container');
    await this.#dependencies.logWriters.reopen(Id);
    return {};
  }
  override execSync(ctx: Context, request: cri.ExecSyncRequest): Promise<cri.ExecSyncResponse> {
    return execSync(ctx, this.#dependencies, request);
  }

  override async exec(ctx: Context, request: cri.ExecRequest): Promise<cri.ExecResponse> {
    StreamingServer.checkExec(request);
    const { Id: containerId } = await inspectRunning(ctx, this.#dependencies, request.containerId, 'container');
    return { url: await this.#streamingServer.getExec({ ...request, containerId }) };
  }
  override async attach(ctx: Context, request: cri.AttachRequest): Promise<cri.AttachResponse> {
    StreamingServer.checkAttach(request);
    const { Id: containerId } = await inspectRunning(ctx, this.#dependencies, request.containerId, 'container');
    return { url: await this.#streamingServer.getAttach({ ...request, containerId }) };
  }
  override async portForward(ctx: Context, request: cri.PortForwardRequest): Promise<cri.PortForwardResponse> {
    StreamingServer.checkPortForward(request);
    const { Id: podSandboxId } = await inspectRunning(ctx, this.#dependencies, request.podSandboxId, 'podsandbox');
    return { url: await this.#streamingServer.getPortForward({ ...request, podSandboxId }) };
  }

  override async containerStats(
    ctx: Context,
    { containerId }: cri.ContainerStatsRequest,
  ): Promise<cri.ContainerStatsResponse> {
    return { stats: await containerStats(ctx, this.#dependencies, this.#cpuSamples, containerId) };
  }
  override async listContainerStats(
    ctx: Context,
    { filter }: cri.ListContainerStatsRequest,
  ): Promise<cri.ListContainerStatsResponse> {
    return { stats: await listContainerStats(ctx, this.#dependencies, this.#cpuSamples, filter) };
  }
  override async *streamContainerStats(
    ctx: Context,
    { filter }: cri.StreamContainerStatsRequest,
  ): AsyncGenerator<cri.StreamContainerStatsResponse> {
    yield { containerStats: await listContainerStats(ctx, this.#dependencies, this.#cpuSamples, filter) };
  }
  override async podSandboxStats(
    ctx: Context,
    { podSandboxId }: cri.PodSandboxStatsRequest,
  ): Promise<cri.PodSandboxStatsResponse> {
    return { stats: await podSandboxStats(ctx, this.#dependencies, this.#cpuSamples, podSandboxId) };
  }
  override async listPodSandboxStats(
    ctx: Context,
    { filter }: cri.ListPodSandboxStatsRequest,
  ): Promise<cri.ListPodSandboxStatsResponse> {
    return { stats: await listPodSandboxStats(ctx, this.#dependencies, this.#cpuSamples, filter) };
  }
  override async *streamPodSandboxStats(
    ctx: Context,
    { filter }: cri.StreamPodSandboxStatsRequest,
  ): AsyncGenerator<cri.StreamPodSandboxStatsResponse> {
    yield { podSandboxStats: await listPodSandboxStats(ctx, this.#dependencies, this.#cpuSamples, filter) };
  }

  override async listMetricDescriptors(): Promise<cri.ListMetricDescriptorsResponse> {
    return { descriptors: await listMetricDescriptors(this.#dependencies) };
  }
  override async listPodSandboxMetrics(ctx: Context): Promise<cri.ListPodSandboxMetricsResponse> {
    return { podMetrics: await listPodSandboxMetrics(ctx, this.#dependencies) };
  }
  override async *streamPodSandboxMetrics(ctx: Context): AsyncGenerator<cri.StreamPodSandboxMetricsResponse> {
    yield { podSandboxMetrics: await listPodSandboxMetrics(ctx, this.#dependencies) };
  }

  override getContainerEvents(ctx: Context): AsyncIterable<cri.ContainerEventResponse> {
    return containerEvents(ctx, this.#dependencies);
  }
}
