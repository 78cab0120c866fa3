/**
 * Contains the Chinese texts of the guide to the page. The texts of lanes and terms begin with the explained term and a
 * colon.
 */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { guideMessages, laneMessages, markMessages, termMessages } from './messages.en.ts';

export const guide = translateMessages(guideMessages, {
  title: '如何阅读本页',
  introduction:
    '在左侧选择一个 Pod。时间线显示它的整个生命周期，下方的选项卡显示一次同步的细节，右侧的检查器解释所选内容。' +
    '所有面板显示同一时刻。',
  marks: 'Pod 和步骤的标记',
  bars: '时间线中的条和标记',
  lanes: '泳道，从上到下',
  dots: '断点',
  dotsNote:
    '步骤旁的圆点让所选 Pod 停在该步骤之前。右键点击可应用到所有 Pod 或设置条件。带圆环的点会让所有 Pod 停下，' +
    '空心红点表示已停用，虚线点永远不会停。',
  terms: '术语',
});

export const guideMarks = translateMessages(markMessages, {
  done: '已完成',
  notNeeded: '本次同步不需要',
  progressing: '进行中',
  running: '正在运行且就绪',
  waiting: '等待中：回退、卷、镜像',
  failed: '失败',
  terminating: '正在终止，或已取消',
  stopped: '被调试器停止',
  pending: '待执行：尚未开始',
});

export const guideLanes = translateMessages(laneMessages, {
  pod: 'Pod：它的阶段。',
  worker: 'Pod worker：每次同步是一个条，其中有步骤和调用。',
  sandbox: '沙箱：Pod 的网络和命名空间的每次尝试。',
  containers: '容器：先是 Init 容器，然后是边车和应用容器；每次尝试一个条。',
  pulls: '镜像拉取：带有进度。',
  probes: '探针：启动、就绪和存活，每个结果一个标记。',
  events: '事件：kubectl describe 显示的内容。',
  debug: '停止与故障：调试器所做的改变。',
});

export const guideTerms = translateMessages(termMessages, {
  sync: '同步：Pod worker 对一个 Pod 的一次处理。',
  syncPod: 'SyncPod：使运行时与 Pod 的规约一致的函数。',
  sandbox: '沙箱：Pod 的容器共享的部分；在 Docker 中是 pause 容器。',
  cri: 'CRI：kubelet 与容器运行时之间的接口。',
  pleg: 'PLEG：每秒比较一次运行时中的容器，并报告变化。',
  backOff: '回退：重试之前的等待；每次加倍，最长五分钟。',
  syncResult: '结果：同步中一个操作对哪个目标做了什么；如果失败，还有错误。',
  fault: '故障：你在某个步骤注入的失败。',
  override: '覆盖：你在停止处所做的修改，会标为“由你修改”。',
});
