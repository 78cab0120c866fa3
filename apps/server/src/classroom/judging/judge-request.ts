/** Declares what the class server judges, and the results. */
import type { Question } from '@podscope/classroom';

export type JudgeRequest =
  /** A question that the teacher asked about a scene. */
  | { readonly kind: 'question'; readonly question: Question }
  /** The question of a lesson's step. */
  | { readonly kind: 'lesson'; readonly lesson: string; readonly step: string }
  /** An attempt at the exercise of a lesson's step. */
  | { readonly kind: 'attempt'; readonly lesson: string; readonly step: string; readonly manifest: string };

export type JudgeResult =
  /** The right answer; undefined if the run doesn't decide it. */
  | { readonly kind: 'answer'; readonly actual: number | undefined }
  /** For each goal of the exercise whether the attempt meets it. */
  | { readonly kind: 'goals'; readonly goals: readonly boolean[] }
  /** The server has neither such a lesson nor such a scenario. */
  | { readonly kind: 'unknown' };

/** Plays a request's run and judges it. Resolves with `unknown` if that isn't possible. */
export type Judge = (request: JudgeRequest) => Promise<JudgeResult>;
