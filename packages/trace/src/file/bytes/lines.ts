/** Splits bytes into lines of text. */
import { TraceFileError } from '../trace-file-error.ts';

/** A line. `whole` is false if the line doesn't end with a line feed, as at the end of a truncated file. */
export interface Line {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * Yields the lines of a source in groups, one group per chunk. Stops at bytes that aren't UTF-8.
 * @throws TraceFileError tooLarge for a line longer than `maxLength` characters
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<readonly Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest: string[] = [];
  let restLength = 0;
  for await (const chunk of source) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      return;
    }
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const lines: Line[] = [];
    for (const part of parts) {
      lines.push({ text: rest.length > 0 ? rest.join('') + part : part, whole: true });
      rest = [];
      restLength = 0;
    }
    if (last !== '') {
      rest.push(last);
      restLength += last.length;
      if (restLength > maxLength)
        throw new TraceFileError('tooLarge', `a line of the file has more than ${maxLength} characters`);
    }
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [{ text: rest.join(''), whole: false }];
}
