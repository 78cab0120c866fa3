import type { Translation } from '../i18n/define-messages.ts';
import type { travelMessages } from './messages.en.ts';

export const travel: Translation<typeof travelMessages> = {
  label: '时间旅行',
  toBeginning: '回到开头',
  reverseContinue: '回到上一个断点',
  stepBack: '后退一步',
  stepForth: '前进一步',
  play: '从此处播放',
  stop: '停止播放',
  instant: '当前查看的时刻',
  now: '现在',
  end: '末尾',
  speed: '播放速度',
  runAgain: '从此处重新运行',
  live: '回到实时',
  toEnd: '到末尾',
  passedOver: '跳过断点 {breakpoint}：{message}',
};
