import type { Translation } from '../i18n/i18n.ts';
import type { tabTitleMessages } from './messages.en.ts';

export const tabTitles: Translation<typeof tabTitleMessages> = {
  steps: '步骤',
  code: '代码',
  results: '结果',
  events: '事件',
  logs: '日志',
  spec: '规约',
  compare: '对比',
};
