/** Contains the Chinese texts of the first-run hints. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { hintMessages } from './messages.en.ts';

export const hints = translateMessages(hintMessages, {
  label: '提示',
  position: '提示 {number} / {count}',
  next: '下一条提示',
  done: '知道了',
  hide: '隐藏提示',
  stopTitle: '让 kubelet 停在某一步',
  stop: '点击步骤旁的圆点。下一次同步会停在那里：查看变量，改变接下来发生的事，再继续。',
  stopCallTitle: '让 kubelet 停在某次调用',
  stopCall: '点击 CRI 调用旁的圆点。下一次这样的调用会等待，直到你继续，或截止时间将至。',
  findStopTitle: '回到某一步',
  findStop: '点击步骤旁的圆点，再按 Shift+F8。页面会显示 kubelet 上一次到达那里的时刻。',
  travelTitle: '回到过去',
  travel: '拖动时间线下方的滑块，所有面板都会显示那一刻；按 L 返回实时。',
  whyTitle: '查看原因',
  why: '在时间线中选择任意内容，检查器会列出 kubelet 评估过的每条规则及其依据的值。',
  findTitle: '使用键盘',
  find: '{key} 可查找 Pod、同步、场景和命令。按 ? 查看所有快捷键。',
});
