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
  start: 'Begin {title}',
  goOn: 'Go on with {title}',
  place: 'Step {step} of {count}',
  setting: 'The scene is being set…',
  playing: 'Time goes on…',
  choose: 'What do you say?',
  letHappen: 'Let it happen',
  right: 'Right: that is what happened.',
  wrong: 'Not quite. What happened: {option}',
  undecided: 'The run was changed, so that it does not say which is right.',
  back: 'Back',
  next: 'Next',
  again: 'Once more',
  finish: 'Finish',
  close: 'End the lesson',
  noSuchLesson: 'There is no lesson {id}; the list of lessons has all of them.',
});
