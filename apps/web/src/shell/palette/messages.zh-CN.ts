/** Contains the Chinese texts of the command palette. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { paletteMessages } from './messages.en.ts';

export const palette = translateMessages(paletteMessages, {
  title: '搜索',
  label: '搜索 Pod、同步、场景和命令',
  results: '结果',
  nothing: '没有匹配项',
  commands: '命令',
  pods: 'Pod',
  syncs: '{pod} 的同步',
  scenarios: '场景',
  sync: '第 {number} 次同步',
  hint: '↑↓ 选择，Enter 打开，Esc 关闭',
});
