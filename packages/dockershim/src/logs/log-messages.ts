/**
 * Parses Docker's log stream into messages. A message is a timestamp, a space, and text up to a line feed or up to the
 * engine's length limit.
 */
import type { OutputFrame } from '../docker/port.ts';

/** A line of output, or a part of a line. */
export interface LogMessage {
  /** The time in RFC 3339, in UTC and with nine fractional digits, so that the texts sort in the order of time. */
  readonly time: string;
  readonly stream: 'stdout' | 'stderr';
  /** The text without its line feed. */
  readonly content: Uint8Array;
  /** True if the engine has cut the line and the next message continues it. */
  readonly isPartial: boolean;
}

/** Formats a message as a line in CRI's format, with the tag F for a complete line and P for a part. */
export const logFileLine = ({ time, stream, isPartial, content }: LogMessage): Buffer =>
  Buffer.concat([Buffer.from(`${time} ${stream} ${isPartial ? 'P' : 'F'} `), content, Buffer.of(lineFeed)]);

/** The engine cuts a message after this number of bytes. */
const maxMessageBytes = 16_384;

const lineFeed = 10;
const space = 32;

/** Parses the messages of one output stream. */
class MessageReader {
  readonly #stream: 'stdout' | 'stderr';
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: 'stdout' | 'stderr') {
    this.#stream = stream;
  }

  *read(data: Uint8Array): Generator<LogMessage> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data;
    for (let message = this.#next(); message; message = this.#next()) yield message;
  }

  /** Yields the text after the last line feed as a message. */
  *end(): Generator<LogMessage> {
    const start = this.#rest.indexOf(space) + 1;
    if (start > 0) yield this.#message(start, this.#rest.length, false);
  }

  #next(): LogMessage | undefined {
    const start = this.#rest.indexOf(space) + 1;
    if (start === 0) return undefined;
    const feed = this.#rest.indexOf(lineFeed, start);
    const isCut = feed < 0 || feed - start > maxMessageBytes;
    // The line may end exactly at the limit. Whether it does is known only when one more byte has arrived.
    if (isCut && this.#rest.length - start <= maxMessageBytes) return undefined;
    const end = isCut ? start + maxMessageBytes : feed;
    const message = this.#message(start, end, isCut);
    this.#rest = this.#rest.subarray(isCut ? end : end + 1);
    return message;
  }

  #message(start: number, end: number, isPartial: boolean): LogMessage {
    const time = Buffer.from(this.#rest.subarray(0, start - 1)).toString('latin1');
    return { time, stream: this.#stream, content: this.#rest.subarray(start, end), isPartial };
  }
}

/** Yields the messages of a stream whose lines begin with timestamps. */
export async function* logMessages(frames: AsyncIterable<OutputFrame>): AsyncGenerator<LogMessage> {
  const readers = { stdout: new MessageReader('stdout'), stderr: new MessageReader('stderr') };
  for await (const { stream, data } of frames) yield* readers[stream].read(data);
  yield* readers.stdout.end();
  yield* readers.stderr.end();
}
