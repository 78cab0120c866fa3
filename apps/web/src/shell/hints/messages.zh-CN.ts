import type { Translation } from '../../i18n/define-messages.ts';
import type { hintMessages } from './messages.en.ts';

export const hints: Translation<typeof hintMessages> = {
  label: '提示',
  position: '提示 {number} / {count}',
  next: '下一条提示',
  done: '知道了',
  hide: '隐藏提示',
  stopTitle: '让 kubelet 停在某一步',
  stop: '点击步骤旁的圆点。下一次同步会停在那里：查看变量，改变接下来发生的事，再继续。',
  travelTitle: '回到过去',
  travel: '拖动时间线下方的滑块，所有面板都会显示那一刻；按 L 返回实时。',
  whyTitle: '追问原因',
  why: '在时间线中选择任意内容，检查器会列出 kubelet 权衡过的每条规则及其所见的事实。',
  findTitle: '一切都能用键盘完成',
  find: '{key} 可查找 Pod、同步、场景和命令。按 ? 查看所有按键。',
};
