/** Defines the problems that are reported to the author of a lesson. */
import type { Lesson } from './model.ts';

export interface LessonProblem {
  /** Line in the lesson, from 1. */
  readonly line: number;
  /** States which part is invalid and what is expected instead. */
  readonly message: string;
}

/** The result of parsing a lesson. */
export interface ParsedLesson {
  /** Undefined if there are problems. */
  readonly lesson: Lesson | undefined;
  readonly problems: readonly LessonProblem[];
}

/** Formats a problem as `crash-loops.md:12: …`. */
export const formatLessonProblem = ({ line, message }: LessonProblem, file: string): string =>
  `${file}:${line}: ${message}`;
