/**
 * Exports class mode: the messages between a class server, its teacher and its learners, the state of a class computed
 * from its events, and the verdicts on answers. Works in a browser.
 */
export * from './class-event.ts';
export {
  applyEvent,
  type ClassState,
  emptyClass,
  forLearners,
  isVisibleTo,
  type Learner,
  learnerName,
  stuckSince,
  visibleTo,
} from './class-state.ts';
export {
  type AskedQuestion,
  actualAnswer,
  askedIn,
  type JudgedRun,
  judgeAnswer,
  judgingTime,
  restartTolerance,
  spansBegun,
  verdictOf,
} from './judge.ts';
export * from './messages.ts';
export {
  filedLesson,
  lessonQuestionId,
  lessonTaskOf,
  parseLessonQuestionId,
  type Tally,
  tallyAnswers,
  taskLessonId,
} from './questions.ts';
export { decodeRunPart, encodeRunPart, type LogChunk, type RunContent } from './run-part.ts';
