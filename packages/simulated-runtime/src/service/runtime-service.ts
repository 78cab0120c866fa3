/** Implements CRI's RuntimeService on simulated sandboxes and containers. */
import {
  type ContainerEventResponse,
  type ContainerStats,
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
  type PodSandboxStats,
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
import { type Context, toNanoseconds } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import { Containers } from '../containers/containers.ts';
import { execSync } from '../containers/exec.ts';
import { dockerCall } from '../engine/docker-calls.ts';
import { type Engine, unlessMissing } from '../engine/engine.ts';
import type { SimulatedNode } from '../node.ts';
import type { Operation } from '../operations.ts';
import type { Records } from '../records.ts';
import { Sandboxes } from '../sandboxes/sandboxes.ts';
import { descriptors, podMetrics } from './metrics.ts';
import { containerStats, sandboxStats } from './stats.ts';

export class SimulatedRuntimeService extends UnimplementedRuntimeService {
  readonly #node: SimulatedNode;
  readonly #records: Records;
  readonly #name: string;
  readonly #engine: Engine;
  readonly #sandboxes: Sandboxes;
  readonly #containers: Containers;

  constructor(records: Records, name: string) {
    super();
    this.#records = records;
    this.#node = records.node;
    this.#engine = records.engine;
    this.#name = name;
    this.#containers = new Containers(records);
    this.#sandboxes = new Sandboxes(records, this.#containers);
  }

  override async version(ctx: Context, _request: VersionRequest): Promise<VersionResponse> {
    await this.#engine.version(ctx, 'Version');
    // Upstream: getDockerVersion appends `.0`, because Docker's API version isn't a semantic version.
    const runtimeApiVersion = `${this.#node.engineApiVersion}.0`;
    return { version: '0.1.0', runtimeName: this.#name, runtimeVersion: '1.0.0', runtimeApiVersion };
  }

  override async status(ctx: Context, { verbose }: StatusRequest): Promise<StatusResponse> {
    await this.#engine.version(ctx, 'Status');
    await this.#engine.info(ctx);
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
    const sandbox = await this.#engine.inspectSandbox(ctx, podSandboxId, { operation: 'PodSandboxStatus' });
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
    const listed = await this.#sandboxes.list(ctx, filter, 'ListPodSandbox');
    return { items: listed.map((sandbox) => sandbox.summary()) };
  }

  override async *streamPodSandboxes(
    ctx: Context,
    { filter }: StreamPodSandboxesRequest,
  ): AsyncGenerator<StreamPodSandboxesResponse> {
    const listed = await this.#sandboxes.list(ctx, filter, 'StreamPodSandboxes');
    yield { podSandboxes: listed.map((sandbox) => sandbox.summary()) };
  }

  override async createContainer(ctx: Context, request: CreateContainerRequest): Promise<CreateContainerResponse> {
    const container = await this.#containers.create(ctx, request.podSandboxId, request.config);
    return { containerId: container.id };
  }

  override async startContainer(ctx: Context, { containerId }: StartContainerRequest): Promise<StartContainerResponse> {
    await this.#containers.start(ctx, containerId);
    return {};
  }

  override async stopContainer(
    ctx: Context,
    { containerId, timeout }: StopContainerRequest,
  ): Promise<StopContainerResponse> {
    await this.#containers.stop(ctx, containerId, timeout, 'StopContainer');
    return {};
  }

  override async removeContainer(
    ctx: Context,
    { containerId }: RemoveContainerRequest,
  ): Promise<RemoveContainerResponse> {
    await this.#containers.remove(ctx, containerId, 'RemoveContainer');
    return {};
  }

  override async listContainers(ctx: Context, { filter }: ListContainersRequest): Promise<ListContainersResponse> {
    const listed = await this.#containers.list(ctx, filter, 'ListContainers');
    return { containers: listed.map((container) => container.summary()) };
  }

  override async *streamContainers(
    ctx: Context,
    { filter }: StreamContainersRequest,
  ): AsyncGenerator<StreamContainersResponse> {
    const listed = await this.#containers.list(ctx, filter, 'StreamContainers');
    yield { containers: listed.map((container) => container.summary()) };
  }

  override async containerStatus(
    ctx: Context,
    { containerId, verbose }: ContainerStatusRequest,
  ): Promise<ContainerStatusResponse> {
    const container = await this.#engine.inspectContainer(ctx, containerId, { operation: 'ContainerStatus' });
    const naming = this.#engine.imageName(ctx, container.image);
    if (naming) await naming;
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
    await this.#containers.update(ctx, request.containerId, request.linux ?? {});
    return {};
  }

  override async updatePodSandboxResources(
    ctx: Context,
    { podSandboxId }: UpdatePodSandboxResourcesRequest,
  ): Promise<UpdatePodSandboxResourcesResponse> {
    await this.#engine.inspectSandbox(ctx, podSandboxId, { operation: 'UpdatePodSandboxResources' });
    return {};
  }

  override async reopenContainerLog(
    ctx: Context,
    { containerId }: ReopenContainerLogRequest,
  ): Promise<ReopenContainerLogResponse> {
    const container = await this.#engine.inspectContainer(ctx, containerId, { operation: 'ReopenContainerLog' });
    await container.reopenLog();
    return {};
  }

  override async execSync(ctx: Context, request: ExecSyncRequest): Promise<ExecSyncResponse> {
    const { containerId, cmd } = request;
    const container = await this.#engine.inspectContainer(ctx, containerId);
    if (!container.running) throw new CriError('FailedPrecondition', `container not running (${containerId})`);
    const body = { Cmd: cmd, AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false };
    const id = await dockerCall(ctx, 'createExec', { id: containerId, body }, async (inner) => {
      await this.#node.take(inner, 'ExecSync');
      return this.#node.newExecId();
    });
    const start = { id, body: { Detach: false, Tty: false } };
    const response = await dockerCall(ctx, 'startExec', start, (inner) =>
      execSync(inner, this.#node, container, request),
    );
    await dockerCall(ctx, 'inspectExec', { id }, ({ span }) =>
      span.set({ response: { Running: false, ExitCode: response.exitCode } }),
    );
    return response;
  }

  override async containerStats(ctx: Context, { containerId }: ContainerStatsRequest): Promise<ContainerStatsResponse> {
    return { stats: await this.#containerStats(ctx, containerId, 'ContainerStats') };
  }

  override async listContainerStats(
    ctx: Context,
    { filter }: ListContainerStatsRequest,
  ): Promise<ListContainerStatsResponse> {
    const listed = await this.#containers.list(ctx, filter, 'ListContainerStats');
    return { stats: await this.#statsOfAll(ctx, listed) };
  }

  /** Reads the usage of containers. Omits those that are removed meanwhile. */
  async #statsOfAll(ctx: Context, containers: readonly SimulatedContainer[]): Promise<ContainerStats[]> {
    const stats = await Promise.all(containers.map(({ id }) => unlessMissing(this.#containerStats(ctx, id))));
    return stats.filter((each) => each !== undefined);
  }

  async #containerStats(ctx: Context, id: string, operation?: Operation): Promise<ContainerStats> {
    const container = await this.#engine.inspectContainer(ctx, id, { size: true, ...(operation && { operation }) });
    const naming = this.#engine.imageName(ctx, container.image);
    if (naming) await naming;
    if (container.running) await this.#engine.stats(ctx, id);
    return containerStats(this.#records, container);
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
    return { stats: await this.#podSandboxStats(ctx, podSandboxId, 'PodSandboxStats') };
  }

  override async listPodSandboxStats(
    ctx: Context,
    { filter }: ListPodSandboxStatsRequest,
  ): Promise<ListPodSandboxStatsResponse> {
    const ready = { ...filter, state: { state: 'SANDBOX_READY' } } as const;
    const listed = await this.#sandboxes.list(ctx, ready, 'ListPodSandboxStats');
    const stats = await Promise.all(listed.map(({ id }) => unlessMissing(this.#podSandboxStats(ctx, id))));
    return { stats: stats.filter((each) => each !== undefined) };
  }

  async #podSandboxStats(ctx: Context, id: string, operation?: Operation): Promise<PodSandboxStats> {
    const sandbox = await this.#engine.inspectSandbox(ctx, id, operation ? { operation } : {});
    if (sandbox.ready) {
      await Promise.all([
        this.#engine.stats(ctx, id),
        this.#containers.list(ctx, { podSandboxId: id }).then((containers) => this.#statsOfAll(ctx, containers)),
      ]);
    }
    return sandboxStats(this.#records, sandbox);
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
    const ready = [...this.#records.sandboxes.values()].filter((sandbox) => sandbox.ready).toReversed();
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
}
