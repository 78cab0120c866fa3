/** Contains the English texts of the lesson panel and dialog. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const lessonMessages = defineMessages('lessons', {
  title: 'Lessons',
  lesson: 'Lesson',
  intro: 'Guided tours: each step sets up a scenario, asks what will happen, and runs it.',
  own: 'Open your own lesson',
  write: 'Write a lesson',
  saveProgress: 'Save progress',
  loadProgress: 'Load progress',
  noProgress: 'This file has no progress in lessons.',
  minutes: '{minutes, plural, one {# minute} other {# minutes}}',
  progress: '{done} of {count} steps',
  complete: 'Completed',
  start: 'Start:',
  continue: 'Continue:',
  place: 'Step {step} of {count}',
  setting: 'Setting up the scenario…',
  playing: 'Running…',
  choose: 'What do you expect?',
  playStep: 'Run it',
  stopped:
    'Stopped at a breakpoint {phase, select, before {before} other {after}} {point}. Look at the call stack and ' +
    'the variables in the inspector, then continue.',
  continueFromStop: 'Continue',
  lookAt: 'Look at',
  where:
    '{at, select, pods {the pods} timeline {the timeline} steps {the steps} code {the code} results {the ' +
    'results} events {the events} logs {the log} spec {the spec} compare {the comparison} why {why, in the ' +
    'inspector} inspector {the inspector} time {the time slider} debugger {the debugger} other {the notes}}',
  lane: '{container} on the timeline',
  happened: 'happened',
  didNotHappen: 'did not happen',
  right: 'Right: that is what happened.',
  wrong: 'Not quite. The result: {option}',
  undecided: 'The run was changed, so it doesn’t show which answer is right.',
  undecidedOwn: 'The run ends without a decision: exactly one option’s claim must hold.',
  back: 'Back',
  next: 'Next',
  again: 'Replay',
  finish: 'Finish',
  nextLesson: 'Next lesson',
  following: 'Next lesson: {title}',
  close: 'End the lesson',
  print: 'Print the lesson',
  copyLink: 'Copy a link to this step',
  linkCopied: 'Link to this step copied.',
  noClipboard: 'The browser doesn’t allow this page to use the clipboard. The link is: {link}',
  teacherNotes: 'Notes for teachers',
  noSuchLesson: 'No lesson has the id {id}. The list shows all lessons.',
  manifest: 'Manifest',
  loadingEditor: 'Loading the editor…',
  manifestErrors: 'Errors in the manifest',
  apply: 'Apply and run {seconds} seconds',
  reset: 'Reset the manifest',
  goals: 'Goals',
  met: 'met',
  notMet: 'not met',
  repaired: '{number, plural, one {Solved at the first attempt.} other {Solved after # attempts.}}',
  notRepaired: 'Attempt {number}: not all goals are met yet. Look at the run, then edit the manifest again.',
  notApplied: 'The manifest was not applied.',
  hint: 'Show a hint ({left} left)',
  hints: 'Hints',
});

/** Levels of lessons. */
export const levelMessages = defineMessages('lessonLevels', {
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
  repair: 'Repair a pod',
});
