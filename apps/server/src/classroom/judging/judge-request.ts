/** Declares the requests that the class server judges, and their results. */
import type { Question } from '@podscope/classroom';

/** A step of a lesson of the library, or of the lesson with this text. */
export interface StepRequest {
  readonly lesson: string;
  readonly step: string;
  readonly text?: string | undefined;
}

export type JudgeRequest =
  /** A question that the teacher asked about a scene. */
  | { readonly kind: 'question'; readonly question: Question }
  /** The question of a lesson's step. */
  | ({ readonly kind: 'lesson' } & StepRequest)
  /** An attempt at the exercise of a lesson's step. */
  | ({ readonly kind: 'attempt'; readonly manifest: string } & StepRequest);

export type JudgeResult =
  /** The right answer; undefined if the run doesn't decide it. */
  | { readonly kind: 'answer'; readonly actual: number | undefined }
  /** For each goal of the exercise, true if the attempt meets it. */
  | { readonly kind: 'goals'; readonly goals: readonly boolean[] }
  /** The server doesn't have the lesson or the scenario. */
  | { readonly kind: 'unknown' };

/** Plays the run of a request and judges it. Resolves with `unknown` if the run can't be played. */
export type Judge = (request: JudgeRequest) => Promise<JudgeResult>;
