/**
 * Packs the lines of a trace file in one thread for a reader in another. Most events of a run repeat earlier ones
 * except for their numbers and times, so each distinct text is passed on once, as a template, and a line is a row of
 * numbers. The reader parses and checks a template once, and its events share the template's values in memory.
 */

import type { TraceFileLimits } from '../limits.ts';
import { gunzip } from './gunzip.ts';
import { type Line, linesOf } from './lines.ts';

/** A group of lines, in order. For a line without numbers, the number fields contain NaN. */
export interface PackedLines {
  /** True if the reader must discard the templates of earlier groups. */
  readonly fresh: boolean;
  /** Templates that the reader adds to its list: lines with placeholders in place of their numbers. */
  readonly templates: readonly string[];
  /** The index of each line's template in the reader's list. */
  readonly rows: Uint32Array;
  readonly seqs: Float64Array;
  readonly times: Float64Array;
  readonly spans: Float64Array;
  readonly parents: Float64Array;
  /** False if the last line doesn't end with a line feed, as at the end of a truncated file. */
  readonly whole: boolean;
}

/** A decompressed file. */
export interface UnpackedFile {
  readonly groups: AsyncIterable<PackedLines>;
  /** Returns the error that ended `groups` early; undefined if the file was read completely. */
  readonly problem: () => string | undefined;
}

/** Limits for the templates that a reader keeps. The packer then starts over. */
const maxTemplates = 65_536;
const maxTemplateLength = 64 * 1024 * 1024;

/** A group ends after the line with which it has this many characters. */
const maxGroupLength = 1024 * 1024;

/** Matches the first members of an event up to its parent. Only names and texts without escapes come before it. */
const head = /\{(?:"span":([1-9]\d{0,14}),)?((?:"pod":"[^"\\]*",)?"type":"\w+",)(?:"parent":([1-9]\d{0,14}),)?/y;
/** Matches the last members of an event. */
const tail = /,"seq":([1-9]\d{0,14}),"time":((?:0|[1-9]\d{0,14})(?:\.\d{1,15})?)\}$/y;
/**
 * Matches if the rest of the line may contain a second member `span` or `parent`. JSON.parse would use the last one.
 */
const again = /"(?:span|parent)":|\\u/;

interface SplitLine {
  /** The text before the middle, with placeholders for its numbers. */
  readonly first: string;
  /** The text between the numbers. */
  readonly middle: string;
  readonly last: string;
  readonly seq: number;
  readonly time: number;
  readonly span: number;
  readonly parent: number;
}

const none = Number.NaN;

const numberOf = (digits: string | undefined): number => (digits === undefined ? none : Number(digits));

/** Returns a line as its own template, without numbers. */
const unsplit = (text: string): SplitLine => ({
  first: '',
  middle: text,
  last: '',
  seq: none,
  time: none,
  span: none,
  parent: none,
});

/** Splits a line. A line that isn't the usual form of an event isn't split. */
function splitLine(text: string): SplitLine {
  head.lastIndex = 0;
  const start = head.exec(text);
  tail.lastIndex = Math.max(0, text.lastIndexOf(',"seq":'));
  const end = start && tail.lastIndex >= head.lastIndex ? tail.exec(text) : null;
  if (!start || !end) return unsplit(text);
  const [all, span, names = '', parent] = start;
  const [, seq, time] = end;
  return {
    first: `{${span === undefined ? '' : '"span":1,'}${names}${parent === undefined ? '' : '"parent":1,'}`,
    middle: text.slice(all.length, end.index),
    last: ',"seq":1,"time":0}',
    seq: Number(seq),
    time: Number(time),
    span: numberOf(span),
    parent: numberOf(parent),
  };
}

/** Packs the lines of one file. */
class LinePacker {
  /** Indexes of the templates by their two parts. Joining the parts of each line would take as long as parsing it. */
  readonly #known = new Map<string, Map<string, number>>();
  #count = 0;
  #length = 0;

  pack(lines: readonly Line[]): PackedLines {
    const fresh = this.#count >= maxTemplates || this.#length >= maxTemplateLength;
    if (fresh) {
      this.#known.clear();
      this.#count = 0;
      this.#length = 0;
    }
    const templates: string[] = [];
    const rows = new Uint32Array(lines.length);
    const numbers = (): Float64Array => new Float64Array(lines.length);
    const [seqs, times, spans, parents] = [numbers(), numbers(), numbers(), numbers()];
    for (const [at, { text }] of lines.entries()) {
      let line = splitLine(text);
      let row = this.#known.get(line.first)?.get(line.middle);
      if (row === undefined) {
        if (line.first !== '' && again.test(line.middle)) line = unsplit(text);
        const { first, middle, last } = line;
        let known = this.#known.get(first);
        if (!known) this.#known.set(first, (known = new Map()));
        row = this.#count++;
        known.set(middle, row);
        this.#length += first.length + middle.length;
        templates.push(first + middle + last);
      }
      const { seq, time, span, parent } = line;
      rows[at] = row;
      seqs[at] = seq;
      times[at] = time;
      spans[at] = span;
      parents[at] = parent;
    }
    return { fresh, templates, rows, seqs, times, spans, parents, whole: lines.at(-1)?.whole ?? true };
  }
}

/** Returns lines without packing them: each line is its own template, without numbers. */
function plainLines(lines: readonly Line[]): PackedLines {
  const absent = new Float64Array(lines.length).fill(none);
  return {
    fresh: true,
    templates: lines.map(({ text }) => text),
    rows: Uint32Array.from(lines.keys()),
    seqs: absent,
    times: absent,
    spans: absent,
    parents: absent,
    whole: lines.at(-1)?.whole ?? true,
  };
}

/**
 * Decompresses a file. Also reads a source that isn't gzip.
 * @param packed minimum number of lines in a group, if lines are to be packed. Groups of long lines are smaller.
 *   Packing takes as much time as it saves, so it is useful only for a reader in another thread.
 * @throws TraceFileError tooLarge, during the iteration
 */
export function unpackFile(
  source: AsyncIterable<Uint8Array>,
  limits: TraceFileLimits,
  { packed }: { readonly packed?: number } = {},
): UnpackedFile {
  const { chunks, problem } = gunzip(source, limits);
  async function* groups(): AsyncGenerator<PackedLines> {
    const packer = new LinePacker();
    let waiting: readonly Line[] = [];
    let length = 0;
    try {
      for await (const lines of linesOf(chunks, limits.maxLineLength)) {
        if (packed === undefined) {
          yield plainLines(lines);
          continue;
        }
        waiting = waiting.concat(lines);
        for (const { text } of lines) length += text.length;
        if (waiting.length < packed && length < maxGroupLength) continue;
        yield packer.pack(waiting);
        waiting = [];
        length = 0;
      }
      if (waiting.length > 0) yield packer.pack(waiting);
    } finally {
      await chunks[Symbol.asyncIterator]().return?.();
    }
  }
  return { groups: groups(), problem };
}
