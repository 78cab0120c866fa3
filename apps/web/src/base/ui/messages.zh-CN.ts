/** Contains the Chinese texts of the UI kit. */
import { translateMessages } from '../i18n/define-messages.ts';
import { uiMessages } from './messages.en.ts';

export const ui = translateMessages(uiMessages, {
  close: '关闭',
  copied: '已复制',
  clear: '清除{field}',
  none: '无',
  less: '收起',
  allCharacters: '全部 {count, number} 个字符',
  moreOf: '再显示 {count} 个，共 {total} 个',
});
