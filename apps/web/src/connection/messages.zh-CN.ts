import type { Translation } from '../i18n/define-messages.ts';
import type { connectionMessages } from './messages.en.ts';

export const connection: Translation<typeof connectionMessages> = {
  catchingUp: '正在补收 {count, plural, other {# 个事件}}…',
  moving: '正在把这次运行重新执行一遍。到位后页面会自动继续。',
  newToken: '服务器换了新令牌',
  lost: '连接已断开',
  none: '没有连接',
  openAgain: '它已重新启动。请打开它在终端中打印的地址。',
  nothingLost: '没有丢失任何内容：事件 {seq, number} 之前的都在这里，之后的会补上。',
  isItRunning: '服务器在运行吗？请用 npx -y pnpm@12 start 启动它。',
  retryingIn: ' — {seconds} 秒后重试。',
  retrying: ' — 正在重试…',
  retryNow: '立即重试',
  lostBeforeAnswer: '在收到答复之前连接已断开；操作可能已经生效。',
  notConnected: '未连接到节点。',
  readOnly: '此服务器仅供查看（--read-only 或 --kubeconfig）：在这里不能更改任何内容。',
  recorded: '这是录制：其中不能更改任何内容。',
  past: '这是过去：回到现在才能更改。',
  noAnswer: '节点没有响应。',
  notUnderstood: '节点发来了本页无法理解的内容。页面与服务器的版本可能不同：请重新加载页面。',
  answerNotUnderstood: '无法理解对 {command} 的答复。页面与服务器的版本可能不同：请重新加载页面。',
  missingEvent: '缺少事件 {seq}；正在重新请求。',
};
