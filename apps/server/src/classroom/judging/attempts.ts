/**
 * Judges attempts at exercises in the order of their arrival. Of a learner's waiting attempts at one
 * exercise, only the newest is judged.
 */
import type { Judge, JudgeRequest } from './judge-request.ts';

type Attempt = Extract<JudgeRequest, { kind: 'attempt' }>;

/** Receives the number of a judged attempt, from 1. For each goal, `goals` is true if the attempt meets it. */
type OnJudged = (learner: string, question: string, attempt: number, goals: readonly boolean[]) => void;

/** Maximum number of exercises that one learner attempts. A learner may name exercises that don't exist. */
const most = 200;

/** Maximum number of exercises for which one learner has a waiting attempt. Each attempt contains a manifest. */
const mostWaiting = 10;

export class Attempts {
  readonly #judge: Judge;
  readonly #onJudged: OnJudged;
  /** The newest attempt of each learner and question that isn't judged yet. */
  readonly #waiting = new Map<
    string,
    { readonly learner: string; readonly question: string; readonly number: number; readonly attempt: Attempt }
  >();
  /** Numbers of the last attempts, by learner and question. */
  readonly #numbers = new Map<string, Map<string, number>>();
  #isJudging = false;

  constructor(judge: Judge, onJudged: OnJudged) {
    this.#judge = judge;
    this.#onJudged = onJudged;
  }

  /**
   * Adds an attempt. It replaces a waiting attempt of the learner at the same exercise, or the learner's oldest waiting
   * attempt if there are too many. Otherwise it is judged after all attempts that were added before.
   */
  add(learner: string, question: string, attempt: Attempt): void {
    const numbers = this.#numbers.get(learner) ?? new Map<string, number>();
    if (!numbers.has(question) && numbers.size >= most) return;
    const number = (numbers.get(question) ?? 0) + 1;
    this.#numbers.set(learner, numbers.set(question, number));
    const key = JSON.stringify([learner, question]);
    const own = [...this.#waiting].filter(([, waiting]) => waiting.learner === learner);
    const [oldest] = own;
    if (oldest && own.length >= mostWaiting && !this.#waiting.has(key)) this.#waiting.delete(oldest[0]);
    this.#waiting.set(key, { learner, question, number, attempt });
    if (!this.#isJudging) void this.#judgeAll();
  }

  async #judgeAll(): Promise<void> {
    this.#isJudging = true;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const [key, { learner, question, number, attempt }] = next;
      this.#waiting.delete(key);
      const result = await this.#judge(attempt);
      if (result.kind === 'goals') this.#onJudged(learner, question, number, result.goals);
    }
    this.#isJudging = false;
  }
}
