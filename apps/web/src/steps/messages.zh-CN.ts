import type { Translation } from '../i18n/define-messages.ts';
import type { stepStateMessages, stepsMessages, syncOutcomeMessages } from './messages.en.ts';

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
