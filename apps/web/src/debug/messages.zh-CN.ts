import type { Translation } from '../i18n/define-messages.ts';
import type { debugMessages } from './messages.en.ts';

export const debug: Translation<typeof debugMessages> = {
  label: '调试器',
  continue: '继续',
  pause: '在下一个关口暂停',
  pausing: '正在暂停：工作线程经过下一个关口时停下',
  stepOver: '单步跳过',
  stepIn: '单步进入',
  stepOut: '单步跳出',
  restartSync: '重新开始本次同步',
  intervene: '干预',
  showPlace: '显示停在何处',
  count: '{count, plural, =0 {断点} other {# 个断点}}',
  faults: '{count, plural, =0 {故障} other {# 个故障}}',
  stepBreakpoint: '在“{title}”之前的断点',
};
