/**
 * Lessons: guided tours over scenarios, written in Markdown. This package reads and checks them, and judges answers by what really
 * happened; it knows neither files nor a page. docs/lessons.md describes the format.
 */
export { claimHolds, rightOption } from './claim.ts';
export * from './model.ts';
export { parseLesson } from './parse-lesson.ts';
export { formatLessonProblem, type LessonProblem, type ParsedLesson } from './problem.ts';
export { knownRecording } from './recording.ts';
export { translateLesson } from './translate-lesson.ts';
export { type Known, validateLesson } from './validate-lesson.ts';
