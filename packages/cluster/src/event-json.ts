/**
 * Events as JSON text. What JSON has no form for is written as the JSON mapping of protocol buffers writes it: 64-bit integers as decimal
 * strings, bytes in base64.
 */
import type { TraceEvent } from '@podscope/trace';

/** Most characters of bytes that are shown of one value. */
const maxBytes = 64 * 1024;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes.subarray(0, maxBytes)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'object' && value !== null) {
    if (value instanceof Uint8Array) return base64(value);
    if (value instanceof Error) return { name: value.name, message: value.message };
    if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>);
    if (value instanceof Set) return [...(value as Set<unknown>)];
  }
  return value;
}

/** A value as JSON text; see above for what JSON lacks. */
export const toJson = (value: unknown): string => JSON.stringify(value, replacer);

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

  /** An `events` message. */
  encodeBatch(events: readonly TraceEvent[]): string {
    return `{"type":"events","events":[${events.map((event) => this.encode(event)).join(',')}]}`;
  }
}
