/** Contains the Chinese texts of the Code tab. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { codeMessages } from './messages.en.ts';

export const code = translateMessages(codeMessages, {
  fileName: '文件：{name}',
  openFile: '打开其他文件（Ctrl+P）',
  find: '转到文件或函数',
  findLabel: '文件或 kubelet 函数',
  noFile: '没有匹配项',
  upstream: '上游：{name}',
  upstreamTitle: '上游 kubelet 的同名函数',
  otherVersion: '节点运行的引擎版本与构建此页面时的不同。',
  line: '第 {line} 行',
  setBreakpoint: '设置断点',
  setForAllPods: '为所有 Pod 设置断点',
  removeBreakpoint: '移除断点',
  runToHere: '运行到此处',
  notStoppable: '此行不能设置断点，请选择带圆环的行。',
  noDebugger: '录制的运行无法停下。',
  back: '转到当前行',
  lineMenu: '第 {line} 行',
  variable: '在停下的栈帧中',
  attribute: '属于选中的 span',
  noValue: '没有值',
});
