/** Lists the CRI calls, and the points of the kubelet that make them. Upstream: cri-api runtime/v1 api.proto. */
import type { Level, Steps } from '../level.ts';

const runtime = <const Method extends string>(method: Method) =>
  ({ id: `cri.${method}`, kind: 'cri', upstream: `/runtime.v1.RuntimeService/${method}` }) as const;
const image = <const Method extends string>(method: Method) =>
  ({ id: `cri.${method}`, kind: 'cri', upstream: `/runtime.v1.ImageService/${method}` }) as const;

/** Every RPC of the two services, in the order of the proto file. */
export const criCalls = {
  Version: runtime('Version'),
  RunPodSandbox: runtime('RunPodSandbox'),
  StopPodSandbox: runtime('StopPodSandbox'),
  RemovePodSandbox: runtime('RemovePodSandbox'),
  PodSandboxStatus: runtime('PodSandboxStatus'),
  ListPodSandbox: runtime('ListPodSandbox'),
  StreamPodSandboxes: runtime('StreamPodSandboxes'),
  CreateContainer: runtime('CreateContainer'),
  StartContainer: runtime('StartContainer'),
  StopContainer: runtime('StopContainer'),
  RemoveContainer: runtime('RemoveContainer'),
  ListContainers: runtime('ListContainers'),
  StreamContainers: runtime('StreamContainers'),
  ContainerStatus: runtime('ContainerStatus'),
  UpdateContainerResources: runtime('UpdateContainerResources'),
  ReopenContainerLog: runtime('ReopenContainerLog'),
  ExecSync: runtime('ExecSync'),
  Exec: runtime('Exec'),
  Attach: runtime('Attach'),
  PortForward: runtime('PortForward'),
  ContainerStats: runtime('ContainerStats'),
  ListContainerStats: runtime('ListContainerStats'),
  StreamContainerStats: runtime('StreamContainerStats'),
  PodSandboxStats: runtime('PodSandboxStats'),
  ListPodSandboxStats: runtime('ListPodSandboxStats'),
  StreamPodSandboxStats: runtime('StreamPodSandboxStats'),
  UpdateRuntimeConfig: runtime('UpdateRuntimeConfig'),
  Status: runtime('Status'),
  CheckpointContainer: runtime('CheckpointContainer'),
  GetContainerEvents: runtime('GetContainerEvents'),
  ListMetricDescriptors: runtime('ListMetricDescriptors'),
  ListPodSandboxMetrics: runtime('ListPodSandboxMetrics'),
  StreamPodSandboxMetrics: runtime('StreamPodSandboxMetrics'),
  RuntimeConfig: runtime('RuntimeConfig'),
  UpdatePodSandboxResources: runtime('UpdatePodSandboxResources'),
  ListImages: image('ListImages'),
  StreamImages: image('StreamImages'),
  ImageStatus: image('ImageStatus'),
  PullImage: image('PullImage'),
  RemoveImage: image('RemoveImage'),
  ImageFsInfo: image('ImageFsInfo'),
} as const satisfies Steps;

const calls = (id: string, under: readonly string[], ...methods: readonly (keyof typeof criCalls)[]): Level => ({
  id,
  under,
  steps: Object.fromEntries(methods.map((method) => [method, criCalls[method]])),
  numbered: false,
});

/** The CRI calls that the kubelet makes outside of SyncPod. */
export const criLevels: readonly Level[] = [
  calls(
    'readPods',
    ['kubelet.relist', 'kubelet.syncTerminatingPod.verifyStopped'],
    'ListPodSandbox',
    'ListContainers',
    'PodSandboxStatus',
    'ContainerStatus',
  ),
  calls(
    'collectGarbage',
    ['kuberuntime.GarbageCollect'],
    'ListContainers',
    'RemoveContainer',
    'ListPodSandbox',
    'StopPodSandbox',
    'RemovePodSandbox',
  ),
  calls(
    'collectImages',
    ['kubelet.imageGarbageCollection'],
    'ListImages',
    'ListContainers',
    'ImageFsInfo',
    'RemoveImage',
  ),
  calls('execHooksAndProbes', ['lifecycle.postStart', 'lifecycle.preStop', 'kubelet.probe'], 'ExecSync'),
  calls('deleteContainers', ['kubelet.containerDeletor'], 'RemoveContainer'),
  { ...calls('deleteSandboxes', ['kubelet.sandboxDeletor'], 'RemovePodSandbox'), release: 'v1.20' },
  calls('checkRuntime', ['kubelet.syncLoopIteration'], 'Status'),
];
