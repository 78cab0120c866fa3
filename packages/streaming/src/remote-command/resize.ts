/** Parses terminal sizes: consecutive JSON objects. */
import type { TerminalSize } from '@podscope/cri';
import { z } from 'zod';

const sizeSchema = z.object({ Width: z.number(), Height: z.number() });
const maxPendingBytes = 4096;

/** Yields the sizes of a stream; ignores invalid and empty ones. */
export async function* readSizes(source: AsyncIterable<Uint8Array>): AsyncGenerator<TerminalSize> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of source) {
    pending += decoder.decode(chunk, { stream: true });
    for (let end = pending.indexOf('}'); end >= 0; end = pending.indexOf('}')) {
      const size = parseSize(pending.slice(0, end + 1));
      pending = pending.slice(end + 1);
      if (size) yield size;
    }
    if (pending.length > maxPendingBytes) return;
  }
}

function parseSize(text: string): TerminalSize | undefined {
  try {
    const { Width: width, Height: height } = sizeSchema.parse(JSON.parse(text));
    return width >= 1 && height >= 1 ? { width: Math.floor(width), height: Math.floor(height) } : undefined;
  } catch {
    return undefined;
  }
}
