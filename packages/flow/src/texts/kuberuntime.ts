/** Contains the texts of the runtime manager's entry points, functions and SyncPod steps. */
import type { IDOf } from '../level.ts';
import type {
  killContainerSteps,
  runtimeManagerDecisions,
  runtimeManagerEntries,
  runtimeManagerFunctions,
  syncPodSteps,
  syncPodStepsV120,
} from '../levels/kuberuntime.ts';
import { named, type Texts, titled } from './text.ts';

type KuberuntimeID =
  | IDOf<typeof runtimeManagerEntries>
  | IDOf<typeof runtimeManagerFunctions>
  | IDOf<typeof syncPodSteps>
  | IDOf<typeof syncPodStepsV120>
  | IDOf<typeof runtimeManagerDecisions>
  | (typeof killContainerSteps)['gracePeriod']['id'];

export const kuberuntimeTexts: Texts<KuberuntimeID> = {
  'kuberuntime.SyncPod': named(
    'kuberuntime SyncPod',
    'Makes the sandbox and containers of a pod match its spec.',
    '使 Pod 的沙箱和容器与其规约一致。',
  ),
  'kuberuntime.KillPod': named(
    'kuberuntime KillPod',
    'Stops all containers and sandboxes of a pod.',
    '停止 Pod 的所有容器和沙箱。',
  ),
  'kuberuntime.GarbageCollect': named(
    'GarbageCollect',
    'Removes dead containers, unused sandboxes and log directories of removed pods.',
    '删除已退出的容器、不再使用的沙箱，以及已删除的 Pod 的日志目录。',
  ),
  'kuberuntime.doBackOff': named(
    'doBackOff',
    'Checks whether the container is still in back-off after its last exit.',
    '检查容器在上次退出之后是否仍处于回退期。',
  ),
  'kuberuntime.startContainer': named(
    'startContainer',
    'Starts one container: pulls its image, creates it, starts it and runs its postStart hook.',
    '启动一个容器：拉取镜像、创建、启动，并运行 postStart 回调。',
  ),
  'kuberuntime.killContainer': named(
    'killContainer',
    'Stops one container: runs its preStop hook, then stops it within what is left of the grace period.',
    '停止一个容器：先运行 preStop 回调，再在剩余的宽限期内停止它。',
  ),
  'kuberuntime.pruneInitContainersBeforeStart': named(
    'pruneInitContainersBeforeStart',
    'Removes old instances of init containers and keeps the newest one of each.',
    '删除 Init 容器的旧实例，每个 Init 容器只保留最新的一个。',
  ),
  'kuberuntime.purgeInitContainers': named(
    'purgeInitContainers',
    'Removes all init containers, because they run again in the new sandbox.',
    '删除所有 Init 容器，因为它们要在新的沙箱中重新运行。',
  ),
  'images.EnsureImageExists': named(
    'EnsureImageExists',
    'Makes sure that the image is on the node, and pulls it if the pull policy requires it.',
    '确保镜像在节点上；如果拉取策略要求，则拉取镜像。',
  ),
  'lifecycle.postStart': named(
    'postStart',
    "Runs the container's postStart hook. If it fails, the container is killed.",
    '运行容器的 postStart 回调。如果失败，则杀死容器。',
  ),
  'lifecycle.preStop': named(
    'preStop',
    "Runs the container's preStop hook within the grace period.",
    '在宽限期内运行容器的 preStop 回调。',
  ),
  'lifecycle.preCreateContainer': named(
    'PreCreateContainer',
    'Adds the CPUs and NUMA nodes that the resource managers have assigned to the container configuration.',
    '把资源管理器分配的 CPU 和 NUMA 节点加入容器配置。',
  ),
  'lifecycle.preStartContainer': named(
    'PreStartContainer',
    'Registers the created container with the CPU, memory and topology managers.',
    '把已创建的容器登记到 CPU、内存和拓扑管理器。',
  ),
  generatePodSandboxConfig: titled(
    ['Sandbox configuration', 'Builds host name, DNS, ports, labels and security context of the sandbox from the pod.'],
    ['沙箱配置', '由 Pod 生成沙箱的主机名、DNS、端口、标签和安全上下文。'],
  ),
  'createPodSandbox.logDirectory': titled(
    ['Log directory', "Creates the directory of the pod's container logs."],
    ['日志目录', '创建存放 Pod 容器日志的目录。'],
  ),
  'createPodSandbox.runtimeHandler': titled(
    ['Runtime handler', 'Looks up the handler of the RuntimeClass that the pod names.'],
    ['运行时处理程序', '查找 Pod 所指定的 RuntimeClass 的处理程序。'],
  ),
  determinePodSandboxIPs: titled(
    ['Addresses of the sandbox', "Takes the pod's addresses from the status of the sandbox."],
    ['沙箱的地址', '从沙箱的状态取得 Pod 的地址。'],
  ),
  generateContainerConfig: titled(
    [
      'Container configuration',
      'Builds command, environment, mounts, resources and security context of the container.',
    ],
    ['容器配置', '生成容器的命令、环境变量、挂载、资源和安全上下文。'],
  ),
  'startContainer.logLink': titled(
    ['Log link', 'Links the log in the directory that older log collectors watch.'],
    ['日志链接', '在旧的日志收集器所监视的目录中创建指向日志的链接。'],
  ),
  'killContainer.gracePeriod': titled(
    ['Grace period', 'Decides how many seconds the container has between SIGTERM and SIGKILL.'],
    ['宽限期', '决定容器在 SIGTERM 与 SIGKILL 之间有多少秒。'],
  ),
  'syncPod.computePodActions': titled(
    ['Compute sandbox and container changes', 'Compares the pod with what the runtime reports and decides what to do.'],
    ['计算沙箱和容器的变化', '将 Pod 与运行时报告的状态比较，决定要做什么。'],
  ),
  'syncPod.killPod': titled(
    [
      'Kill the pod if the sandbox has changed',
      'Stops all containers and the sandbox if the sandbox must be replaced or nothing is left to run.',
    ],
    ['沙箱已变化时杀死 Pod', '当沙箱必须更换或已没有要运行的内容时，停止所有容器和沙箱。'],
  ),
  'syncPod.killContainers': titled(
    ['Kill containers that should not run', 'Stops containers that are unhealthy, changed or in an unknown state.'],
    ['杀死不该运行的容器', '停止不健康、已改变或状态未知的容器。'],
  ),
  'syncPod.createPodSandbox': titled(
    ['Create the sandbox if necessary', 'Creates a new pod sandbox and reads its IP addresses.'],
    ['必要时创建沙箱', '创建新的 Pod 沙箱，并读取它的 IP 地址。'],
  ),
  'syncPod.onPodSandboxReady': titled(
    ['Report the sandbox ready', 'Lets the kubelet publish PodReadyToStartContainers before images are pulled.'],
    ['报告沙箱就绪', '让 kubelet 在拉取镜像之前发布 PodReadyToStartContainers。'],
  ),
  'syncPod.startEphemeralContainers': titled(
    ['Start ephemeral containers', 'Starts debug containers that were added to the pod.'],
    ['启动临时容器', '启动添加到 Pod 的调试容器。'],
  ),
  'syncPod.startInitContainers': titled(
    ['Start init containers', 'Starts the init containers and sidecars that are next; v1.20 starts one at a time.'],
    ['启动 Init 容器', '启动接下来的 Init 容器和边车容器；v1.20 每次启动一个。'],
  ),
  'syncPod.resizePodInPlace': titled(
    ['Resize running containers', 'Changes CPU and memory of running containers without a restart.'],
    ['调整运行中容器的资源', '在不重启的情况下改变运行中容器的 CPU 和内存。'],
  ),
  'syncPod.startContainers': titled(
    ['Start containers', "Starts the regular containers that aren't in back-off."],
    ['启动容器', '启动未处于回退期的普通容器。'],
  ),
};
