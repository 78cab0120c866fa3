/** Contains the texts of the CRI calls. The titles are the names of the RPCs. */
import type { IDOf } from '../level.ts';
import type { criCalls } from '../levels/cri.ts';
import { named, type Texts } from './text.ts';

export const criTexts: Texts<IDOf<typeof criCalls>> = {
  'cri.Version': named(
    'Version',
    'Returns the names and versions of the runtime and of its API.',
    '返回运行时及其 API 的名称和版本。',
  ),
  'cri.RunPodSandbox': named('RunPodSandbox', 'Creates and starts a pod sandbox.', '创建并启动 Pod 沙箱。'),
  'cri.StopPodSandbox': named(
    'StopPodSandbox',
    'Stops a sandbox with its containers and releases its network.',
    '停止沙箱及其容器，并释放其网络。',
  ),
  'cri.RemovePodSandbox': named('RemovePodSandbox', 'Removes a sandbox with its containers.', '删除沙箱及其容器。'),
  'cri.PodSandboxStatus': named(
    'PodSandboxStatus',
    'Returns the state, IP addresses and namespaces of a sandbox.',
    '返回沙箱的状态、IP 地址和命名空间。',
  ),
  'cri.ListPodSandbox': named(
    'ListPodSandbox',
    'Lists sandboxes by id, state or labels.',
    '按 ID、状态或标签列出沙箱。',
  ),
  'cri.StreamPodSandboxes': named('StreamPodSandboxes', 'Lists sandboxes as a stream.', '以流的方式列出沙箱。'),
  'cri.CreateContainer': named(
    'CreateContainer',
    'Creates a container in a sandbox, without starting it.',
    '在沙箱中创建容器，但不启动。',
  ),
  'cri.StartContainer': named('StartContainer', 'Starts a container that was created.', '启动已创建的容器。'),
  'cri.StopContainer': named(
    'StopContainer',
    'Sends the stop signal, and SIGKILL after the timeout.',
    '发送停止信号，超时后发送 SIGKILL。',
  ),
  'cri.RemoveContainer': named(
    'RemoveContainer',
    'Removes a container; a running one is killed first.',
    '删除容器；如果正在运行，则先杀死。',
  ),
  'cri.ListContainers': named(
    'ListContainers',
    'Lists containers by id, state, sandbox or labels.',
    '按 ID、状态、沙箱或标签列出容器。',
  ),
  'cri.StreamContainers': named('StreamContainers', 'Lists containers as a stream.', '以流的方式列出容器。'),
  'cri.ContainerStatus': named(
    'ContainerStatus',
    'Returns the state, exit code, image and mounts of a container.',
    '返回容器的状态、退出码、镜像和挂载。',
  ),
  'cri.UpdateContainerResources': named(
    'UpdateContainerResources',
    'Changes the resources of a container.',
    '修改容器的资源。',
  ),
  'cri.ReopenContainerLog': named(
    'ReopenContainerLog',
    "Reopens a container's log file after it was rotated.",
    '日志轮转之后重新打开容器的日志文件。',
  ),
  'cri.ExecSync': named(
    'ExecSync',
    'Runs a command in a container and returns its output and exit code.',
    '在容器中运行命令，返回输出和退出码。',
  ),
  'cri.Exec': named(
    'Exec',
    'Returns a URL for running a command in a container with streams.',
    '返回一个 URL，用于在容器中以流的方式运行命令。',
  ),
  'cri.Attach': named(
    'Attach',
    "Returns a URL for attaching to a container's main process.",
    '返回一个 URL，用于连接到容器的主进程。',
  ),
  'cri.PortForward': named(
    'PortForward',
    'Returns a URL for forwarding ports of a sandbox.',
    '返回一个 URL，用于转发沙箱的端口。',
  ),
  'cri.ContainerStats': named(
    'ContainerStats',
    'Returns CPU, memory and disk usage of a container.',
    '返回容器的 CPU、内存和磁盘使用量。',
  ),
  'cri.ListContainerStats': named(
    'ListContainerStats',
    'Returns the usage of all containers that match a filter.',
    '返回匹配过滤条件的所有容器的使用量。',
  ),
  'cri.StreamContainerStats': named(
    'StreamContainerStats',
    'Returns the usage of containers as a stream.',
    '以流的方式返回容器的使用量。',
  ),
  'cri.PodSandboxStats': named(
    'PodSandboxStats',
    'Returns CPU, memory and network usage of a sandbox.',
    '返回沙箱的 CPU、内存和网络使用量。',
  ),
  'cri.ListPodSandboxStats': named(
    'ListPodSandboxStats',
    'Returns the usage of all sandboxes that match a filter.',
    '返回匹配过滤条件的所有沙箱的使用量。',
  ),
  'cri.StreamPodSandboxStats': named(
    'StreamPodSandboxStats',
    'Returns the usage of sandboxes as a stream.',
    '以流的方式返回沙箱的使用量。',
  ),
  'cri.UpdateRuntimeConfig': named(
    'UpdateRuntimeConfig',
    "Passes the node's pod CIDR to the runtime.",
    '把节点的 Pod CIDR 交给运行时。',
  ),
  'cri.Status': named(
    'Status',
    'Returns whether the runtime and its network are ready.',
    '返回运行时及其网络是否就绪。',
  ),
  'cri.CheckpointContainer': named(
    'CheckpointContainer',
    'Saves the state of a running container to an archive.',
    '把运行中容器的状态保存到归档文件。',
  ),
  'cri.GetContainerEvents': named(
    'GetContainerEvents',
    'Streams container events to the kubelet (evented PLEG).',
    '向 kubelet 持续发送容器事件（事件驱动的 PLEG）。',
  ),
  'cri.ListMetricDescriptors': named(
    'ListMetricDescriptors',
    'Lists the metrics that the runtime provides.',
    '列出运行时提供的指标。',
  ),
  'cri.ListPodSandboxMetrics': named(
    'ListPodSandboxMetrics',
    'Returns the metrics of all sandboxes.',
    '返回所有沙箱的指标。',
  ),
  'cri.StreamPodSandboxMetrics': named(
    'StreamPodSandboxMetrics',
    'Returns the metrics of sandboxes as a stream.',
    '以流的方式返回沙箱的指标。',
  ),
  'cri.RuntimeConfig': named(
    'RuntimeConfig',
    "Returns the runtime's configuration, such as its cgroup driver.",
    '返回运行时的配置，例如 cgroup 驱动。',
  ),
  'cri.UpdatePodSandboxResources': named(
    'UpdatePodSandboxResources',
    'Notifies the runtime that the resources of a pod change.',
    '通知运行时 Pod 的资源将改变。',
  ),
  'cri.ListImages': named('ListImages', 'Lists the images on the node.', '列出节点上的镜像。'),
  'cri.StreamImages': named('StreamImages', 'Lists images as a stream.', '以流的方式列出镜像。'),
  'cri.ImageStatus': named(
    'ImageStatus',
    'Returns an image, or nothing if it is not on the node.',
    '返回镜像；如果节点上没有，则返回空。',
  ),
  'cri.PullImage': named('PullImage', 'Pulls an image from its registry.', '从镜像仓库拉取镜像。'),
  'cri.RemoveImage': named('RemoveImage', 'Removes an image from the node.', '从节点删除镜像。'),
  'cri.ImageFsInfo': named('ImageFsInfo', 'Returns how much disk space images use.', '返回镜像占用的磁盘空间。'),
};
