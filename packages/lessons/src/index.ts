/**
 * Exports lessons: guided tours over scenarios, written in Markdown. The package parses and validates lessons, and
 * checks answers against the events of a run. It depends on neither files nor the page. docs/learn/lessons.md
 * describes the format.
 */
export { checkStep, optionsOf } from './claims/check-step.ts';
export { claimHolds, type Run, rightOption } from './claims/claim.ts';
export {
  claimText,
  type DraftExercise,
  type DraftScene,
  type DraftStep,
  type DraftTexts,
  draftOf,
  formatLesson,
  type LessonDraft,
  type LessonLanguage,
  lessonLanguages,
  noTexts,
  readClaim,
  readGoal,
} from './draft.ts';
export { type AttemptActOfPod, attemptActs, attemptScenario, goalsMet } from './exercise/attempt.ts';
export { checkExercise, judgeAttempt, type PlayAttempt } from './exercise/check-exercise.ts';
export type { Known } from './known.ts';
export { knownReferences } from './known-references.ts';
export { inTeachingOrder, lessonLevels, levelOfLesson } from './lesson-order.ts';
export * from './model.ts';
export { forLearners, type ParsedLesson, parseLesson, withoutSolutions } from './parse/parse-lesson.ts';
export { parseScenario, scenarioFileEnding } from './parse/scenario-text.ts';
export { formatLessonProblem, formatProblem, type LessonProblem, type Problem, problemText } from './problem.ts';
export { translateLesson } from './translate-lesson.ts';
export { validateLesson } from './validate-lesson.ts';
