/** How far a container's output has been written: the last message of each stream, and how many bear its time. */
import type { LogMessage } from './log-messages.ts';

type Stream = LogMessage['stream'];

interface Mark {
  readonly time: string;
  /** Messages with that time that are written: parts of one line share theirs. */
  readonly count: number;
}

/** The form in which a position is kept. */
export type SavedPosition = Partial<Readonly<Record<Stream, Mark>>>;

/** A stream that has written nothing yet may have something shortly before the other's last message. */
const slackSeconds = 1;
const timePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z$/;

/** Tells what is written from what is new, when output is read again from about where it was left. */
export class LogPosition {
  readonly #marks = new Map<Stream, Mark>();
  readonly #skips = new Map<Stream, number>();

  constructor(saved: SavedPosition = {}) {
    for (const stream of ['stdout', 'stderr'] as const) {
      const mark = saved[stream];
      if (mark) this.#marks.set(stream, mark);
    }
  }

  get saved(): SavedPosition {
    return Object.fromEntries(this.#marks);
  }

  /**
   * Where to read on, for the engine: Unix seconds with fraction; undefined for the beginning. Call it before each reading.
   * @param slack whole seconds.
   */
  since(slack = slackSeconds): string | undefined {
    for (const [stream, { count }] of this.#marks) this.#skips.set(stream, count);
    const times = [...this.#marks.values()].map(({ time }) => time).toSorted();
    const [, seconds, nanoseconds] = timePattern.exec(times[0] ?? '') ?? [];
    return seconds ? `${Date.parse(`${seconds}Z`) / 1000 - slack}.${nanoseconds}` : undefined;
  }

  /** False for a message that is written already. */
  isNew({ time, stream }: LogMessage): boolean {
    const mark = this.#marks.get(stream);
    if (!mark || time > mark.time) return true;
    if (time < mark.time) return false;
    const skip = this.#skips.get(stream) ?? 0;
    this.#skips.set(stream, skip - 1);
    return skip <= 0;
  }

  /** Notes a message as written. */
  note({ time, stream }: Pick<LogMessage, 'time' | 'stream'>): void {
    const mark = this.#marks.get(stream);
    this.#marks.set(stream, { time, count: mark?.time === time ? mark.count + 1 : 1 });
  }
}
