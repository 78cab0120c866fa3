/** What the frame of lessons says; lessons speak for themselves. */
import { defineMessages } from '../i18n/define-messages.ts';

export const lessonMessages = defineMessages('lessons', {
  title: 'Lessons',
  lesson: 'Lesson',
  intro: 'Guided tours: each step sets a scene, asks what will happen, and lets it happen.',
  own: 'Open a lesson of your own',
  minutes: '{minutes, plural, one {# minute} other {# minutes}}',
  progress: '{done} of {count} steps',
  complete: 'Completed',
  start: 'Begin:',
  goOn: 'Go on with:',
  place: 'Step {step} of {count}',
  setting: 'The scene is being set…',
  playing: 'Time goes on…',
  choose: 'What do you say?',
  letHappen: 'Let it happen',
  stopped:
    'The run stands still at a breakpoint, {phase, select, before {before} other {after}} {point}. Look at its stack and variables in the inspector; then go on.',
  goOnFromStop: 'Go on',
  lookAt: 'Look at',
  where:
    '{at, select, pods {the pods} timeline {the timeline} steps {the steps} code {the code} results {the results} events {the events} logs {the log} spec {the spec} compare {the comparison} why {why, in the inspector} inspector {the inspector} time {the time slider} debugger {the debugger} other {the notes}}',
  lane: '{container} on the timeline',
  happened: 'happened',
  didNotHappen: 'did not happen',
  right: 'Right: that is what happened.',
  wrong: 'Not quite. What happened: {option}',
  undecided: 'The run was changed, so that it does not say which is right.',
  undecidedOwn: 'By its end this scene does not say which is right: exactly one option’s claim has to hold.',
  back: 'Back',
  next: 'Next',
  again: 'Once more',
  finish: 'Finish',
  close: 'End the lesson',
  noSuchLesson: 'There is no lesson {id}; the list of lessons has all of them.',
});
