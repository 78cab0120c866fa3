/**
 * Exports lessons: guided tours over scenarios, written in Markdown. Parses and validates them, and checks answers
 * against the events of a run. Independent of files and pages. docs/lessons.md describes the format.
 */
export { claimHolds, rightOption } from './claim.ts';
export * from './model.ts';
export { parseLesson } from './parse-lesson.ts';
export { formatLessonProblem, type LessonProblem, type ParsedLesson } from './problem.ts';
export { knownRecording } from './recording.ts';
export { translateLesson } from './translate-lesson.ts';
export { type Known, validateLesson } from './validate-lesson.ts';
