/** Contains the Chinese texts of the connection to the node. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { connectionMessages } from './messages.en.ts';

export const connection = translateMessages(connectionMessages, {
  catchingUp: '正在补收 {count, plural, other {# 个事件}}…',
  moving: '正在重新执行这次运行。就绪后页面会自动继续。',
  newToken: '服务器换了新令牌',
  lost: '连接已断开',
  none: '没有连接',
  openAgain: '服务器已重新启动。请粘贴它在终端中打印的地址或令牌。',
  token: '地址或令牌',
  reconnect: '重新连接',
  nothingLost: '没有丢失任何内容。事件 {seq, number} 之后的内容会在重新连接后加载。',
  isItRunning: '服务器在运行吗？请用 npx -y pnpm@12 start 启动它。',
  retryingIn: ' — {seconds} 秒后重试。',
  retrying: ' — 正在重试…',
  retryNow: '立即重试',
  lostBeforeAnswer: '在收到响应之前连接已断开，命令可能已经生效。',
  noEngine: '本页中的引擎没有运行。',
  notConnected: '未连接到节点。',
  readOnly: '此服务器为只读（--read-only 或 --kubeconfig）。',
  recorded: '录制无法更改。',
  past: '返回实时后才能更改。',
  noAnswer: '节点没有响应。',
  notUnderstood: '节点发来了本页无法解析的消息。页面与服务器的版本可能不同：请重新加载页面。',
  answerNotUnderstood: '无法解析对 {command} 的响应。页面与服务器的版本可能不同：请重新加载页面。',
  newerNode: '节点使用协议 {node}，本页使用协议 {page}。请重新加载页面以获取新版本。',
  olderNode: '节点使用协议 {node}，本页使用协议 {page}。请升级服务器，然后重新加载页面。',
  newerLink: '链接的格式为 {link}，本页最高支持 {page}。部分内容可能缺失：请用更新版本的 Podscope 打开。',
  missingEvent: '缺少事件 {seq}，正在重新请求。',
});
