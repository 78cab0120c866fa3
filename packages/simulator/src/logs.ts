/** What a container writes, line by line, kept and followed. */
import type { ContainerLogLine, ContainerLogOptions } from '@podscope/cri';
import type { Clock } from '@podscope/trace';

/** Longer lines are cut into parts, as engines do. */
const longestLine = 16_384;
/** The oldest lines of a talkative container are forgotten, as log rotation does. */
const mostLines = 20_000;

type Stream = ContainerLogLine['stream'];

export class ContainerLog {
  readonly #clock: Clock;
  #lines: ContainerLogLine[] = [];
  #forgotten = 0;
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

  /** The container has ended: what was begun is a line now, and who follows is told. */
  end(): void {
    for (const [stream, open] of this.#open) if (open !== '') this.#add(stream, open, false);
    this.#open.clear();
    this.#ended = true;
    this.#wake();
  }

  /** Hands every line that comes to `listener`, also those that are forgotten later. */
  onLine(listener: (line: ContainerLogLine) => void): void {
    this.#listeners.add(listener);
  }

  /** The number that the next line will have. */
  get next(): number {
    return this.#forgotten + this.#lines.length;
  }

  /** Lines by their numbers, `end` not among them; those that are forgotten are left out. */
  between(start: number, end: number): readonly ContainerLogLine[] {
    return this.#lines.slice(Math.max(0, start - this.#forgotten), Math.max(0, end - this.#forgotten));
  }

  async *read(options: ContainerLogOptions, signal: AbortSignal): AsyncGenerator<ContainerLogLine> {
    let next = this.#forgotten + this.#startOf(options);
    for (;;) {
      for (; next < this.next; next++) {
        next = Math.max(next, this.#forgotten);
        const line = this.#lines[next - this.#forgotten];
        if (line && (options.since === undefined || line.time >= options.since)) yield line;
      }
      if (!options.follow || this.#ended || signal.aborted) return;
      await this.#changed(signal);
    }
  }

  /** Index of the first line to give out. */
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
    for (; rest.length > longestLine; rest = rest.slice(longestLine)) this.#add(stream, rest.slice(0, longestLine), true);
    this.#add(stream, rest, partial);
  }

  #add(stream: Stream, text: string, partial: boolean): void {
    const line: ContainerLogLine = { time: this.#clock.now(), stream, text, ...(partial && { partial }) };
    this.#lines.push(line);
    for (const listener of this.#listeners) listener(line);
    if (this.#lines.length > mostLines * 1.25) {
      this.#forgotten += this.#lines.length - mostLines;
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
