/** Records deviations: requests that the engine can't fulfill exactly. Each is logged once and listed for the user. */
import type { Context } from '@podscope/trace';

/** The deviations of one dockershim. */
export class Deviations {
  readonly #texts = new Set<string>();

  /** Records a deviation; the first time also emits a warning. */
  record(ctx: Context, text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: text });
  }

  list(): readonly string[] {
    return [...this.#texts];
  }
}
