/** Chinese texts of the panel of a stopped pod. */
import { translateMessages } from '../../../base/i18n/define-messages.ts';
import { scopeMessages, stopMessages } from './messages.en.ts';

export const stop = translateMessages(stopMessages, {
  stopped: '停在执行{phase, select, after {之后} other {之前}}',
  callStack: '调用栈',
  variables: '变量',
  watch: '监视',
  changedSince: '自上次停止以来的变化',
  upstream: '上游：{name}',
  absent: '无',
  nothing: '空',
  more: '共 {total} 项，再显示 {count} 项',
  changed: '已变',
  changedTitle: '自上次停止以来已变化',
  setValue: '编辑 {name}',
  newValue: '{name} 的新值（JSON）',
  notJson: '不是有效的 JSON。',
  removeWatch: '移除 {expression}',
  watchPlaceholder: '表达式（CEL）：attempt > 1',
  addWatch: '添加监视表达式',
});

export const scopes = translateMessages(scopeMessages, {
  arguments: '参数',
  result: '结果',
  decision: '决策',
  found: '所得信息',
  request: 'CRI 请求',
  response: 'CRI 响应',
  podStatus: 'Pod 状态',
  apiStatus: 'API 状态',
  mirrorPod: '镜像 Pod（mirror pod）',
  container: '容器',
  sandboxConfig: '沙箱配置',
  containerConfig: '容器配置',
  backOff: '回退',
  imageBackOff: '镜像回退',
  imageErrors: '镜像错误',
  syncResults: '同步结果',
  sync: '同步',
});
