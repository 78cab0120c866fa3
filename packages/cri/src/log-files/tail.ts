/** Finds the beginning of a file's last lines, reading backward. Upstream: kubelet util/tail (v1.36). */
import type { FileHandle } from 'node:fs/promises';

const blockSize = 64 * 1024;
const lineFeed = 10;

/**
 * Returns the offset of the first of the last `count` lines. Upstream: FindTailLineStartIndex (kubelet util/tail,
 * v1.36).
 */
export async function tailOffset(file: FileHandle, count: number): Promise<number> {
  const { size } = await file.stat();
  if (count <= 0) return size;
  const block = Buffer.alloc(Math.min(blockSize, size));
  let feeds = 0;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    for (let at = bytesRead - 1; at >= 0; at -= 1) {
      // The file's last line feed ends the last line, so one more line feed has to be found.
      if (block[at] === lineFeed && ++feeds > count) return start + at + 1;
    }
    end = start;
  }
  return 0;
}
