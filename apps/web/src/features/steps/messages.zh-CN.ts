/** Contains the Chinese texts of the Steps tab. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { depthMessages, shadowMessages, stepStateMessages, stepsMessages } from './messages.en.ts';

export const steps = translateMessages(stepsMessages, {
  notRun: '第一次同步尚未开始，所有步骤都待执行。',
  neverRan: '没有为这个 Pod 运行过同步。',
  forgotten: '这个 Pod 的同步早于现存最早的事件。',
  refused: 'kubelet 拒绝了这个 Pod，不会为它运行同步。',
  stepsOf: '第 {number} 次同步的步骤',
  stepsToCome: '第一次同步的步骤',
  spoken: '步骤 {step}，{title}：{state}',
  spokenDetail: '步骤 {step}，{title}：{state}，{detail}',
  spokenDone: '步骤 {step}，{title}：{detail}，{state}',
  spokenPlain: '{title}：{state}',
  spokenPlainDetail: '{title}：{state}，{detail}',
  spokenPlainDone: '{title}：{detail}，{state}',
  sync: '同步',
  syncOf: '第 {number} 次同步，共 {last} 次',
  laterSyncs: '之后的 {count} 次同步没有改变任何东西',
  previousSync: '上一次同步',
  nextSync: '下一次同步',
  latest: '最新',
  view: '视图',
  tree: '树',
  waterfall: '瀑布图',
  depth: '展开到',
  hideNotRun: '隐藏未运行的步骤',
  deadlineIn: '距截止时间 {left}',
});

export const stepDepths = translateMessages(depthMessages, {
  kubelet: 'kubelet 的步骤',
  kuberuntime: 'kuberuntime 的步骤',
  functions: '容器',
  cri: 'CRI 调用',
  all: '全部',
});

export const stepStates = translateMessages(stepStateMessages, {
  done: '完成',
  failed: '失败',
  waiting: '等待中',
  canceled: '已取消',
  running: '进行中',
  stopped: '停在这里',
  skipped: '不需要',
  pending: '待执行',
  unreached: '未到达',
  undecidable: '无法判定',
});

export const shadow = translateMessages(shadowMessages, {
  agrees: '与预测一致',
  differs: '与预测不同',
  unknown: '无法判定',
  predicted: '预测了但没有调用：{call}',
  observed: '调用了但没有预测到：{call}',
  order: '调用顺序不同：{call}',
  missing: '取决于任何来源都看不到的输入：{input}',
  exactBounds: '此次同步的起止时间是准确的：由 kubelet 自己报告。',
  inferredBounds: '此次同步的起止时间是根据调用推断的。',
  save: '将此次同步保存为文件',
  notCalled: '预测了，未调用',
  notPredicted: '未预测到',
});
