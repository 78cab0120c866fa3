/** Keeps the right answers of questions. The run of a question is played once, for all learners. */
import { parseLessonQuestionId, type Question } from '@podscope/classroom';
import type { Judge } from './judge-request.ts';

/**
 * Maximum number of stored answers. A limit is necessary, because a learner may send answers to lesson questions that
 * don't exist.
 */
const most = 1_000;

/** The right answer; undefined if the run doesn't decide the question. */
interface RightAnswer {
  readonly actual: number | undefined;
}

export class RightAnswers {
  readonly #judge: Judge;
  readonly #known = new Map<string, Promise<RightAnswer | undefined>>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /**
   * Returns the right answer to a question; undefined if the server has no run that decides it.
   * @param asked the question of the teacher; undefined for a question of a lesson
   * @param text the text of the question's lesson; undefined for a lesson of the library
   */
  of(id: string, asked: Question | undefined, text?: string): Promise<RightAnswer | undefined> {
    const known = this.#known.get(id);
    if (known) return known;
    const playing = this.#play(id, asked, text);
    this.#known.set(id, playing);
    // If a run couldn't be played, the next answer tries again.
    void playing.then((result) => result ?? this.#known.delete(id));
    const [oldest] = this.#known.keys();
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
    return playing;
  }

  async #play(id: string, asked: Question | undefined, text: string | undefined): Promise<RightAnswer | undefined> {
    const step = parseLessonQuestionId(id);
    if (asked ? asked.scene === undefined : step === undefined) return undefined;
    const result = await this.#judge(
      asked ? { kind: 'question', question: asked } : { kind: 'lesson', lesson: '', step: '', ...step, text },
    );
    return result.kind === 'answer' ? result : undefined;
  }
}
