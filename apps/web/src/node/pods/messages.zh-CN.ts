/** Contains the Chinese texts of pods and containers. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { containerTypeMessages, podTextMessages } from './messages.en.ts';

export const podTexts = translateMessages(podTextMessages, {
  restarts: '{count, plural, other {# 次重启}}',
  ready: '{ready} 就绪',
  namespace: '命名空间 {namespace}',
  due: '已到期',
  graceOver: '宽限期已过',
  graceLeft: '剩余宽限期',
  backOffOver: '回退已结束；下一次同步会重试',
  untilPull: '距下一次拉取',
  untilStart: '距下一次启动',
});

export const containerTypes = translateMessages(containerTypeMessages, {
  sandbox: '沙箱',
  init: 'Init 容器',
  sidecar: '边车容器',
  container: '容器',
  ephemeral: '临时容器',
});
