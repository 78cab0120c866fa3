import type { Translation } from '../i18n/define-messages.ts';
import type { stepStateMessages, stepsMessages, stepTextMessages, syncOutcomeMessages } from './messages.en.ts';

export const steps: Translation<typeof stepsMessages> = {
  notRun: '还没有为这个 Pod 运行过 SyncPod',
  notRunNote: 'kubelet 接纳 Pod 且卷就绪之后，Pod worker 才会调用它。事件会说明在等什么。',
  inspect: '检查',
  stepsOf: '第 {number} 次同步的步骤',
  otherResults: '步骤之外的结果',
  spoken: '步骤 {step}，{title}：{state}',
  spokenDetail: '步骤 {step}，{title}：{state}，{detail}',
  sync: '同步',
  syncOf: '第 {number} 次同步，共 {last} 次',
  previousSync: '上一次同步',
  nextSync: '下一次同步',
  latest: '最新',
};

export const stepStates: Translation<typeof stepStateMessages> = {
  done: '完成',
  failed: '失败',
  postponed: '推迟',
  canceled: '已取消',
  running: '进行中',
  stopped: '停在这里',
  skipped: '跳过',
  pending: '尚未到来',
  unreached: '未到达',
};

export const syncOutcomes: Translation<typeof syncOutcomeMessages> = {
  running: '进行中',
  failed: '失败',
  postponed: '推迟',
  done: '成功',
};

export const stepTexts: Translation<typeof stepTextMessages> = {
  computePodActions: '计算沙箱和容器的变化',
  computePodActionsNote: '将 Pod 与运行时显示的状态比较，决定要做什么。',
  killPod: '沙箱已变化时杀死 Pod',
  killPodNote: '当沙箱必须更换或已没有要运行的内容时，停止所有容器和沙箱。',
  killContainers: '杀死不该运行的容器',
  killContainersNote: '停止不健康、已改变或状态未知的容器。',
  createPodSandbox: '必要时创建沙箱',
  createPodSandboxNote: '请求运行时创建新的 Pod 沙箱，并读回它的地址。',
  onPodSandboxReady: '报告沙箱就绪',
  onPodSandboxReadyNote: '让 kubelet 在拉取镜像之前发布 PodReadyToStartContainers。',
  startEphemeralContainers: '启动临时容器',
  startEphemeralContainersNote: '启动添加到 Pod 的调试容器。',
  startInitContainers: '启动 Init 容器',
  startInitContainersNote: '启动轮到的 Init 容器和边车容器。',
  startNextInitContainer: '启动下一个 Init 容器',
  startNextInitContainerNote: '启动轮到的 Init 容器。',
  resizePodInPlace: '调整运行中容器的资源',
  resizePodInPlaceNote: '不重启就给运行中的容器新的 CPU 和内存。',
  startContainers: '启动容器',
  startContainersNote: '启动普通容器，每个都要等退避结束。',
};
