/** Contains the Chinese texts of time travel. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { travelMessages } from './messages.en.ts';

export const travel = translateMessages(travelMessages, {
  label: '时间旅行',
  toBeginning: '回到开头',
  reverseContinue: '回到上一个断点',
  stepBack: '后退一步',
  stepForward: '前进一步',
  play: '从此处播放',
  stop: '暂停播放',
  instant: '时间位置',
  now: '现在',
  end: '末尾',
  speed: '播放速度',
  runAgain: '从此处重新执行',
  live: '回到实时',
  toEnd: '到末尾',
  passedOver: '已忽略断点 {breakpoint}：{message}',
});
