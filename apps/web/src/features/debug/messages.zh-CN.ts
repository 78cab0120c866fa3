/** Contains the Chinese texts of the debugger bar. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { debugMessages } from './messages.en.ts';

export const debug = translateMessages(debugMessages, {
  label: '调试器',
  continue: '继续',
  pause: '在下一个步骤暂停',
  pausing: '将在下一个步骤暂停…',
  stepOver: '单步跳过',
  stepIn: '单步进入',
  stepOut: '单步跳出',
  restartSync: '重新开始本次同步',
  intervene: '覆盖',
  stopPlace: '“{step}”{phase, select, after {之后} other {之前}}',
  stopReason:
    '{reason, select, breakpoint {断点：{where}} goto {运行到此处：{where}} restart {已重新开始：{where}} pause ' +
    '{已暂停：{where}} other {单步：{where}}}',
  showPlace: '显示停止位置',
  count: '{count, plural, =0 {断点} other {# 个断点}}',
  faults: '{count, plural, =0 {故障} other {# 个故障}}',
  continueAll: '{count, plural, other {继续全部 # 个已停止的 Pod}}',
  cancelPause: '取消暂停',
  notStoppedYet: 'Pod 仍在运行：它会在下一个步骤暂停。',
  notStopped: 'Pod 正在运行。请先暂停（F8）或设置断点。',
  stepBreakpoint: '在“{title}”之前的断点',
  stepToFindScope:
    '{scope, select, all {Shift+F8 会找到所有 Pod 的这一步。} other {Shift+F8 会找到 {pod} 的这一步。}}右键可编辑。',
  stepToFindHint: '让 Shift+F8 找到 {pod} 的这一步。右键可选择所有 Pod 或设置条件。',
  stepBreakpointHint: '让 {pod} 停在此处。右键可选择所有 Pod 或设置条件。',
  stepBreakpointScope: '{scope, select, all {所有 Pod 都会停在此处。} other {{pod} 会停在此处。}}右键可编辑。',
});
