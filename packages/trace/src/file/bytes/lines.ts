/** Splits bytes into lines of text. */
import { TraceFileError } from '../trace-file-error.ts';

/** Some lines. `whole` is false if the last one doesn't end with a line feed, as at the end of a truncated file. */
export interface Lines {
  readonly texts: readonly string[];
  readonly whole: boolean;
}

/**
 * Yields the lines of a source in groups, one group per chunk. Stops at bytes that aren't UTF-8.
 * @throws TraceFileError tooLarge for a line longer than `maxLength` characters
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<Lines> {
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
    const texts = text.split('\n');
    const last = texts.pop() ?? '';
    if (texts.length > 0 && rest.length > 0) {
      texts[0] = rest.join('') + texts[0];
      rest = [];
      restLength = 0;
    }
    if (last !== '') {
      rest.push(last);
      restLength += last.length;
      if (restLength > maxLength)
        throw new TraceFileError('tooLarge', `a line of the file has more than ${maxLength} characters`);
    }
    if (texts.length > 0) yield { texts, whole: true };
  }
  if (rest.length > 0) yield { texts: [rest.join('')], whole: false };
}
