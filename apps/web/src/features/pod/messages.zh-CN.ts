/** Contains the Chinese texts of the pod header and the deletion dialog. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { podHeaderMessages } from './messages.en.ts';

export const podHeader = translateMessages(podHeaderMessages, {
  nextTryDue: '即将重试',
  nextTryIn: '{time} 后重试',
  backOff: '（回退 {seconds} 秒）',
  delete: '删除',
  deleteSooner: '提前删除',
  deleteNamed: '删除 {name}',
  deleteQuestion: '删除 {name}？',
  deleteText: '先运行 preStop 钩子，然后容器收到 SIGTERM，宽限期结束后收到 SIGKILL。它的历史会保留在这里。',
  gracePeriod: '宽限期（秒）',
  keep: '取消',
  deletePod: '删除 Pod',
  beingDeleted: '正在删除 pod/{name}。',
});
