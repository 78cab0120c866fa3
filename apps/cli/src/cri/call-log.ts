/** Prints calls as they end: each CRI call with its duration, and below it the steps and Docker calls it became. */
import type { EventSink, UnstampedEvent } from '@podscope/trace';

interface OpenSpan {
  readonly title: string;
  readonly parent: number | undefined;
  readonly startedAt: number;
  readonly lines: string[];
}

/** A sink for a tracer whose root spans are CRI calls. */
export class CallLog implements EventSink {
  readonly #print: (text: string) => void;
  /** Milliseconds on a clock that only goes forward. */
  readonly #now: () => number;
  readonly #open = new Map<number, OpenSpan>();

  constructor(print: (text: string) => void, now: () => number) {
    this.#print = print;
    this.#now = now;
  }

  append(event: UnstampedEvent): void {
    if (event.type === 'spanStarted') {
      this.#open.set(event.span, { title: event.title, parent: event.parent, startedAt: this.#now(), lines: [] });
    } else if (event.type === 'spanEnded') {
      const span = this.#open.get(event.span);
      if (!span) return;
      this.#open.delete(event.span);
      this.#end(span, event.error && `${event.error.reason}: ${event.error.message}`);
    } else if (event.type === 'output') this.#print(event.message);
  }

  #end(span: OpenSpan, error: string | undefined): void {
    const duration = (this.#now() - span.startedAt).toFixed(1);
    const lines = [`${span.title}  ${duration} ms${error === undefined ? '' : `  ${error}`}`, ...span.lines.map((line) => `  ${line}`)];
    const parent = span.parent === undefined ? undefined : this.#open.get(span.parent);
    // Work that outlives its call is printed by itself.
    if (parent) parent.lines.push(...lines);
    else this.#print(lines.join('\n'));
  }
}
