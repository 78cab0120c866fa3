/**
 * Exports class mode: the messages between a class server, its teacher and its learners, the state of a class computed
 * from its events, and the verdicts on answers. Works in a browser.
 */
export * from './class-event.ts';
export {
  applyEvent,
  type ClassState,
  emptyClass,
  isVisibleTo,
  type Learner,
  learnerName,
  stuckSince,
  visibleTo,
} from './class-state.ts';
export { type AskedQuestion, type JudgedRun, judgeAnswer, restartTolerance } from './judge.ts';
export * from './messages.ts';
export { lessonQuestionId, parseLessonQuestionId, type Tally, tallyAnswers } from './questions.ts';
export { decodeRunPart, encodeRunPart, type RunContent } from './run-part.ts';
