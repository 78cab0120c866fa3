/**
 * Decompresses gzip in chunks. The output before an error is kept, so that a truncated file can be read. The size of
 * the output is limited, because files come from untrusted sources.
 */
import type { TraceFileLimits } from '../limits.ts';
import { TraceFileError } from '../trace-file-error.ts';

/**
 * How many reads wait for output at the same time. A stream that fails drops its queue; with this many waiting reads,
 * all output is delivered at once and the queue is empty.
 */
const waitingReads = 64;
/** How many bytes of input are decompressed at a time. Their output (at most 1,032 times as much) is kept in memory. */
const pieceBytes = 8 * 1024;

/**
 * Returns true if the input is gzip. Only the first byte is checked, because the first chunk may have only one. No JSON
 * text begins with this byte.
 */
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f;

function* pieces(chunk: Uint8Array): Iterable<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < chunk.length; at += pieceBytes) yield new Uint8Array(chunk.subarray(at, at + pieceBytes));
}

/** Reads the output of a stream as soon as it arrives, so that the stream's queue stays empty. */
class Collector {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #received: Uint8Array[] = [];
  readonly ended: Promise<void>;
  failure: unknown;

  constructor(readable: ReadableStream<Uint8Array>) {
    this.#reader = readable.getReader();
    this.ended = new Promise((resolve) => {
      const read = (): void => {
        this.#reader.read().then(
          ({ value, done }) => {
            if (value) this.#received.push(value);
            if (done) resolve();
            else read();
          },
          (error: unknown) => {
            this.failure ??= error;
            resolve();
          },
        );
      };
      for (let count = 0; count < waitingReads; count++) read();
    });
  }

  take(): readonly Uint8Array[] {
    const taken = this.#received;
    this.#received = [];
    return taken;
  }
}

export interface Unpacked {
  /** The readable part of the output, in order. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Returns the error that ended `chunks` early; undefined if it was read completely. */
  readonly problem: () => string | undefined;
}

/**
 * Decompresses a source. The chunks of a source that isn't gzip aren't changed.
 * @throws TraceFileError tooLarge, during the iteration
 */
export function gunzip(source: AsyncIterable<Uint8Array>, limits: TraceFileLimits): Unpacked {
  let problem: string | undefined;
  async function* unpack(): AsyncGenerator<Uint8Array> {
    const stream = new DecompressionStream('gzip');
    const writer = stream.writable.getWriter();
    const collector = new Collector(stream.readable);
    let taken = 0;
    let given = 0;
    let plain: boolean | undefined;
    const count = (chunk: Uint8Array): Uint8Array => {
      given += chunk.length;
      if (given > limits.maxBytes)
        throw new TraceFileError(
          'tooLarge',
          `the file unpacks to more than ${Math.round(limits.maxBytes / 2 ** 20)} MiB`,
        );
      if (given > limits.ratioFreeBytes && given > taken * limits.maxRatio) {
        throw new TraceFileError(
          'tooLarge',
          `the file unpacks to more than ${limits.maxRatio} times its size: no recorded run does`,
        );
      }
      return chunk;
    };
    try {
      for await (const chunk of source) {
        if (chunk.length === 0) continue;
        taken += chunk.length;
        if (taken > limits.maxFileBytes)
          throw new TraceFileError(
            'tooLarge',
            `the file has more than ${Math.round(limits.maxFileBytes / 2 ** 20)} MiB`,
          );
        plain ??= !isGzip(chunk);
        if (plain) {
          yield count(chunk);
          continue;
        }
        for (const piece of pieces(chunk)) {
          if (collector.failure !== undefined) break;
          await Promise.race([writer.write(piece).catch(() => undefined), collector.ended]);
          for (const unpacked of collector.take()) yield count(unpacked);
        }
        if (collector.failure !== undefined) break;
      }
      if (plain !== false) return;
      writer.close().catch(() => undefined);
      await collector.ended;
      for (const unpacked of collector.take()) yield count(unpacked);
      if (collector.failure !== undefined) problem = 'its compressed data is damaged or cut short';
    } finally {
      await writer.abort().catch(() => undefined);
    }
  }
  return { chunks: unpack(), problem: () => problem };
}
