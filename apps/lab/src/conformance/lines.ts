/** Reads the lines of a file of any size one at a time, decompressing it if needed. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** A line without its line ending. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined if the line is longer than {@link maxLineBytes}. */
  readonly text: string | undefined;
}

/** The content of longer lines is skipped, so that no file can exhaust the memory. */
const maxLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * Yields the lines of a file.
 * @throws Error if the file can't be read or its compressed data is damaged; the lines before that have been yielded
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const file = createReadStream(path);
  const unpacked = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // A pipe doesn't forward errors, so without this line a read error would leave the reader waiting forever.
  if (unpacked !== file) file.once('error', (error) => unpacked.destroy(error));
  try {
    yield* split(unpacked);
  } finally {
    file.destroy();
  }
}

async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const take = (): Line => {
    const text = heldBytes > maxLineBytes ? undefined : Buffer.concat(held).toString('utf8');
    held = [];
    heldBytes = 0;
    return { number: ++number, text };
  };
  const hold = (part: Buffer): void => {
    heldBytes += part.length;
    if (heldBytes > maxLineBytes) held = [];
    else held.push(part);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (heldBytes > 0) yield take();
}
