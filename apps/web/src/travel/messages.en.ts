/** What moving through time says. */
import { defineMessages } from '../i18n/define-messages.ts';

export const travelMessages = defineMessages('travel', {
  label: 'Time travel',
  toBeginning: 'To the beginning',
  reverseContinue: 'Back to the last breakpoint',
  stepBack: 'One step back',
  stepForth: 'One step forth',
  play: 'Play from here',
  stop: 'Stop playing',
  instant: 'Instant in view',
  now: 'now',
  end: 'the end',
  speed: 'Speed of playing',
  runAgain: 'Run again from here',
  live: 'Back to live',
  toEnd: 'To the end',
  passedOver: 'Breakpoint {breakpoint} is passed over: {message}',
});
