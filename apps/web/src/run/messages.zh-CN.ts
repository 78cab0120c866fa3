import type { Translation } from '../i18n/define-messages.ts';
import type { runMessages } from './messages.en.ts';

export const run: Translation<typeof runMessages> = {
  restarted: '服务器已重新启动。这是它的新一次运行；之前显示的内容属于上一次运行。',
  repeated: '已重新运行到事件 {seq} 的时刻并停在那里：做些改变，然后让时间流动。',
};
