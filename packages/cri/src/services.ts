/** Declares the two services of CRI `runtime.v1`, which every runtime implements. */
import type { Context } from '@podscope/trace';
import type {
  AttachRequest,
  AttachResponse,
  CheckpointContainerRequest,
  CheckpointContainerResponse,
  ContainerEventResponse,
  ContainerStatsRequest,
  ContainerStatsResponse,
  ContainerStatusRequest,
  ContainerStatusResponse,
  CreateContainerRequest,
  CreateContainerResponse,
  ExecRequest,
  ExecResponse,
  ExecSyncRequest,
  ExecSyncResponse,
  GetEventsRequest,
  ImageFsInfoRequest,
  ImageFsInfoResponse,
  ImageStatusRequest,
  ImageStatusResponse,
  ListContainerStatsRequest,
  ListContainerStatsResponse,
  ListContainersRequest,
  ListContainersResponse,
  ListImagesRequest,
  ListImagesResponse,
  ListMetricDescriptorsRequest,
  ListMetricDescriptorsResponse,
  ListPodSandboxMetricsRequest,
  ListPodSandboxMetricsResponse,
  ListPodSandboxRequest,
  ListPodSandboxResponse,
  ListPodSandboxStatsRequest,
  ListPodSandboxStatsResponse,
  PodSandboxStatsRequest,
  PodSandboxStatsResponse,
  PodSandboxStatusRequest,
  PodSandboxStatusResponse,
  PortForwardRequest,
  PortForwardResponse,
  PullImageRequest,
  PullImageResponse,
  RemoveContainerRequest,
  RemoveContainerResponse,
  RemoveImageRequest,
  RemoveImageResponse,
  RemovePodSandboxRequest,
  RemovePodSandboxResponse,
  ReopenContainerLogRequest,
  ReopenContainerLogResponse,
  RunPodSandboxRequest,
  RunPodSandboxResponse,
  RuntimeConfigRequest,
  RuntimeConfigResponse,
  StartContainerRequest,
  StartContainerResponse,
  StatusRequest,
  StatusResponse,
  StopContainerRequest,
  StopContainerResponse,
  StopPodSandboxRequest,
  StopPodSandboxResponse,
  StreamContainerStatsRequest,
  StreamContainerStatsResponse,
  StreamContainersRequest,
  StreamContainersResponse,
  StreamImagesRequest,
  StreamImagesResponse,
  StreamPodSandboxesRequest,
  StreamPodSandboxesResponse,
  StreamPodSandboxMetricsRequest,
  StreamPodSandboxMetricsResponse,
  StreamPodSandboxStatsRequest,
  StreamPodSandboxStatsResponse,
  UpdateContainerResourcesRequest,
  UpdateContainerResourcesResponse,
  UpdatePodSandboxResourcesRequest,
  UpdatePodSandboxResourcesResponse,
  UpdateRuntimeConfigRequest,
  UpdateRuntimeConfigResponse,
  VersionRequest,
  VersionResponse,
} from './messages.ts';

/** Runs sandboxes and containers. Its methods fail with a {@link CriError}. */
export interface RuntimeService {
  version(ctx: Context, request: VersionRequest): Promise<VersionResponse>;
  runPodSandbox(ctx: Context, request: RunPodSandboxRequest): Promise<RunPodSandboxResponse>;
  stopPodSandbox(ctx: Context, request: StopPodSandboxRequest): Promise<StopPodSandboxResponse>;
  removePodSandbox(ctx: Context, request: RemovePodSandboxRequest): Promise<RemovePodSandboxResponse>;
  podSandboxStatus(ctx: Context, request: PodSandboxStatusRequest): Promise<PodSandboxStatusResponse>;
  listPodSandbox(ctx: Context, request: ListPodSandboxRequest): Promise<ListPodSandboxResponse>;
  streamPodSandboxes(ctx: Context, request: StreamPodSandboxesRequest): AsyncIterable<StreamPodSandboxesResponse>;
  createContainer(ctx: Context, request: CreateContainerRequest): Promise<CreateContainerResponse>;
  startContainer(ctx: Context, request: StartContainerRequest): Promise<StartContainerResponse>;
  stopContainer(ctx: Context, request: StopContainerRequest): Promise<StopContainerResponse>;
  removeContainer(ctx: Context, request: RemoveContainerRequest): Promise<RemoveContainerResponse>;
  listContainers(ctx: Context, request: ListContainersRequest): Promise<ListContainersResponse>;
  streamContainers(ctx: Context, request: StreamContainersRequest): AsyncIterable<StreamContainersResponse>;
  containerStatus(ctx: Context, request: ContainerStatusRequest): Promise<ContainerStatusResponse>;
  updateContainerResources(
    ctx: Context,
    request: UpdateContainerResourcesRequest,
  ): Promise<UpdateContainerResourcesResponse>;
  reopenContainerLog(ctx: Context, request: ReopenContainerLogRequest): Promise<ReopenContainerLogResponse>;
  execSync(ctx: Context, request: ExecSyncRequest): Promise<ExecSyncResponse>;
  exec(ctx: Context, request: ExecRequest): Promise<ExecResponse>;
  attach(ctx: Context, request: AttachRequest): Promise<AttachResponse>;
  portForward(ctx: Context, request: PortForwardRequest): Promise<PortForwardResponse>;
  containerStats(ctx: Context, request: ContainerStatsRequest): Promise<ContainerStatsResponse>;
  listContainerStats(ctx: Context, request: ListContainerStatsRequest): Promise<ListContainerStatsResponse>;
  streamContainerStats(ctx: Context, request: StreamContainerStatsRequest): AsyncIterable<StreamContainerStatsResponse>;
  podSandboxStats(ctx: Context, request: PodSandboxStatsRequest): Promise<PodSandboxStatsResponse>;
  listPodSandboxStats(ctx: Context, request: ListPodSandboxStatsRequest): Promise<ListPodSandboxStatsResponse>;
  streamPodSandboxStats(
    ctx: Context,
    request: StreamPodSandboxStatsRequest,
  ): AsyncIterable<StreamPodSandboxStatsResponse>;
  updateRuntimeConfig(ctx: Context, request: UpdateRuntimeConfigRequest): Promise<UpdateRuntimeConfigResponse>;
  status(ctx: Context, request: StatusRequest): Promise<StatusResponse>;
  checkpointContainer(ctx: Context, request: CheckpointContainerRequest): Promise<CheckpointContainerResponse>;
  getContainerEvents(ctx: Context, request: GetEventsRequest): AsyncIterable<ContainerEventResponse>;
  listMetricDescriptors(ctx: Context, request: ListMetricDescriptorsRequest): Promise<ListMetricDescriptorsResponse>;
  listPodSandboxMetrics(ctx: Context, request: ListPodSandboxMetricsRequest): Promise<ListPodSandboxMetricsResponse>;
  streamPodSandboxMetrics(
    ctx: Context,
    request: StreamPodSandboxMetricsRequest,
  ): AsyncIterable<StreamPodSandboxMetricsResponse>;
  runtimeConfig(ctx: Context, request: RuntimeConfigRequest): Promise<RuntimeConfigResponse>;
  updatePodSandboxResources(
    ctx: Context,
    request: UpdatePodSandboxResourcesRequest,
  ): Promise<UpdatePodSandboxResourcesResponse>;
}

/** Pulls, lists and removes images. Its methods fail with a {@link CriError}. */
export interface ImageService {
  listImages(ctx: Context, request: ListImagesRequest): Promise<ListImagesResponse>;
  streamImages(ctx: Context, request: StreamImagesRequest): AsyncIterable<StreamImagesResponse>;
  imageStatus(ctx: Context, request: ImageStatusRequest): Promise<ImageStatusResponse>;
  pullImage(ctx: Context, request: PullImageRequest): Promise<PullImageResponse>;
  removeImage(ctx: Context, request: RemoveImageRequest): Promise<RemoveImageResponse>;
  imageFsInfo(ctx: Context, request: ImageFsInfoRequest): Promise<ImageFsInfoResponse>;
}

/** The RPCs of RuntimeService in the order of the .proto file. */
export const runtimeServiceMethods = [
  'Version',
  'RunPodSandbox',
  'StopPodSandbox',
  'RemovePodSandbox',
  'PodSandboxStatus',
  'ListPodSandbox',
  'StreamPodSandboxes',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  'RemoveContainer',
  'ListContainers',
  'StreamContainers',
  'ContainerStatus',
  'UpdateContainerResources',
  'ReopenContainerLog',
  'ExecSync',
  'Exec',
  'Attach',
  'PortForward',
  'ContainerStats',
  'ListContainerStats',
  'StreamContainerStats',
  'PodSandboxStats',
  'ListPodSandboxStats',
  'StreamPodSandboxStats',
  'UpdateRuntimeConfig',
  'Status',
  'CheckpointContainer',
  'GetContainerEvents',
  'ListMetricDescriptors',
  'ListPodSandboxMetrics',
  'StreamPodSandboxMetrics',
  'RuntimeConfig',
  'UpdatePodSandboxResources',
] as const;

/** The RPCs of ImageService in the order of the .proto file. */
export const imageServiceMethods = [
  'ListImages',
  'StreamImages',
  'ImageStatus',
  'PullImage',
  'RemoveImage',
  'ImageFsInfo',
] as const;

/** The name of any CRI RPC. */
export type CriMethod = (typeof runtimeServiceMethods)[number] | (typeof imageServiceMethods)[number];
