/** Contains the Chinese texts of the run. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { runMessages } from './messages.en.ts';

export const run = translateMessages(runMessages, {
  restarted: '服务器已重新启动。这是新的运行。',
  repeated: '已重新执行到事件 {seq} 并暂停。请做出更改，然后恢复时间。',
});
