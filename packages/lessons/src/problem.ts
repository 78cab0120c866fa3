/** What is wrong with a lesson, for its writer. */
import type { Lesson } from './model.ts';

export interface LessonProblem {
  /** From 1. */
  readonly line: number;
  /** Names the thing, and what it should be. */
  readonly message: string;
}

/** A lesson, as far as it could be read, and all that is wrong with it. */
export interface ParsedLesson {
  /** Undefined where there are problems. */
  readonly lesson: Lesson | undefined;
  readonly problems: readonly LessonProblem[];
}

/** `crash-loops.md:12: …`. */
export const formatLessonProblem = ({ line, message }: LessonProblem, file: string): string => `${file}:${line}: ${message}`;
