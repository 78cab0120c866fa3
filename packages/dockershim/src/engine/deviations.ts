/**
 * Records deviations, which are requests that the engine can't fulfill exactly. Each one is logged once, and the user
 * can list them.
 */
import type { Context } from '@podscope/trace';

/** Stores the deviations of a dockershim. */
export class Deviations {
  readonly #texts = new Set<string>();

  /** Records a deviation. If it is new, emits a warning. */
  record(ctx: Context, text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: text });
  }

  list(): readonly string[] {
    return [...this.#texts];
  }
}
