import type { Translation } from '../../i18n/define-messages.ts';
import type { stopMessages } from './messages.en.ts';

export const stop: Translation<typeof stopMessages> = {
  stopped: '停在{phase, select, after {之后} other {之前}}',
  callStack: '调用栈',
  variables: '变量',
  watch: '监视',
  changedSince: '自上次停止以来的变化',
  upstream: '上游：{name}',
  absent: '无',
  nothing: '无',
  more: '共 {total} 项，再显示 {count} 项',
  changed: '已变',
  changedTitle: '与上次停止时的值不同',
  setValue: '给 {name} 赋其他值',
  newValue: '{name} 的新值（JSON）',
  notJson: '这不是 JSON。',
  removeWatch: '移除 {expression}',
  watchPlaceholder: '表达式（CEL）：attempt > 1',
  addWatch: '添加监视表达式',
};
