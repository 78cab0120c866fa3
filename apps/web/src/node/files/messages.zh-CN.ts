/** Contains the Chinese texts of files and recordings. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { fileMessages } from './messages.en.ts';

export const files = translateMessages(fileMessages, {
  fromFile: '这是录制：{name}。',
  fromStore: '这是已保存的运行：{name}。',
  nothingToDo: '这是录制，无法更改。',
  notYours: '此运行位于另一个浏览器中，无法在这里更改。',
  noLogs: '另一个浏览器中的运行是录制，没有日志。',
  noRun: '还没有可以保存的运行。',
});
