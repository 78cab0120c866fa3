import type { Translation } from '../../i18n/define-messages.ts';
import type { paletteMessages } from './messages.en.ts';

export const palette: Translation<typeof paletteMessages> = {
  title: '搜索',
  label: '搜索 Pod、同步、场景和命令',
  results: '结果',
  nothing: '没有依次包含这些字符的内容。',
  commands: '命令',
  pods: 'Pod',
  syncs: '{pod} 的同步',
  scenarios: '场景',
  sync: '第 {number} 次同步',
  hint: '↑↓ 选择，Enter 前往，Esc 关闭',
};
