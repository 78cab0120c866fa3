/** Contains the Chinese texts of the pod list. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { podMessages } from './messages.en.ts';

export const pods = translateMessages(podMessages, {
  title: 'Pod 列表',
  newPod: '新建 Pod',
  filter: '筛选 Pod',
  options: '排序和筛选',
  order: '排序方式',
  byname: '名称',
  bystatus: '有问题的优先',
  byrestarts: '重启最多的优先',
  byage: '最新的优先',
  namespace: '命名空间',
  allNamespaces: '所有命名空间',
  deleted: '已删除 {count, number} 个',
  hideDeleted: '隐藏已删除的 Pod',
  showDeleted: '显示已删除的 Pod',
  clearDeleted: '从列表中清除已删除的 Pod',
  cleared: '已清除 {count, number} 个',
  showAgain: '重新显示',
  noneMatches: '没有匹配的 Pod',
  searched: '按名称、命名空间和状态查找。',
  none: '没有 Pod',
  noneYet: '一有 Pod 就会显示在这里。',
  reading: '正在加载 Pod…',
  noEngine: '本页中的引擎没有运行。',
  away: '节点没有响应；恢复后 Pod 会显示在这里。',
  readyContainers: '就绪的容器',
  pausedAt: '停在“{step}”{phase, select, after {之后} other {之前}}',
});
