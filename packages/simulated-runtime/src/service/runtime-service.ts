/** Implements CRI's RuntimeService on simulated sandboxes and containers. */
import {
  type ContainerEventResponse,
  type ContainerStatsRequest,
  type ContainerStatsResponse,
  type ContainerStatusRequest,
  type ContainerStatusResponse,
  type CreateContainerRequest,
  type CreateContainerResponse,
  CriError,
  type ExecSyncRequest,
  type ExecSyncResponse,
  type GetEventsRequest,
  type ListContainerStatsRequest,
  type ListContainerStatsResponse,
  type ListContainersRequest,
  type ListContainersResponse,
  type ListMetricDescriptorsRequest,
  type ListMetricDescriptorsResponse,
  type ListPodSandboxMetricsRequest,
  type ListPodSandboxMetricsResponse,
  type ListPodSandboxRequest,
  type ListPodSandboxResponse,
  type ListPodSandboxStatsRequest,
  type ListPodSandboxStatsResponse,
  type PodSandboxStatsRequest,
  type PodSandboxStatsResponse,
  type PodSandboxStatusRequest,
  type PodSandboxStatusResponse,
  type RemoveContainerRequest,
  type RemoveContainerResponse,
  type RemovePodSandboxRequest,
  type RemovePodSandboxResponse,
  type ReopenContainerLogRequest,
  type ReopenContainerLogResponse,
  type RunPodSandboxRequest,
  type RunPodSandboxResponse,
  type RuntimeConfigRequest,
  type RuntimeConfigResponse,
  type StartContainerRequest,
  type StartContainerResponse,
  type StatusRequest,
  type StatusResponse,
  type StopContainerRequest,
  type StopContainerResponse,
  type StopPodSandboxRequest,
  type StopPodSandboxResponse,
  type StreamContainerStatsRequest,
  type StreamContainerStatsResponse,
  type StreamContainersRequest,
  type StreamContainersResponse,
  type StreamPodSandboxesRequest,
  type StreamPodSandboxesResponse,
  type StreamPodSandboxMetricsRequest,
  type StreamPodSandboxMetricsResponse,
  type StreamPodSandboxStatsRequest,
  type StreamPodSandboxStatsResponse,
  UnimplementedRuntimeService,
  type UpdateContainerResourcesRequest,
  type UpdateContainerResourcesResponse,
  type UpdatePodSandboxResourcesRequest,
  type UpdatePodSandboxResourcesResponse,
  type UpdateRuntimeConfigRequest,
  type UpdateRuntimeConfigResponse,
  type VersionRequest,
  type VersionResponse,
} from '@podscope/cri';
import { type Context, toNanoseconds, withoutCancel } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import { Containers } from '../containers/containers.ts';
import { execSync } from '../containers/exec.ts';
import { dockerCall } from '../engine/docker-calls.ts';
import type { SimulatedNode } from '../node.ts';
import type { Records } from '../records.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';
import { Sandboxes } from '../sandboxes/sandboxes.ts';
import { descriptors, podMetrics } from './metrics.ts';
import { containerStats, sandboxStats } from './stats.ts';

export class SimulatedRuntimeService extends UnimplementedRuntimeService {
  readonly #node: SimulatedNode;
  readonly #records: Records;
  readonly #name: string;
  readonly #sandboxes: Sandboxes;
  readonly #containers: Containers;

  constructor(records: Records, name: string) {
    super();
    this.#records = records;
    this.#node = records.node;
    this.#name = name;
    this.#containers = new Containers(records);
    this.#sandboxes = new Sandboxes(records, this.#containers);
  }

  override async version(ctx: Context, _request: VersionRequest): Promise<VersionResponse> {
    await this.#node.take(ctx, 'Version');
    // Upstream: getDockerVersion appends `.0`, because Docker's API version isn't a semantic version.
    const runtimeApiVersion = `${this.#node.engineApiVersion}.0`;
    return { version: '0.1.0', runtimeName: this.#name, runtimeVersion: '1.0.0', runtimeApiVersion };
  }

  override async status(ctx: Context, { verbose }: StatusRequest): Promise<StatusResponse> {
    await this.#node.take(ctx, 'Status');
    const ready = this.#node.networkReady;
    return {
      status: {
        conditions: [
          { type: 'RuntimeReady', status: true, reason: '', message: '' },
          {
            type: 'NetworkReady',
            status: ready,
            reason: ready ? '' : 'NetworkPluginNotReady',
            message: ready ? '' : 'docker: network plugin is not ready: cni config uninitialized',
          },
        ],
      },
      // The CRI of v1.20 has neither field.
      ...(this.#node.release === 'v1.36' && {
        runtimeHandlers: ['', ...this.#node.runtimeHandlers].map((name) => ({
          name,
          features: { recursiveReadOnlyMounts: true },
        })),
        features: { supplementalGroupsPolicy: false },
      }),
      ...(verbose && { info: { config: JSON.stringify({ sandboxImage: this.#node.sandboxImage }) } }),
    };
  }

  override async runtimeConfig(ctx: Context, _request: RuntimeConfigRequest): Promise<RuntimeConfigResponse> {
    await this.#node.take(ctx, 'RuntimeConfig');
    return { linux: { cgroupDriver: 'CGROUPFS' } };
  }

  override async updateRuntimeConfig(
    ctx: Context,
    _request: UpdateRuntimeConfigRequest,
  ): Promise<UpdateRuntimeConfigResponse> {
    // Ignores the pod CIDR: the simulator has its own IP range, like a network plugin that manages addresses itself.
    await this.#node.take(ctx, 'UpdateRuntimeConfig');
    return {};
  }

  override async runPodSandbox(ctx: Context, request: RunPodSandboxRequest): Promise<RunPodSandboxResponse> {
    return { podSandboxId: await this.#sandboxes.run(ctx, request) };
  }

  override async stopPodSandbox(
    ctx: Context,
    { podSandboxId }: StopPodSandboxRequest,
  ): Promise<StopPodSandboxResponse> {
    await this.#sandboxes.stop(ctx, podSandboxId);
    return {};
  }

  override async removePodSandbox(
    ctx: Context,
    { podSandboxId }: RemovePodSandboxRequest,
  ): Promise<RemovePodSandboxResponse> {
    await this.#sandboxes.remove(ctx, podSandboxId);
    return {};
  }

  override async podSandboxStatus(
    ctx: Context,
    { podSandboxId, verbose }: PodSandboxStatusRequest,
  ): Promise<PodSandboxStatusResponse> {
    await this.#node.take(ctx, 'PodSandboxStatus');
    const sandbox = this.#sandbox(podSandboxId);
    return {
      status: sandbox.status(),
      containersStatuses: this.#records.containersOf(sandbox.id).map((container) => container.status()),
      timestamp: toNanoseconds(this.#node.clock.now()),
      ...(verbose && {
        info: { info: JSON.stringify({ image: this.#node.sandboxImage, ports: sandbox.network?.ports ?? [] }) },
      }),
    };
  }

  override async listPodSandbox(ctx: Context, { filter }: ListPodSandboxRequest): Promise<ListPodSandboxResponse> {
    await this.#node.take(ctx, 'ListPodSandbox');
    return { items: this.#sandboxes.list(filter).map((sandbox) => sandbox.summary()) };
  }

  override async *streamPodSandboxes(
    ctx: Context,
    { filter }: StreamPodSandboxesRequest,
  ): AsyncGenerator<StreamPodSandboxesResponse> {
    await this.#node.take(ctx, 'StreamPodSandboxes');
    yield { podSandboxes: this.#sandboxes.list(filter).map((sandbox) => sandbox.summary()) };
  }

  override async createContainer(ctx: Context, request: CreateContainerRequest): Promise<CreateContainerResponse> {
    const container = await this.#containers.create(ctx, this.#sandbox(request.podSandboxId), request.config);
    return { containerId: container.id };
  }

  override async startContainer(ctx: Context, { containerId }: StartContainerRequest): Promise<StartContainerResponse> {
    await dockerCall(ctx, 'startContainer', { id: containerId }, async (inner) => {
      await this.#node.take(inner, 'StartContainer');
      await this.#containers.start(this.#container(containerId));
    });
    return {};
  }

  override async stopContainer(
    ctx: Context,
    { containerId, timeout }: StopContainerRequest,
  ): Promise<StopContainerResponse> {
    await dockerCall(ctx, 'stopContainer', { id: containerId, query: { t: timeout } }, async (inner) => {
      await this.#node.take(inner, 'StopContainer');
      await this.#containers.stop(inner, containerId, timeout);
    });
    return {};
  }

  override async removeContainer(
    ctx: Context,
    { containerId }: RemoveContainerRequest,
  ): Promise<RemoveContainerResponse> {
    await dockerCall(ctx, 'removeContainer', { id: containerId, query: { force: 1, v: 1 } }, async (inner) => {
      await this.#node.take(inner, 'RemoveContainer');
      await this.#containers.remove(withoutCancel(inner), containerId);
    });
    return {};
  }

  override async listContainers(ctx: Context, { filter }: ListContainersRequest): Promise<ListContainersResponse> {
    await this.#node.take(ctx, 'ListContainers');
    return { containers: this.#containers.list(filter).map((container) => container.summary()) };
  }

  override async *streamContainers(
    ctx: Context,
    { filter }: StreamContainersRequest,
  ): AsyncGenerator<StreamContainersResponse> {
    await this.#node.take(ctx, 'StreamContainers');
    yield { containers: this.#containers.list(filter).map((container) => container.summary()) };
  }

  override async containerStatus(
    ctx: Context,
    { containerId, verbose }: ContainerStatusRequest,
  ): Promise<ContainerStatusResponse> {
    await this.#node.take(ctx, 'ContainerStatus');
    const container = this.#container(containerId);
    return {
      status: container.status(),
      ...(verbose && {
        info: { info: JSON.stringify({ sandboxID: container.sandbox.id, command: container.behavior.argv }) },
      }),
    };
  }

  override async updateContainerResources(
    ctx: Context,
    request: UpdateContainerResourcesRequest,
  ): Promise<UpdateContainerResourcesResponse> {
    const call = { id: request.containerId, body: request.linux };
    await dockerCall(ctx, 'updateContainer', call, async (inner) => {
      await this.#node.take(inner, 'UpdateContainerResources');
      this.#containers.update(this.#container(request.containerId), request.linux ?? {});
    });
    return {};
  }

  override async updatePodSandboxResources(
    ctx: Context,
    { podSandboxId }: UpdatePodSandboxResourcesRequest,
  ): Promise<UpdatePodSandboxResourcesResponse> {
    await this.#node.take(ctx, 'UpdatePodSandboxResources');
    this.#sandbox(podSandboxId);
    return {};
  }

  override async reopenContainerLog(
    ctx: Context,
    { containerId }: ReopenContainerLogRequest,
  ): Promise<ReopenContainerLogResponse> {
    await this.#node.take(ctx, 'ReopenContainerLog');
    await this.#container(containerId).reopenLog();
    return {};
  }

  override async execSync(ctx: Context, request: ExecSyncRequest): Promise<ExecSyncResponse> {
    const id = await dockerCall(
      ctx,
      'createExec',
      { id: request.containerId, body: { Cmd: request.cmd } },
      async (inner) => {
        await this.#node.take(inner, 'ExecSync');
        return this.#node.newExecId();
      },
    );
    const response = await dockerCall(ctx, 'startExec', { id }, (inner) =>
      execSync(inner, this.#node, this.#container(request.containerId), request),
    );
    await dockerCall(ctx, 'inspectExec', { id }, ({ span }) =>
      span.set({ response: { Running: false, ExitCode: response.exitCode } }),
    );
    return response;
  }

  override async containerStats(ctx: Context, { containerId }: ContainerStatsRequest): Promise<ContainerStatsResponse> {
    await this.#node.take(ctx, 'ContainerStats');
    return { stats: containerStats(this.#records, this.#container(containerId)) };
  }

  override async listContainerStats(
    ctx: Context,
    { filter }: ListContainerStatsRequest,
  ): Promise<ListContainerStatsResponse> {
    await this.#node.take(ctx, 'ListContainerStats');
    return { stats: this.#containers.list(filter).map((container) => containerStats(this.#records, container)) };
  }

  override async *streamContainerStats(
    ctx: Context,
    request: StreamContainerStatsRequest,
  ): AsyncGenerator<StreamContainerStatsResponse> {
    yield { containerStats: (await this.listContainerStats(ctx, request)).stats };
  }

  override async podSandboxStats(
    ctx: Context,
    { podSandboxId }: PodSandboxStatsRequest,
  ): Promise<PodSandboxStatsResponse> {
    await this.#node.take(ctx, 'PodSandboxStats');
    return { stats: sandboxStats(this.#records, this.#sandbox(podSandboxId)) };
  }

  override async listPodSandboxStats(
    ctx: Context,
    { filter }: ListPodSandboxStatsRequest,
  ): Promise<ListPodSandboxStatsResponse> {
    await this.#node.take(ctx, 'ListPodSandboxStats');
    return { stats: this.#sandboxes.list(filter).map((sandbox) => sandboxStats(this.#records, sandbox)) };
  }

  override async *streamPodSandboxStats(
    ctx: Context,
    request: StreamPodSandboxStatsRequest,
  ): AsyncGenerator<StreamPodSandboxStatsResponse> {
    yield { podSandboxStats: (await this.listPodSandboxStats(ctx, request)).stats };
  }

  override async listMetricDescriptors(
    ctx: Context,
    _request: ListMetricDescriptorsRequest,
  ): Promise<ListMetricDescriptorsResponse> {
    await this.#node.take(ctx, 'ListMetricDescriptors');
    return { descriptors };
  }

  override async listPodSandboxMetrics(
    ctx: Context,
    _request: ListPodSandboxMetricsRequest,
  ): Promise<ListPodSandboxMetricsResponse> {
    await this.#node.take(ctx, 'ListPodSandboxMetrics');
    const ready = this.#sandboxes.list({ state: { state: 'SANDBOX_READY' } });
    return { podMetrics: ready.map((sandbox) => podMetrics(this.#records, sandbox)) };
  }

  override async *streamPodSandboxMetrics(
    ctx: Context,
    request: StreamPodSandboxMetricsRequest,
  ): AsyncGenerator<StreamPodSandboxMetricsResponse> {
    yield { podSandboxMetrics: (await this.listPodSandboxMetrics(ctx, request)).podMetrics };
  }

  override getContainerEvents(ctx: Context, _request: GetEventsRequest): AsyncIterable<ContainerEventResponse> {
    return this.#records.events.subscribe(ctx.signal);
  }

  #sandbox(id: string): SimulatedSandbox {
    const sandbox = this.#records.sandboxes.get(id);
    if (!sandbox) throw new CriError('NotFound', `Error: No such container: ${id}`);
    return sandbox;
  }

  #container(id: string): SimulatedContainer {
    const container = this.#records.containers.get(id);
    if (!container) throw new CriError('NotFound', `Error: No such container: ${id}`);
    return container;
  }
}
