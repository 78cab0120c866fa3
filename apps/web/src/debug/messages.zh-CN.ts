import type { Translation } from '../i18n/define-messages.ts';
import type { debugMessages } from './messages.en.ts';

export const debug: Translation<typeof debugMessages> = {
  label: '调试器',
  continue: '继续',
  pause: '在下一个可停之处暂停',
  pausing: '正在暂停：worker 到下一个可停之处就停下',
  stepOver: '单步跳过',
  stepIn: '单步进入',
  stepOut: '单步跳出',
  restartSync: '重新开始本次同步',
  intervene: '干预',
  stopPlace: '“{step}”{phase, select, after {之后} other {之前}}',
  stopReason:
    '{reason, select, breakpoint {断点 {breakpoints}：{where}} goto {运行到此处：{where}} restart {已重新开始：{where}} pause {已暂停：{where}} other {单步：{where}}}',
  showPlace: '显示停在何处',
  count: '{count, plural, =0 {断点} other {# 个断点}}',
  faults: '{count, plural, =0 {故障} other {# 个故障}}',
  stepBreakpoint: '在“{title}”之前的断点',
};
