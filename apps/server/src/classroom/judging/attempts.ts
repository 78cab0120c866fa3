/**
 * Judges attempts at exercises in the order of their arrival. If a learner has several waiting attempts, only the
 * newest is judged.
 */
import type { Judge, JudgeRequest } from './judge-request.ts';

type Attempt = Extract<JudgeRequest, { kind: 'attempt' }>;

/** Receives the number of a judged attempt, from 1. For each goal, `goals` is true if the attempt meets it. */
type OnJudged = (learner: string, question: string, attempt: number, goals: readonly boolean[]) => void;

/** Maximum number of exercises that one learner attempts. A learner may name exercises that don't exist. */
const most = 200;

export class Attempts {
  readonly #judge: Judge;
  readonly #onJudged: OnJudged;
  /** The newest attempt of each learner and question that isn't judged yet. */
  readonly #waiting = new Map<
    string,
    { readonly question: string; readonly number: number; readonly attempt: Attempt }
  >();
  /** Numbers of the last attempts, by learner and question. */
  readonly #numbers = new Map<string, Map<string, number>>();
  #isJudging = false;

  constructor(judge: Judge, onJudged: OnJudged) {
    this.#judge = judge;
    this.#onJudged = onJudged;
  }

  /** Adds an attempt. It is judged after all attempts that were added before. */
  add(learner: string, question: string, attempt: Attempt): void {
    const numbers = this.#numbers.get(learner) ?? new Map<string, number>();
    if (!numbers.has(question) && numbers.size >= most) return;
    const number = (numbers.get(question) ?? 0) + 1;
    this.#numbers.set(learner, numbers.set(question, number));
    this.#waiting.set(learner, { question, number, attempt });
    if (!this.#isJudging) void this.#judgeAll();
  }

  async #judgeAll(): Promise<void> {
    this.#isJudging = true;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const [learner, { question, number, attempt }] = next;
      this.#waiting.delete(learner);
      const result = await this.#judge(attempt);
      if (result.kind === 'goals') this.#onJudged(learner, question, number, result.goals);
    }
    this.#isJudging = false;
  }
}
