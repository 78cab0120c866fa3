/** Contains the Chinese texts of the override dialog. */
import { translateMessages } from '../../../base/i18n/define-messages.ts';
import { interveneMessages } from './messages.en.ts';

export const intervene = translateMessages(interveneMessages, {
  title: '覆盖',
  intro: '停在{title}{phase, select, after {之后} other {之前}}。流程会按你的选择继续执行，并在各处标明。',
  do: '操作',
  fail: '以错误失败',
  delay: '延迟',
  hang: '挂起，直到释放或截止时间',
  answer: '直接返回结果',
  set: '编辑变量',
  skipWait: '立即启动，忽略回退',
  httpStatus: 'HTTP 状态',
  cniCode: 'CNI 代码',
  grpcCode: 'gRPC 代码',
  result: '结果',
  success: '成功',
  failure: '失败',
  warning: '警告',
  message: '消息',
  for: '时长',
  submit: '应用并继续',
  gone: 'Pod 已不再停止。',
});
