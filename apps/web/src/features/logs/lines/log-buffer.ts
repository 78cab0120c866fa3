/** Buffers the newest lines of a log outside React and notifies once per frame. */
import type { LogLine } from '@podscope/protocol';
import { type Frame, nextFrame } from '../../../node/run/run-store.ts';
import { type StyledRun, styledLine } from './styled-line.ts';

export interface ShownLine {
  /** Consecutive line number. */
  readonly number: number;
  readonly time: number;
  readonly stream: LogLine['stream'] | 'divider' | 'moment';
  readonly text: string;
  /** Colored text; absent for lines of the page itself. */
  readonly runs?: readonly StyledRun[];
}

const mostLines = 20_000;

export class LogBuffer {
  readonly #frame: Frame;
  readonly #listeners = new Set<() => void>();
  #lines: readonly ShownLine[] = [];
  #added: ShownLine[] = [];
  #count = 0;
  #isScheduled = false;

  constructor(frame: Frame = nextFrame) {
    this.#frame = frame;
  }

  /** The array changes only when lines are added. */
  get lines(): readonly ShownLine[] {
    return this.#lines;
  }

  /** Number of dropped lines. */
  get dropped(): number {
    return this.#count - this.#lines.length;
  }

  add(lines: readonly LogLine[]): void {
    for (const { time, stream, text } of lines) this.#push(time, stream, styledLine(text));
  }

  /** A line that the page inserts. */
  divide(time: number, text: string): void {
    this.#push(time, 'divider', { text });
  }

  clear(): void {
    this.#lines = [];
    this.#added = [];
    this.#count = 0;
    this.#announceSoon();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #push(time: number, stream: ShownLine['stream'], line: Pick<ShownLine, 'text' | 'runs'>): void {
    this.#added.push({ number: this.#count + this.#added.length, time, stream, ...line });
    this.#announceSoon();
  }

  #announceSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#frame(() => {
      this.#isScheduled = false;
      this.#count += this.#added.length;
      const lines = this.#lines.concat(this.#added);
      this.#lines = lines.length > mostLines ? lines.slice(lines.length - mostLines) : lines;
      this.#added = [];
      for (const listener of this.#listeners) listener();
    });
  }
}
