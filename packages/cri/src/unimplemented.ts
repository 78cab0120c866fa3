/**
 * Defines base classes for runtimes that implement a part of CRI. An RPC that isn't implemented fails with
 * UNIMPLEMENTED; it must not succeed without doing anything.
 */
import type { Context } from '@podscope/trace';
import { CriError } from './error.ts';
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
import type { CriMethod, ImageService, RuntimeService } from './services.ts';

const unimplementedError = (method: CriMethod): CriError =>
  new CriError('Unimplemented', `method ${method} not implemented`);

function unimplemented(method: CriMethod): Promise<never> {
  return Promise.reject(unimplementedError(method));
}

function unimplementedStream(method: CriMethod): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => unimplemented(method) }) };
}

/** A RuntimeService in which every RPC returns UNIMPLEMENTED. A runtime overrides the RPCs that it implements. */
export abstract class UnimplementedRuntimeService implements RuntimeService {
  version(_ctx: Context, _request: VersionRequest): Promise<VersionResponse> {
    return unimplemented('Version');
  }
  runPodSandbox(_ctx: Context, _request: RunPodSandboxRequest): Promise<RunPodSandboxResponse> {
    return unimplemented('RunPodSandbox');
  }
  stopPodSandbox(_ctx: Context, _request: StopPodSandboxRequest): Promise<StopPodSandboxResponse> {
    return unimplemented('StopPodSandbox');
  }
  removePodSandbox(_ctx: Context, _request: RemovePodSandboxRequest): Promise<RemovePodSandboxResponse> {
    return unimplemented('RemovePodSandbox');
  }
  podSandboxStatus(_ctx: Context, _request: PodSandboxStatusRequest): Promise<PodSandboxStatusResponse> {
    return unimplemented('PodSandboxStatus');
  }
  listPodSandbox(_ctx: Context, _request: ListPodSandboxRequest): Promise<ListPodSandboxResponse> {
    return unimplemented('ListPodSandbox');
  }
  streamPodSandboxes(_ctx: Context, _request: StreamPodSandboxesRequest): AsyncIterable<StreamPodSandboxesResponse> {
    return unimplementedStream('StreamPodSandboxes');
  }
  createContainer(_ctx: Context, _request: CreateContainerRequest): Promise<CreateContainerResponse> {
    return unimplemented('CreateContainer');
  }
  startContainer(_ctx: Context, _request: StartContainerRequest): Promise<StartContainerResponse> {
    return unimplemented('StartContainer');
  }
  stopContainer(_ctx: Context, _request: StopContainerRequest): Promise<StopContainerResponse> {
    return unimplemented('StopContainer');
  }
  removeContainer(_ctx: Context, _request: RemoveContainerRequest): Promise<RemoveContainerResponse> {
    return unimplemented('RemoveContainer');
  }
  listContainers(_ctx: Context, _request: ListContainersRequest): Promise<ListContainersResponse> {
    return unimplemented('ListContainers');
  }
  streamContainers(_ctx: Context, _request: StreamContainersRequest): AsyncIterable<StreamContainersResponse> {
    return unimplementedStream('StreamContainers');
  }
  containerStatus(_ctx: Context, _request: ContainerStatusRequest): Promise<ContainerStatusResponse> {
    return unimplemented('ContainerStatus');
  }
  updateContainerResources(
    _ctx: Context,
    _request: UpdateContainerResourcesRequest,
  ): Promise<UpdateContainerResourcesResponse> {
    return unimplemented('UpdateContainerResources');
  }
  reopenContainerLog(_ctx: Context, _request: ReopenContainerLogRequest): Promise<ReopenContainerLogResponse> {
    return unimplemented('ReopenContainerLog');
  }
  execSync(_ctx: Context, _request: ExecSyncRequest): Promise<ExecSyncResponse> {
    return unimplemented('ExecSync');
  }
  exec(_ctx: Context, _request: ExecRequest): Promise<ExecResponse> {
    return unimplemented('Exec');
  }
  attach(_ctx: Context, _request: AttachRequest): Promise<AttachResponse> {
    return unimplemented('Attach');
  }
  portForward(_ctx: Context, _request: PortForwardRequest): Promise<PortForwardResponse> {
    return unimplemented('PortForward');
  }
  containerStats(_ctx: Context, _request: ContainerStatsRequest): Promise<ContainerStatsResponse> {
    return unimplemented('ContainerStats');
  }
  listContainerStats(_ctx: Context, _request: ListContainerStatsRequest): Promise<ListContainerStatsResponse> {
    return unimplemented('ListContainerStats');
  }
  streamContainerStats(
    _ctx: Context,
    _request: StreamContainerStatsRequest,
  ): AsyncIterable<StreamContainerStatsResponse> {
    return unimplementedStream('StreamContainerStats');
  }
  podSandboxStats(_ctx: Context, _request: PodSandboxStatsRequest): Promise<PodSandboxStatsResponse> {
    return unimplemented('PodSandboxStats');
  }
  listPodSandboxStats(_ctx: Context, _request: ListPodSandboxStatsRequest): Promise<ListPodSandboxStatsResponse> {
    return unimplemented('ListPodSandboxStats');
  }
  streamPodSandboxStats(
    _ctx: Context,
    _request: StreamPodSandboxStatsRequest,
  ): AsyncIterable<StreamPodSandboxStatsResponse> {
    return unimplementedStream('StreamPodSandboxStats');
  }
  updateRuntimeConfig(_ctx: Context, _request: UpdateRuntimeConfigRequest): Promise<UpdateRuntimeConfigResponse> {
    return unimplemented('UpdateRuntimeConfig');
  }
  status(_ctx: Context, _request: StatusRequest): Promise<StatusResponse> {
    return unimplemented('Status');
  }
  checkpointContainer(_ctx: Context, _request: CheckpointContainerRequest): Promise<CheckpointContainerResponse> {
    return unimplemented('CheckpointContainer');
  }
  getContainerEvents(_ctx: Context, _request: GetEventsRequest): AsyncIterable<ContainerEventResponse> {
    return unimplementedStream('GetContainerEvents');
  }
  listMetricDescriptors(_ctx: Context, _request: ListMetricDescriptorsRequest): Promise<ListMetricDescriptorsResponse> {
    return unimplemented('ListMetricDescriptors');
  }
  listPodSandboxMetrics(_ctx: Context, _request: ListPodSandboxMetricsRequest): Promise<ListPodSandboxMetricsResponse> {
    return unimplemented('ListPodSandboxMetrics');
  }
  streamPodSandboxMetrics(
    _ctx: Context,
    _request: StreamPodSandboxMetricsRequest,
  ): AsyncIterable<StreamPodSandboxMetricsResponse> {
    return unimplementedStream('StreamPodSandboxMetrics');
  }
  runtimeConfig(_ctx: Context, _request: RuntimeConfigRequest): Promise<RuntimeConfigResponse> {
    return unimplemented('RuntimeConfig');
  }
  updatePodSandboxResources(
    _ctx: Context,
    _request: UpdatePodSandboxResourcesRequest,
  ): Promise<UpdatePodSandboxResourcesResponse> {
    return unimplemented('UpdatePodSandboxResources');
  }
}

/** An ImageService in which every RPC returns UNIMPLEMENTED. A runtime overrides the RPCs that it implements. */
export abstract class UnimplementedImageService implements ImageService {
  listImages(_ctx: Context, _request: ListImagesRequest): Promise<ListImagesResponse> {
    return unimplemented('ListImages');
  }
  streamImages(_ctx: Context, _request: StreamImagesRequest): AsyncIterable<StreamImagesResponse> {
    return unimplementedStream('StreamImages');
  }
  imageStatus(_ctx: Context, _request: ImageStatusRequest): Promise<ImageStatusResponse> {
    return unimplemented('ImageStatus');
  }
  pullImage(_ctx: Context, _request: PullImageRequest): Promise<PullImageResponse> {
    return unimplemented('PullImage');
  }
  removeImage(_ctx: Context, _request: RemoveImageRequest): Promise<RemoveImageResponse> {
    return unimplemented('RemoveImage');
  }
  imageFsInfo(_ctx: Context, _request: ImageFsInfoRequest): Promise<ImageFsInfoResponse> {
    return unimplemented('ImageFsInfo');
  }
}
