/** Contains the English texts of time travel. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const travelMessages = defineMessages('travel', {
  label: 'Time travel',
  toBeginning: 'Go to start',
  reverseContinue: 'Back to the last breakpoint',
  stepBack: 'Step back',
  stepForward: 'Step forward',
  play: 'Play from here',
  stop: 'Pause playback',
  instant: 'Position in time',
  now: 'now',
  end: 'the end',
  speed: 'Playback speed',
  runAgain: 'Replay from here',
  live: 'Back to live',
  toEnd: 'Go to end',
  passedOver: 'Breakpoint {breakpoint} was ignored: {message}',
});
