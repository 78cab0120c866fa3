/** The lines of a file of any size, one at a time; unpacked on the way if the file is packed. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** A line without its end. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined: longer than {@link maxLineBytes}; what it says is not known. */
  readonly text: string | undefined;
}

/** Longer lines are passed over, so that no file can take all memory. */
const maxLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * Reads line by line.
 * @throws Error when the file cannot be read, or its compression is damaged: the lines before that have been given
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const file = createReadStream(path);
  const unpacked = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // A pipe does not hand errors on: a file that breaks off must not look like a file that waits.
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
