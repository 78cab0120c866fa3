/** Contains the Chinese texts for opening files. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { openFileMessages } from './messages.en.ts';

export const openFile = translateMessages(openFileMessages, {
  problem: '{name}：{problem}',
  drop: '放下清单文件即可编辑，放下已保存的运行即可打开',
});
