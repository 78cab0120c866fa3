/** Events as text for clients and the store: each only once, with secrets taken out. */
import { type TraceEvent, toJson } from '@podscope/trace';

/** Turns events into text, each only once however many clients read it. */
export class EventEncoder {
  readonly #mask: (text: string) => string;
  readonly #limit: number;
  readonly #texts = new Map<number, string>();

  /**
   * @param mask takes out of a text what must not leave the node
   * @param limit how many of the newest texts are kept
   */
  constructor(mask: (text: string) => string = (text) => text, limit = 4_096) {
    this.#mask = mask;
    this.#limit = limit;
  }

  encode(event: TraceEvent): string {
    const known = this.#texts.get(event.seq);
    if (known !== undefined) return known;
    const text = this.#mask(toJson(event));
    this.#texts.set(event.seq, text);
    if (this.#texts.size > this.#limit) {
      const [oldest] = this.#texts.keys();
      if (oldest !== undefined) this.#texts.delete(oldest);
    }
    return text;
  }
}
