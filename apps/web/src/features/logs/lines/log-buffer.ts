/** Buffers the loaded lines of a container's log outside React. Notifies subscribers at most once per frame. */
import type { LogLine } from '@podscope/protocol';
import { type Frame, nextFrame } from '../../../node/run/run-store.ts';
import { type StyledRun, styledLine } from './styled-line.ts';

export interface ShownLine {
  /** Number of the line in the buffer, used as its key. Consecutive lines have consecutive numbers. */
  readonly number: number;
  /** Number of the line in the log of its instance, from 0; absent for lines that the page inserts. */
  readonly line?: number;
  /** Name of the container; absent if a single container is shown. */
  readonly container?: string;
  readonly time: number;
  readonly stream: LogLine['stream'] | 'divider' | 'moment';
  readonly text: string;
  /** Colored text; absent for lines that the page inserts. */
  readonly runs?: readonly StyledRun[];
}

/**
 * Maximum number of stored lines that arrived without a request of the user. Lines that the user requested are stored
 * in addition.
 */
const mostLines = 20_000;

export class LogBuffer {
  readonly #frame: Frame;
  readonly #listeners = new Set<() => void>();
  #lines: readonly ShownLine[] = [];
  #added: ShownLine[] = [];
  /** Number for the next line. */
  #next = 0;
  /** Number of loaded lines that the user requested. */
  #requested = 0;
  #isScheduled = false;

  constructor(frame: Frame = nextFrame) {
    this.#frame = frame;
  }

  /** The lines. Returns the same array until lines are added. */
  get lines(): readonly ShownLine[] {
    return this.#lines;
  }

  /** Number of lines of the log before the first loaded one. */
  get earlier(): number {
    return this.#lines.find(({ line }) => line !== undefined)?.line ?? 0;
  }

  /**
   * Adds lines to the end.
   * @param first number of the first line in the log
   */
  add(lines: readonly LogLine[], first: number): void {
    for (const [at, { time, stream, text }] of lines.entries())
      this.#push({ time, stream, line: first + at, ...styledLine(text) });
  }

  /**
   * Adds earlier lines, and notifies at once.
   * @param first number of the first line in the log
   */
  prepend(lines: readonly LogLine[], first: number): void {
    this.#take();
    const start = (this.#lines[0]?.number ?? 0) - lines.length;
    this.#requested += lines.length;
    this.#lines = [
      ...lines.map(({ time, stream, text }, at) => ({
        number: start + at,
        time,
        stream,
        line: first + at,
        ...styledLine(text),
      })),
      ...this.#lines,
    ];
    for (const listener of this.#listeners) listener();
  }

  /** Adds a line that doesn't come from the log, such as the divider between two instances. */
  divide(time: number, text: string): void {
    this.#push({ time, stream: 'divider', text });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #push(line: Omit<ShownLine, 'number'>): void {
    this.#added.push({ number: this.#next++, ...line });
    this.#announceSoon();
  }

  #take(): void {
    if (this.#added.length === 0) return;
    const lines = this.#lines.concat(this.#added);
    const most = mostLines + this.#requested;
    this.#lines = lines.length > most ? lines.slice(lines.length - most) : lines;
    this.#added = [];
  }

  #announceSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#frame(() => {
      this.#isScheduled = false;
      this.#take();
      for (const listener of this.#listeners) listener();
    });
  }
}
