/** Contains the Chinese texts of slow motion. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { slowMotionMessages } from './messages.en.ts';

export const chineseSlowMotion = translateMessages(slowMotionMessages, {
  slowMotion: '慢动作',
  over: '这次同步已结束',
  place: '第 {step}/{count} 步，{milliseconds} 毫秒后',
  pace: '一秒放慢为 {factor} 秒',
  previous: '上一步',
  next: '下一步',
  play: '继续',
  pause: '暂停',
  end: '结束慢动作',
});
