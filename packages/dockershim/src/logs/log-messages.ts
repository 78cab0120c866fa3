/** Docker's log stream as messages: a timestamp, a space, and text up to a line feed or to where the engine cut it. */
import type { OutputFrame } from '../docker/port.ts';

/** One message: a line, or a part of one. */
export interface LogMessage {
  /** RFC 3339 in UTC with nine digits of fraction: texts compare as times do. */
  readonly time: string;
  readonly stream: 'stdout' | 'stderr';
  /** Without its line feed. */
  readonly content: Uint8Array;
  /** True when the engine cut the line and more of it follows. */
  readonly isPartial: boolean;
}

/** One message as a line of a log file in CRI's format: tag F for a whole line, P when more of it follows. */
export const logFileLine = ({ time, stream, isPartial, content }: LogMessage): Buffer =>
  Buffer.concat([Buffer.from(`${time} ${stream} ${isPartial ? 'P' : 'F'} `), content, Buffer.of(lineFeed)]);

/** Docker cuts what a container writes into messages of at most so many bytes. */
const maxMessageBytes = 16_384;

const lineFeed = 10;
const space = 32;

/** One output stream on its way from bytes to messages. */
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

  /** What stands at the end without a line feed is a line too. */
  *end(): Generator<LogMessage> {
    const start = this.#rest.indexOf(space) + 1;
    if (start > 0) yield this.#message(start, this.#rest.length, false);
  }

  #next(): LogMessage | undefined {
    const start = this.#rest.indexOf(space) + 1;
    if (start === 0) return undefined;
    const feed = this.#rest.indexOf(lineFeed, start);
    const isCut = feed < 0 || feed - start > maxMessageBytes;
    // Wait for one byte more than the limit: a line feed there ends the line.
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

/** Puts messages together from a stream that was asked for timestamps. */
export async function* logMessages(frames: AsyncIterable<OutputFrame>): AsyncGenerator<LogMessage> {
  const readers = { stdout: new MessageReader('stdout'), stderr: new MessageReader('stderr') };
  for await (const { stream, data } of frames) yield* readers[stream].read(data);
  yield* readers.stdout.end();
  yield* readers.stderr.end();
}
