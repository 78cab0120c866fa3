/** RuntimeService over Docker: every RPC in a file of its own, put together here. What is not here answers UNIMPLEMENTED. */
import * as cri from '@podscope/cri';
import { StreamingServer } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import { checkpointContainer } from './container/checkpoint-container.ts';
import { containerStatus } from './container/container-status.ts';
import { createContainer } from './container/create-container.ts';
import { execSync } from './container/exec-sync.ts';
import { listContainers } from './container/list-containers.ts';
import { removeContainer } from './container/remove-container.ts';
import { startContainer } from './container/start-container.ts';
import { stopContainer } from './container/stop-container.ts';
import { updateContainerResources } from './container/update-container-resources.ts';
import { containerEvents } from './events/container-events.ts';
import { listMetricDescriptors, listPodSandboxMetrics } from './runtime/metrics.ts';
import { CpuSamples, containerStats, listContainerStats, listPodSandboxStats, podSandboxStats } from './runtime/stats.ts';
import { runtimeConfig, status, updateRuntimeConfig, version } from './runtime/status.ts';
import { listPodSandbox } from './sandbox/list-pod-sandbox.ts';
import { podSandboxStatus } from './sandbox/pod-sandbox-status.ts';
import { removePodSandbox } from './sandbox/remove-pod-sandbox.ts';
import { runPodSandbox } from './sandbox/run-pod-sandbox.ts';
import { SandboxImages } from './sandbox/sandbox-image.ts';
import { stopPodSandbox } from './sandbox/stop-pod-sandbox.ts';
import { updatePodSandboxResources } from './sandbox/update-pod-sandbox-resources.ts';
import type { Shim } from './shim.ts';
import { inspectRunning } from './streams/inspect-running.ts';

/** Sandboxes and containers over Docker. Upstream: dockerService (v1.20). */
export class DockershimRuntimeService extends cri.UnimplementedRuntimeService {
  readonly #shim: Shim;
  readonly #streamingServer: StreamingServer;
  readonly #sandboxImages = new SandboxImages();
  readonly #cpuSamples = new CpuSamples();

  constructor(shim: Shim, streamingServer: StreamingServer) {
    super();
    this.#shim = shim;
    this.#streamingServer = streamingServer;
  }

  override version(ctx: Context): Promise<cri.VersionResponse> {
    return version(this.#shim, ctx);
  }
  override status(ctx: Context, request: cri.StatusRequest): Promise<cri.StatusResponse> {
    return status(this.#shim, ctx, request);
  }
  override updateRuntimeConfig(ctx: Context, request: cri.UpdateRuntimeConfigRequest): Promise<cri.UpdateRuntimeConfigResponse> {
    return updateRuntimeConfig(this.#shim, ctx, request);
  }
  override runtimeConfig(): Promise<cri.RuntimeConfigResponse> {
    return Promise.resolve(runtimeConfig(this.#shim));
  }

  override runPodSandbox(ctx: Context, request: cri.RunPodSandboxRequest): Promise<cri.RunPodSandboxResponse> {
    return runPodSandbox(this.#shim, this.#sandboxImages, ctx, request);
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
  override async *streamPodSandboxes(ctx: Context, request: cri.StreamPodSandboxesRequest): AsyncGenerator<cri.StreamPodSandboxesResponse> {
    yield { podSandboxes: (await listPodSandbox(this.#shim, ctx, request)).items };
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
  override async *streamContainers(ctx: Context, request: cri.StreamContainersRequest): AsyncGenerator<cri.StreamContainersResponse> {
    yield await listContainers(this.#shim, ctx, request);
  }
  override containerStatus(ctx: Context, request: cri.ContainerStatusRequest): Promise<cri.ContainerStatusResponse> {
    return containerStatus(this.#shim, ctx, request);
  }
  override updateContainerResources(ctx: Context, request: cri.UpdateContainerResourcesRequest): Promise<cri.UpdateContainerResourcesResponse> {
    return updateContainerResources(this.#shim, ctx, request);
  }
  override updatePodSandboxResources(ctx: Context, request: cri.UpdatePodSandboxResourcesRequest): Promise<cri.UpdatePodSandboxResourcesResponse> {
    return updatePodSandboxResources(this.#shim, ctx, request);
  }
  override checkpointContainer(ctx: Context, request: cri.CheckpointContainerRequest): Promise<cri.CheckpointContainerResponse> {
    return checkpointContainer(this.#shim, ctx, request);
  }
  override async reopenContainerLog(ctx: Context, { containerId }: cri.ReopenContainerLogRequest): Promise<cri.ReopenContainerLogResponse> {
    const { Id } = await inspectRunning(this.#shim, ctx, containerId, 'container');
    await this.#shim.logWriters.reopen(Id);
    return {};
  }
  override execSync(ctx: Context, request: cri.ExecSyncRequest): Promise<cri.ExecSyncResponse> {
    return execSync(this.#shim, ctx, request);
  }

  override async exec(ctx: Context, request: cri.ExecRequest): Promise<cri.ExecResponse> {
    StreamingServer.checkExec(request);
    const { Id: containerId } = await inspectRunning(this.#shim, ctx, request.containerId, 'container');
    return { url: await this.#streamingServer.getExec({ ...request, containerId }) };
  }
  override async attach(ctx: Context, request: cri.AttachRequest): Promise<cri.AttachResponse> {
    StreamingServer.checkAttach(request);
    const { Id: containerId } = await inspectRunning(this.#shim, ctx, request.containerId, 'container');
    return { url: await this.#streamingServer.getAttach({ ...request, containerId }) };
  }
  override async portForward(ctx: Context, request: cri.PortForwardRequest): Promise<cri.PortForwardResponse> {
    StreamingServer.checkPortForward(request);
    const { Id: podSandboxId } = await inspectRunning(this.#shim, ctx, request.podSandboxId, 'podsandbox');
    return { url: await this.#streamingServer.getPortForward({ ...request, podSandboxId }) };
  }

  override async containerStats(ctx: Context, { containerId }: cri.ContainerStatsRequest): Promise<cri.ContainerStatsResponse> {
    return { stats: await containerStats(this.#shim, this.#cpuSamples, ctx, containerId) };
  }
  override async listContainerStats(ctx: Context, { filter }: cri.ListContainerStatsRequest): Promise<cri.ListContainerStatsResponse> {
    return { stats: await listContainerStats(this.#shim, this.#cpuSamples, ctx, filter) };
  }
  override async *streamContainerStats(ctx: Context, { filter }: cri.StreamContainerStatsRequest): AsyncGenerator<cri.StreamContainerStatsResponse> {
    yield { containerStats: await listContainerStats(this.#shim, this.#cpuSamples, ctx, filter) };
  }
  override async podSandboxStats(ctx: Context, { podSandboxId }: cri.PodSandboxStatsRequest): Promise<cri.PodSandboxStatsResponse> {
    return { stats: await podSandboxStats(this.#shim, this.#cpuSamples, ctx, podSandboxId) };
  }
  override async listPodSandboxStats(ctx: Context, { filter }: cri.ListPodSandboxStatsRequest): Promise<cri.ListPodSandboxStatsResponse> {
    return { stats: await listPodSandboxStats(this.#shim, this.#cpuSamples, ctx, filter) };
  }
  override async *streamPodSandboxStats(ctx: Context, { filter }: cri.StreamPodSandboxStatsRequest): AsyncGenerator<cri.StreamPodSandboxStatsResponse> {
    yield { podSandboxStats: await listPodSandboxStats(this.#shim, this.#cpuSamples, ctx, filter) };
  }

  override async listMetricDescriptors(): Promise<cri.ListMetricDescriptorsResponse> {
    return { descriptors: await listMetricDescriptors(this.#shim) };
  }
  override async listPodSandboxMetrics(ctx: Context): Promise<cri.ListPodSandboxMetricsResponse> {
    return { podMetrics: await listPodSandboxMetrics(this.#shim, ctx) };
  }
  override async *streamPodSandboxMetrics(ctx: Context): AsyncGenerator<cri.StreamPodSandboxMetricsResponse> {
    yield { podSandboxMetrics: await listPodSandboxMetrics(this.#shim, ctx) };
  }

  override getContainerEvents(ctx: Context): AsyncIterable<cri.ContainerEventResponse> {
    return containerEvents(this.#shim, ctx);
  }
}
