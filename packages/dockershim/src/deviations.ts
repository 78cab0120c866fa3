/** What the engine forces us to do otherwise than asked: said once in the log, kept for who asks. */
import type { Context } from '@podscope/trace';

/** The list of deviations. */
export class Deviations {
  readonly #texts = new Set<string>();

  /** Records a deviation; the first time it is also told to the person who reads along. */
  record(ctx: Context, text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: text });
  }

  list(): readonly string[] {
    return [...this.#texts];
  }
}
