/** Finds where the last lines of a file begin, reading it from its end. */
import type { FileHandle } from 'node:fs/promises';

const blockSize = 64 * 1024;
const lineFeed = 10;

/** Offset of the first of the last `count` lines. Upstream: FindTailLineStartIndex (kubelet util/tail, v1.36). */
export async function tailOffset(file: FileHandle, count: number): Promise<number> {
  const { size } = await file.stat();
  if (count <= 0) return size;
  const block = Buffer.alloc(Math.min(blockSize, size));
  let feeds = 0;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    for (let at = bytesRead - 1; at >= 0; at -= 1) {
      // The line feed at the very end closes the last line; one more begins the line before the wanted ones.
      if (block[at] === lineFeed && ++feeds > count) return start + at + 1;
    }
    end = start;
  }
  return 0;
}
