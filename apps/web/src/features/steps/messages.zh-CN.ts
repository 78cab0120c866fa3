/** Chinese texts of the Steps tab. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { stepStateMessages, stepsMessages, syncOutcomeMessages } from './messages.en.ts';

export const steps = translateMessages(stepsMessages, {
  notRun: '还没有为这个 Pod 运行过 SyncPod',
  notRunNote: 'kubelet 接纳 Pod 且卷挂载完成之后，Pod worker 才会调用 SyncPod。事件会说明它在等什么。',
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
});

export const stepStates = translateMessages(stepStateMessages, {
  done: '完成',
  failed: '失败',
  postponed: '等待中',
  canceled: '已取消',
  running: '进行中',
  stopped: '停在这里',
  skipped: '不需要',
  pending: '待执行',
  unreached: '未到达',
});

export const syncOutcomes = translateMessages(syncOutcomeMessages, {
  running: '进行中',
  failed: '失败',
  postponed: '等待中',
  done: '成功',
});
