/** The lesson that is under way: which step, what was answered, what came true. */
import type { Lesson, LessonStep } from '@podscope/lessons';
import { create } from 'zustand';

/** setting: the scene is brought to where the step begins. playing: time goes on to where it ends. stopped: at the step's breakpoint, on the way there. */
type LessonPhase = 'setting' | 'ready' | 'playing' | 'stopped' | 'over';

/** Where a run stands still, and what the step wants to be seen there. */
export interface LessonStop {
  /** Id of the point. */
  readonly point: string;
  readonly phase: 'before' | 'after';
  /** Expressions with their values as text, or with why they have none. */
  readonly watched: readonly { readonly expression: string; readonly value: string }[];
}

export interface LessonState {
  /** Its id where it is one of the library's, to be loaded again in another language. */
  readonly lesson: Lesson | undefined;
  readonly isOwn: boolean;
  readonly step: number;
  readonly phase: LessonPhase;
  /** Index of the option that was chosen. */
  readonly answer: number | undefined;
  /** Index of the option that came true. */
  readonly right: number | undefined;
  readonly problem: string | undefined;
  /** Where its breakpoint stopped the run last. */
  readonly stop: LessonStop | undefined;
}

export const noLesson: LessonState = {
  lesson: undefined,
  isOwn: false,
  step: 0,
  phase: 'ready',
  answer: undefined,
  right: undefined,
  problem: undefined,
  stop: undefined,
};

export const useLesson = create<LessonState>()(() => noLesson);

/** The step in view. */
export const stepOf = ({ lesson, step }: LessonState): LessonStep | undefined => lesson?.steps[step];
