/**
 * Tracks which messages of a container's output have been written to its log. A position contains the last timestamp of
 * each stream and the number of messages with that timestamp.
 */
import type { LogMessage } from './log-messages.ts';

type Stream = LogMessage['stream'];

interface Mark {
  readonly time: string;
  /** The number of written messages with this time. The parts of a line have the same time. */
  readonly count: number;
}

/** The form in which a position is stored. */
export type SavedPosition = Partial<Readonly<Record<Stream, Mark>>>;

/**
 * How far before the last message a read begins, in seconds. A stream may still have messages that are slightly older
 * than the last written message of the other stream.
 */
const slackSeconds = 1;
const timePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z$/;

/** Distinguishes new messages from messages that were already written to the log file, when output is read again. */
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
   * Returns the instant from which to read again, in Unix seconds with a fraction; undefined for the beginning. Must be
   * called before each read.
   * @param slack whole seconds to go back before the last message
   */
  since(slack = slackSeconds): string | undefined {
    for (const [stream, { count }] of this.#marks) this.#skips.set(stream, count);
    const times = [...this.#marks.values()].map(({ time }) => time).toSorted();
    const [, seconds, nanoseconds] = timePattern.exec(times[0] ?? '') ?? [];
    return seconds ? `${Date.parse(`${seconds}Z`) / 1000 - slack}.${nanoseconds}` : undefined;
  }

  /** Returns false for a message that has already been written. */
  isNew({ time, stream }: LogMessage): boolean {
    const mark = this.#marks.get(stream);
    if (!mark || time > mark.time) return true;
    if (time < mark.time) return false;
    const skip = this.#skips.get(stream) ?? 0;
    this.#skips.set(stream, skip - 1);
    return skip <= 0;
  }

  /** Records a message as written. */
  note({ time, stream }: Pick<LogMessage, 'time' | 'stream'>): void {
    const mark = this.#marks.get(stream);
    this.#marks.set(stream, { time, count: mark?.time === time ? mark.count + 1 : 1 });
  }
}
