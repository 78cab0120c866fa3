/** Keeps the output of a container as log lines and lets readers follow it. */
import type { ContainerLogLine, ContainerLogOptions } from '@podscope/cri';
import type { Clock } from '@podscope/trace';

/** The length of the longest log line in characters. As in Docker, longer lines are split into partial lines. */
const longestLine = 16_384;
/** How many lines are kept. Older ones are dropped, as by log rotation. */
const mostLines = 20_000;

type Stream = ContainerLogLine['stream'];

export class ContainerLog {
  readonly #clock: Clock;
  #lines: ContainerLogLine[] = [];
  #dropped = 0;
  readonly #open = new Map<Stream, string>();
  readonly #followers = new Set<() => void>();
  readonly #listeners = new Set<(line: ContainerLogLine) => void>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  write(stream: Stream, text: string): void {
    if (this.#ended) return;
    const lines = ((this.#open.get(stream) ?? '') + text).split('\n');
    let open = lines.pop() ?? '';
    for (const line of lines) this.#push(stream, line, false);
    while (open.length >= longestLine) {
      this.#add(stream, open.slice(0, longestLine), true);
      open = open.slice(longestLine);
    }
    this.#open.set(stream, open);
    this.#wake();
  }

  /** Ends the log: adds incomplete lines and notifies followers. */
  end(): void {
    for (const [stream, open] of this.#open) if (open !== '') this.#add(stream, open, false);
    this.#open.clear();
    this.#ended = true;
    this.#wake();
  }

  /** Calls `listener` with every new line, even if the log drops that line later. */
  onLine(listener: (line: ContainerLogLine) => void): void {
    this.#listeners.add(listener);
  }

  /** The number of the next line. */
  get next(): number {
    return this.#dropped + this.#lines.length;
  }

  /** Returns the lines from number `start` to `end`, without `end` itself. Dropped lines are omitted. */
  between(start: number, end: number): readonly ContainerLogLine[] {
    return this.#lines.slice(Math.max(0, start - this.#dropped), Math.max(0, end - this.#dropped));
  }

  async *read(options: ContainerLogOptions, signal: AbortSignal): AsyncGenerator<ContainerLogLine> {
    let next = this.#dropped + this.#startOf(options);
    for (;;) {
      for (; next < this.next; next++) {
        next = Math.max(next, this.#dropped);
        const line = this.#lines[next - this.#dropped];
        if (line && (options.since === undefined || line.time >= options.since)) yield line;
      }
      if (!options.follow || this.#ended || signal.aborted) return;
      await this.#changed(signal);
    }
  }

  /** Returns the index of the first line that the options select. */
  #startOf({ tailLines }: ContainerLogOptions): number {
    if (tailLines === undefined) return 0;
    let start = this.#lines.length;
    for (let wanted = tailLines; start > 0; start--) {
      if (!this.#lines[start - 1]?.partial && wanted-- === 0) break;
    }
    return start;
  }

  #push(stream: Stream, line: string, partial: boolean): void {
    let rest = line;
    for (; rest.length > longestLine; rest = rest.slice(longestLine))
      this.#add(stream, rest.slice(0, longestLine), true);
    this.#add(stream, rest, partial);
  }

  #add(stream: Stream, text: string, partial: boolean): void {
    const line: ContainerLogLine = { time: this.#clock.now(), stream, text, ...(partial && { partial }) };
    this.#lines.push(line);
    for (const listener of this.#listeners) listener(line);
    if (this.#lines.length > mostLines * 1.25) {
      this.#dropped += this.#lines.length - mostLines;
      this.#lines = this.#lines.slice(-mostLines);
    }
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#followers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#followers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #wake(): void {
    for (const follower of this.#followers) follower();
  }
}
