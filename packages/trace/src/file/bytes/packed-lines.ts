/**
 * Packs the lines of a trace file in one thread for a reader in another. Most events of a run repeat earlier ones
 * except for their numbers and times, so each distinct text is passed on once, as a template, and a line is a row of
 * numbers. The reader parses and checks a template once, and its events share the template's values in memory.
 */

import type { TraceFileLimits } from '../limits.ts';
import { gunzip } from './gunzip.ts';
import { type Lines, linesOf } from './lines.ts';

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

/**
 * Matches if the rest of the line may contain a second member `span` or `parent`. JSON.parse would use the last one.
 */
const again = /"(?:span|parent)":|\\u/;

const none = Number.NaN;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isWordCharacter = (code: number): boolean =>
  isDigit(code) || code === 0x5f || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** The most digits of a number that is read exactly. */
const maxDigits = 15;

/** Returns the end of the digits at `at`, or `at` if they start with a zero or are too many. */
function endOfNumber(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  return end - at > maxDigits || text[at] === '0' ? at : end;
}

/**
 * Reads the numbers of a line, and where its other parts are. It scans by hand: regular expressions with their results
 * would take as long as all other work on a line.
 */
class LineScanner {
  seq = none;
  time = none;
  span = none;
  parent = none;
  /** Where the names of the line begin and end: its pod, if it has one, and its type. */
  namesAt = 0;
  namesEnd = 0;
  /** Where the part of the line between the numbers begins and ends. */
  middleAt = 0;
  middleEnd = 0;

  /** Returns whether the line has the usual form of an event. */
  scan(text: string): boolean {
    return text.startsWith('{') && this.#head(text) && this.#tail(text);
  }

  /** Scans `{"span":1,"pod":"…","type":"…","parent":1,`. Only span, pod and parent may be missing. */
  #head(text: string): boolean {
    let at = 1;
    this.span = none;
    if (text.startsWith('"span":', at)) {
      const end = endOfNumber(text, at + 7);
      if (end === at + 7 || text[end] !== ',') return false;
      this.span = Number(text.slice(at + 7, end));
      at = end + 1;
    }
    this.namesAt = at;
    if (text.startsWith('"pod":"', at)) {
      at += 7;
      while (at < text.length && text[at] !== '"' && text[at] !== '\\') at++;
      if (!text.startsWith('",', at)) return false;
      at += 2;
    }
    if (!text.startsWith('"type":"', at)) return false;
    at += 8;
    const type = at;
    while (isWordCharacter(text.charCodeAt(at))) at++;
    if (at === type || !text.startsWith('",', at)) return false;
    at += 2;
    this.namesEnd = at;
    this.parent = none;
    if (text.startsWith('"parent":', at)) {
      const end = endOfNumber(text, at + 9);
      if (end > at + 9 && text[end] === ',') {
        this.parent = Number(text.slice(at + 9, end));
        at = end + 1;
      }
    }
    this.middleAt = at;
    return true;
  }

  /** Scans `,"seq":1,"time":0}` at the end. */
  #tail(text: string): boolean {
    const start = text.lastIndexOf(',"seq":');
    if (start < this.middleAt) return false;
    this.middleEnd = start;
    const end = endOfNumber(text, start + 7);
    if (end === start + 7 || !text.startsWith(',"time":', end)) return false;
    const time = end + 8;
    let at = text[time] === '0' ? time + 1 : endOfNumber(text, time);
    if (at === time) return false;
    if (text[at] === '.') {
      const fraction = ++at;
      while (isDigit(text.charCodeAt(at))) at++;
      if (at === fraction || at - fraction > maxDigits) return false;
    }
    if (text[at] !== '}' || at + 1 !== text.length) return false;
    this.seq = Number(text.slice(start + 7, end));
    this.time = Number(text.slice(time, at));
    return true;
  }
}

/** The kinds of heads, as an index: which of the numbers `span` and `parent` a line has. */
const headOf = ({ span, parent }: LineScanner): number => (Number.isNaN(span) ? 0 : 1) + (Number.isNaN(parent) ? 0 : 2);

type TemplatesByNames = Map<string, Map<string, number>>;

/** Packs the lines of one file. */
class LinePacker {
  readonly #scanner = new LineScanner();
  /**
   * Indexes of the templates by head, names and middle. Joining the parts of each line takes as long as parsing it.
   */
  #known: readonly TemplatesByNames[] = [];
  /** Indexes of the lines that are templates of their own. */
  #whole = new Map<string, number>();
  #count = 0;
  #length = 0;

  constructor() {
    this.#forget();
  }

  #forget(): void {
    this.#known = [new Map(), new Map(), new Map(), new Map()];
    this.#whole = new Map();
    this.#count = 0;
    this.#length = 0;
  }

  pack({ texts, whole }: Lines): PackedLines {
    const fresh = this.#count >= maxTemplates || this.#length >= maxTemplateLength;
    if (fresh) this.#forget();
    const templates: string[] = [];
    const rows = new Uint32Array(texts.length);
    const numbers = (): Float64Array => new Float64Array(texts.length).fill(none);
    const [seqs, times, spans, parents] = [numbers(), numbers(), numbers(), numbers()];
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at] ?? '';
      const row = this.#rowOf(text, templates);
      if (row === undefined) {
        rows[at] = this.#rowOfWhole(text, templates);
        continue;
      }
      rows[at] = row;
      seqs[at] = this.#scanner.seq;
      times[at] = this.#scanner.time;
      spans[at] = this.#scanner.span;
      parents[at] = this.#scanner.parent;
    }
    return { fresh, templates, rows, seqs, times, spans, parents, whole };
  }

  /** Returns the index of a line's template, which it adds if it is new. Undefined for a line of an unusual form. */
  #rowOf(text: string, templates: string[]): number | undefined {
    const line = this.#scanner;
    if (!line.scan(text)) return undefined;
    const names = text.slice(line.namesAt, line.namesEnd);
    const middle = text.slice(line.middleAt, line.middleEnd);
    const byNames = this.#known[headOf(line)];
    const known = byNames?.get(names)?.get(middle);
    if (known !== undefined) return known;
    if (again.test(middle)) return undefined;
    if (byNames?.get(names)?.set(middle, this.#count) === undefined)
      byNames?.set(names, new Map([[middle, this.#count]]));
    const span = Number.isNaN(line.span) ? '' : '"span":1,';
    const parent = Number.isNaN(line.parent) ? '' : '"parent":1,';
    return this.#add(`{${span}${names}${parent}${middle},"seq":1,"time":0}`, templates);
  }

  #rowOfWhole(text: string, templates: string[]): number {
    const known = this.#whole.get(text);
    if (known !== undefined) return known;
    this.#whole.set(text, this.#count);
    return this.#add(text, templates);
  }

  #add(template: string, templates: string[]): number {
    templates.push(template);
    this.#length += template.length;
    return this.#count++;
  }
}

/** Returns lines without packing them: each line is its own template, without numbers. */
function plainLines({ texts, whole }: Lines): PackedLines {
  const absent = new Float64Array(texts.length).fill(none);
  return {
    fresh: true,
    templates: texts,
    rows: Uint32Array.from(texts.keys()),
    seqs: absent,
    times: absent,
    spans: absent,
    parents: absent,
    whole,
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
    let waiting: string[] = [];
    let length = 0;
    try {
      for await (const lines of linesOf(chunks, limits.maxLineLength)) {
        if (packed === undefined) {
          yield plainLines(lines);
          continue;
        }
        for (const text of lines.texts) {
          waiting.push(text);
          length += text.length;
        }
        if (waiting.length < packed && length < maxGroupLength && lines.whole) continue;
        yield packer.pack({ texts: waiting, whole: lines.whole });
        waiting = [];
        length = 0;
      }
      if (waiting.length > 0) yield packer.pack({ texts: waiting, whole: true });
    } finally {
      await chunks[Symbol.asyncIterator]().return?.();
    }
  }
  return { groups: groups(), problem };
}
