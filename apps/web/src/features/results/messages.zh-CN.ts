/** Contains the Chinese texts of the tables of results and events. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { tableMessages } from './messages.en.ts';

export const tables = translateMessages(tableMessages, {
  time: '时间',
  reason: '原因',
  container: '容器',
  message: '消息',
  seen: '次数',
  filterEvents: '筛选事件',
  warningsOnly: '只看警告',
  events: '事件',
  noEventMatches: '没有匹配的事件',
  inAll: '共 {count} 个。',
  noEvents: '还没有事件',
  noEventSource: '没有事件，因为未连接 API 服务器',
  noEventSourceNote:
    '真实的 kubelet 把事件发送到 API 服务器。启动 podscope observe 时加上 --kubeconfig FILE 即可读取。',
  noEventsNote: 'Pulling、Created、Started、BackOff 等会出现在这里，与 kubectl describe 显示的一样。',
  sync: '同步',
  action: '动作',
  target: '对象',
  error: '错误',
  duration: '耗时',
  syncResults: '同步结果',
  view: '视图',
  actions: '动作',
  of: '容器或镜像',
  outcome: '结果',
  inProgress: '进行中',
  succeeded: '成功',
  canceled: '已取消',
  noActions: '还没有动作',
  noActionsNote: '每个改变 Pod 的调用留下一条：拉取、创建、启动、回调、停止和删除。',
  noResults: '还没有结果',
  noResultsNote: 'SyncPod 的每个动作留下一条：CreatePodSandbox、StartContainer、KillContainer 及其错误。',
});
