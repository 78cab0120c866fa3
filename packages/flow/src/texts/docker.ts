/**
 * Contains the texts of the Docker Engine calls and the CNI commands. The titles of calls are names as in Docker's Go
 * client, because the CRI has calls with dockershim's own names.
 */
import type { IDOf } from '../level.ts';
import type { cniCommands, dockerCalls } from '../levels/docker.ts';
import { named, type Texts } from './text.ts';

export const dockerTexts: Texts<IDOf<typeof dockerCalls> | IDOf<typeof cniCommands>> = {
  'docker.Version': named(
    'ServerVersion',
    'Returns the version of the engine and of its API.',
    '返回引擎及其 API 的版本。',
  ),
  'docker.Info': named('Info', "Returns the engine's configuration and state.", '返回引擎的配置和状态。'),
  'docker.DiskUsage': named(
    'DiskUsage',
    'Returns how much disk space images, containers and volumes use.',
    '返回镜像、容器和卷占用的磁盘空间。',
  ),
  'docker.ListContainers': named('ContainerList', 'Lists containers by labels and state.', '按标签和状态列出容器。'),
  'docker.InspectContainer': named(
    'ContainerInspect',
    'Returns everything the engine knows about a container.',
    '返回引擎所知的容器的全部信息。',
  ),
  'docker.CreateContainer': named('ContainerCreate', 'Creates a container.', '创建容器。'),
  'docker.StartContainer': named('ContainerStart', 'Starts a container.', '启动容器。'),
  'docker.StopContainer': named(
    'ContainerStop',
    'Sends the stop signal, and SIGKILL after the timeout.',
    '发送停止信号，超时后发送 SIGKILL。',
  ),
  'docker.RemoveContainer': named(
    'ContainerRemove',
    'Removes a container with its anonymous volumes.',
    '删除容器及其匿名卷。',
  ),
  'docker.UpdateContainerResources': named(
    'ContainerUpdate',
    'Changes the limits of a container.',
    '修改容器的资源限制。',
  ),
  'docker.Stats': named(
    'Stats',
    'Returns CPU, memory, disk and network usage of a container.',
    '返回容器的 CPU、内存、磁盘和网络使用量。',
  ),
  'docker.CreateExec': named('ContainerExecCreate', 'Prepares a command in a container.', '准备在容器中运行的命令。'),
  'docker.StartExec': named(
    'ContainerExecStart',
    'Runs a prepared command and streams its output.',
    '运行已准备的命令，并传输其输出。',
  ),
  'docker.InspectExec': named(
    'ContainerExecInspect',
    'Returns whether a command runs, and its exit code.',
    '返回命令是否在运行及其退出码。',
  ),
  'docker.Attach': named(
    'ContainerAttach',
    "Connects to the streams of a container's main process.",
    '连接到容器主进程的流。',
  ),
  'docker.ResizeExec': named('ContainerExecResize', 'Sets the terminal size of a command.', '设置命令的终端大小。'),
  'docker.ResizeContainer': named('ContainerResize', 'Sets the terminal size of a container.', '设置容器的终端大小。'),
  'docker.ListImages': named('ImageList', 'Lists the images of the engine.', '列出引擎中的镜像。'),
  'docker.InspectImage': named(
    'ImageInspect',
    'Returns the id, digests and configuration of an image.',
    '返回镜像的 ID、摘要和配置。',
  ),
  'docker.PullImage': named(
    'ImagePull',
    'Pulls an image and reports the progress of its layers.',
    '拉取镜像，并报告各层的进度。',
  ),
  'docker.RemoveImage': named('ImageRemove', 'Removes an image from the engine.', '从引擎删除镜像。'),
  'cni.ADD': named('ADD', "Connects the pod's network namespace.", '连接 Pod 的网络命名空间。'),
  'cni.DEL': named('DEL', 'Removes what ADD set up.', '移除 ADD 所设置的内容。'),
  'cni.CHECK': named(
    'CHECK',
    'Verifies that what ADD set up is still in place.',
    '检查 ADD 所设置的内容是否仍然存在。',
  ),
  'cni.STATUS': named('STATUS', 'Returns whether the network is ready for pods.', '返回网络是否可以接收 Pod。'),
  'cni.VERSION': named(
    'VERSION',
    'Returns the versions of the CNI specification that the plugin supports.',
    '返回插件支持的 CNI 规范版本。',
  ),
};
