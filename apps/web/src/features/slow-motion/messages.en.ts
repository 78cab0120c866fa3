/** Contains the English texts of slow motion. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const slowMotionMessages = defineMessages('slowMotion', {
  slowMotion: 'Slow motion',
  over: 'The sync is over',
  place: '{step} of {count}, after {milliseconds} ms',
  pace: 'One second takes {factor} seconds',
  previous: 'Previous step',
  next: 'Next step',
  play: 'Continue',
  pause: 'Pause',
  end: 'End slow motion',
});
