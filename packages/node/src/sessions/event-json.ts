/** Formats events as JSON for clients and for the store, after masking secrets. */
import { type SplitEvent, splitEvent } from '@podscope/protocol';
import { type TraceEvent, toJson } from '@podscope/trace';

/** Formats each event once and keeps the text for all clients. */
export class EventEncoder {
  readonly #mask: (text: string) => string;
  readonly #limit: number;
  readonly #texts = new Map<number, string>();

  /**
   * @param mask masks secrets in a text
   * @param limit how many texts are kept
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

  /** Yields each event in two parts. */
  *split(events: readonly TraceEvent[]): Generator<SplitEvent> {
    for (const event of events) yield splitEvent(event, (template) => this.#mask(toJson(template)));
  }
}
