/** Stores the open lesson: its step, the answer and the result. */
import type { Lesson, LessonStep } from '@podscope/lessons';
import type { ManifestError } from '@podscope/protocol';
import { create } from 'zustand';
import type { GivenLesson } from '../given-lesson.ts';

/**
 * `setting`: the scene is being prepared. `playing`: the run advances to the end of the step. `stopped`: the run is at
 * the step's breakpoint.
 */
type LessonPhase = 'setting' | 'ready' | 'playing' | 'stopped' | 'over';

/** The stop of the run and its watched values. */
export interface LessonStop {
  /** Id of the point. */
  readonly point: string;
  readonly phase: 'before' | 'after';
  /** Expressions with their values or errors as text. */
  readonly watched: readonly { readonly expression: string; readonly value: string }[];
}

/** The result of the latest attempt at an exercise. */
interface LessonAttempt {
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly manifest: string;
  /** Why the manifest wasn't applied. */
  readonly errors: readonly ManifestError[];
  /** For each goal, true if it is met; empty if the manifest wasn't applied. */
  readonly goals: readonly boolean[];
}

export interface LessonState {
  /** The open lesson. A lesson of the library is loaded again by its id when the language changes. */
  readonly lesson: Lesson | undefined;
  /** The text of the open lesson; undefined for a lesson of the library. */
  readonly source: GivenLesson | undefined;
  readonly step: number;
  readonly phase: LessonPhase;
  /** Index of the chosen option. */
  readonly answer: number | undefined;
  /** Index of the correct option. */
  readonly right: number | undefined;
  readonly problem: string | undefined;
  /** The latest stop at the step's breakpoint. */
  readonly stop: LessonStop | undefined;
  /** The manifest with which the current exercise begins. */
  readonly manifest: string | undefined;
  readonly attempt: LessonAttempt | undefined;
}

export const noLesson: LessonState = {
  lesson: undefined,
  source: undefined,
  step: 0,
  phase: 'ready',
  answer: undefined,
  right: undefined,
  problem: undefined,
  stop: undefined,
  manifest: undefined,
  attempt: undefined,
};

export const useLesson = create<LessonState>()(() => noLesson);

/** Returns the current step. */
export const stepOf = ({ lesson, step }: LessonState): LessonStep | undefined => lesson?.steps[step];
