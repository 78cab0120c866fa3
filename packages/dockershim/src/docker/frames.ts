/**
 * Parses Docker's multiplexed streams. Each frame begins with a header of 8 bytes that contains the number of the
 * stream and the length of the payload.
 */
import { DockerError } from './error.ts';
import type { OutputFrame } from './port.ts';

const headerLength = 8;

/** Buffers bytes and returns pieces of a requested length. */
class ByteQueue {
  #chunks: Uint8Array[] = [];
  #length = 0;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** Returns the next `length` bytes; undefined until all of them have arrived. */
  take(length: number): Uint8Array | undefined {
    if (this.#length < length) return undefined;
    const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = all.length > length ? [all.subarray(length)] : [];
    this.#length = all.length - length;
    return all.subarray(0, length);
  }
}

/**
 * Yields the frames of a multiplexed stream.
 * @throws DockerError with the engine's text if the stream contains an error
 */
export async function* demultiplex(source: AsyncIterable<Uint8Array>): AsyncGenerator<OutputFrame> {
  const queue = new ByteQueue();
  let pending: { stream: number; length: number } | undefined;
  for await (const chunk of source) {
    queue.push(chunk);
    for (;;) {
      if (!pending) {
        const header = queue.take(headerLength);
        if (!header) break;
        pending = {
          stream: header[0] ?? 0,
          length: new DataView(header.buffer, header.byteOffset, headerLength).getUint32(4),
        };
      }
      const data = queue.take(pending.length);
      if (!data) break;
      if (pending.stream === 3)
        throw new DockerError('Unknown', `error from daemon in stream: ${new TextDecoder().decode(data)}`);
      yield { stream: pending.stream === 2 ? 'stderr' : 'stdout', data };
      pending = undefined;
    }
  }
}

/** Yields the chunks of a raw stream as stdout. A container with a TTY has a raw stream. */
export async function* rawFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<OutputFrame> {
  for await (const data of source) yield { stream: 'stdout', data };
}

/** Collects bytes up to a limit and drops further ones. */
export class BoundedBuffer {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(data: Uint8Array): void {
    const room = this.#limit - this.#length;
    if (room <= 0) return;
    const part = data.length > room ? data.subarray(0, room) : data;
    this.#chunks.push(part);
    this.#length += part.length;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}

/** Yields the objects of a stream that contains one JSON text per line. */
export async function* jsonLines(source: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as unknown;
  }
  if (rest.trim()) yield JSON.parse(rest) as unknown;
}
