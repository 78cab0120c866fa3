import type { Translation } from '../i18n/define-messages.ts';
import type { uiMessages } from './messages.en.ts';

export const ui: Translation<typeof uiMessages> = {
  close: '关闭',
  copied: '已复制',
  clear: '清除{field}',
  none: '无',
  injected: '注入',
};
