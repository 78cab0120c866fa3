/** Reads a page of a container's log, or the lines that contain a text. */
import type { LogLine, LogPage, NumberedLogLine } from '@podscope/protocol';

export interface LogPageOptions {
  /** The number of the first line, from 0. Absent: the last lines are read. */
  readonly from?: number | undefined;
  /** Maximum number of lines. */
  readonly limit: number;
  /** The text to search for, ignoring case. Only lines that contain it are returned. */
  readonly search?: string | undefined;
}

/** Maximum number of characters on a page, so that it fits in one message. */
const maxCharacters = 4 * 1024 * 1024;

/**
 * Returns up to `limit` lines with their numbers: from line `from` on or, without `from`, the last lines. Reads the
 * whole log, because the number of its lines isn't known otherwise.
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
  /** The index of the first line that is kept. Lines before it are removed in blocks. */
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
