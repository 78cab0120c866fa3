/** Reads a page of a container's log, or the lines that contain a text. */
import type { LogLine, LogPage, NumberedLogLine } from '@podscope/protocol';

export interface LogPageOptions {
  /** Number of the first line, from 0; undefined for the last lines. */
  readonly from?: number | undefined;
  /** Maximum number of lines. */
  readonly limit: number;
  /** Only lines that contain this text, ignoring case. */
  readonly search?: string | undefined;
}

/** Maximum number of characters on a page, so that it fits in one message. */
const maxCharacters = 4 * 1024 * 1024;

/**
 * Returns the first `limit` lines from line `from`, or else the last ones, with their numbers. Reads the whole log,
 * because only that tells how many lines it has.
 */
export async function readLogPage(
  source: AsyncIterable<LogLine>,
  { from, limit, search = '' }: LogPageOptions,
): Promise<LogPage> {
  const needle = search.toLowerCase();
  let lines: NumberedLogLine[] = [];
  let characters = 0;
  let total = 0;
  let matches = 0;
  /** Lines before this index are dropped; they are removed in blocks. */
  let dropped = 0;
  for await (const { time, stream, text } of source) {
    const number = total++;
    if (needle !== '' && !text.toLowerCase().includes(needle)) continue;
    matches++;
    if (from !== undefined && (number < from || lines.length >= limit || characters > maxCharacters)) continue;
    lines.push({ number, time, stream, text });
    characters += text.length;
    if (from === undefined)
      while (lines.length - dropped > limit || characters > maxCharacters)
        characters -= lines[dropped++]?.text.length ?? 0;
    if (dropped > limit) {
      lines = lines.slice(dropped);
      dropped = 0;
    }
  }
  return { lines: lines.slice(dropped), total, matches };
}
