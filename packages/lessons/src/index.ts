/**
 * Exports lessons: guided tours over scenarios, written in Markdown. The package parses and validates lessons, and
 * checks answers against the events of a run. It depends on neither files nor the page. docs/lessons.md describes the
 * format.
 */
export { claimHolds, rightOption } from './claim.ts';
export * from './model.ts';
export { parseLesson } from './parse-lesson.ts';
export { formatLessonProblem, type LessonProblem, type ParsedLesson } from './problem.ts';
export { knownRecording } from './recording.ts';
export { translateLesson } from './translate-lesson.ts';
export { type Known, validateLesson } from './validate-lesson.ts';
