/** Chinese texts of the debugger bar. */
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
    '{reason, select, breakpoint {断点 {breakpoints}：{where}} goto {运行到此处：{where}} restart {已重新开始：{where}} pause ' +
    '{已暂停：{where}} other {单步：{where}}}',
  showPlace: '显示停止位置',
  count: '{count, plural, =0 {断点} other {# 个断点}}',
  faults: '{count, plural, =0 {故障} other {# 个故障}}',
  stepBreakpoint: '在“{title}”之前的断点',
});
