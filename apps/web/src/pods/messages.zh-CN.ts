import type { Translation } from '../i18n/define-messages.ts';
import type { podMessages } from './messages.en.ts';

export const pods: Translation<typeof podMessages> = {
  title: 'Pod',
  newPod: '新建 Pod',
  filter: '筛选 Pod',
  noneMatches: '没有匹配的 Pod',
  searched: '按名称、命名空间和状态查找。',
  none: '没有 Pod',
  noneYet: '一有 Pod 就会显示在这里。',
  reading: '正在读取 Pod…',
  away: '节点没有响应；恢复后 Pod 会显示在这里。',
  restarts: '{count, plural, other {# 次重启}}',
  readyContainers: '就绪的容器',
  ready: '{ready} 就绪',
  namespace: '命名空间 {namespace}',
  pausedAt: '停在“{step}”{phase, select, after {之后} other {之前}}',
  due: '已到期',
  graceOver: '宽限期已过',
  graceLeft: '剩余宽限期',
  backOffOver: '退避已结束；下一次同步会重试',
  untilPull: '距下一次拉取',
  untilStart: '距下一次启动',
};
