/** Prints each CRI call when it ends, with its duration, its steps and its Docker calls. */
import type { EventSink, UnstampedEvent } from '@podscope/trace';

interface OpenSpan {
  readonly title: string;
  readonly parent: number | undefined;
  readonly startedAt: number;
  readonly lines: string[];
}

/** An event sink for a tracer whose root spans are CRI calls. It prints each call when it ends. */
export class CallLog implements EventSink {
  readonly #print: (text: string) => void;
  /** Returns the time of a monotonic clock, in milliseconds. */
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
    const lines = [
      `${span.title}  ${duration} ms${error === undefined ? '' : `  ${error}`}`,
      ...span.lines.map((line) => `  ${line}`),
    ];
    const parent = span.parent === undefined ? undefined : this.#open.get(span.parent);
    // Print work separately if it ends after its call.
    if (parent) parent.lines.push(...lines);
    else this.#print(lines.join('\n'));
  }
}
