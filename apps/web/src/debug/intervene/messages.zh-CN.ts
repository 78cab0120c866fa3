import type { Translation } from '../../i18n/define-messages.ts';
import type { interveneMessages } from './messages.en.ts';

export const intervene: Translation<typeof interveneMessages> = {
  title: '干预',
  intro: '停在{title}{phase, select, after {之后} other {之前}}。流程会按你的选择继续，每个视图都会标明这是你所为。',
  do: '操作',
  fail: '以错误失败',
  delay: '延迟',
  hang: '挂起直到释放',
  answer: '代替它作答',
  set: '给变量赋其他值',
  skipWait: '立即启动，不管退避',
  httpStatus: 'HTTP 状态',
  cniCode: 'CNI 代码',
  grpcCode: 'gRPC 代码',
  result: '结果',
  success: '成功',
  failure: '失败',
  warning: '警告',
  message: '消息',
  for: '时长',
  submit: '执行并继续',
  gone: 'Pod 不再停止：它在此期间已经继续。',
};
