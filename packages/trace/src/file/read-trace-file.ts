/**
 * Reads trace files of any version from untrusted sources. It limits their size, validates each event and migrates
 * older versions. If a file is damaged or truncated, it returns the events before the damage and reports the problem.
 */
import type { TraceEvent } from '../events/event.ts';
import { traceEventSchema } from '../events/event-schema.ts';
import { type PackedLines, type UnpackedFile, unpackFile } from './bytes/packed-lines.ts';
import { exactCheck } from './exact-check.ts';
import {
  type TraceFileHeader,
  traceFileEndSchema,
  traceFileHeaderSchema,
  traceFileVersion,
  versionedHeaderSchema,
} from './header.ts';
import { isDeeperThan } from './json-depth.ts';
import { defaultTraceFileLimits, type TraceFileLimits } from './limits.ts';
import { type Migration, migrationFrom } from './migrations.ts';
import { TraceFileError } from './trace-file-error.ts';

/** The result of reading a file. */
export interface TraceFileReport {
  /** Version of the file. */
  readonly version: number;
  readonly events: number;
  /** True if the file is complete and all of it was read. */
  readonly complete: boolean;
  /** A description of the damage for the user; undefined if the file is complete. */
  readonly problem: string | undefined;
}

/** A file whose header has been read. */
export interface TraceFileReader {
  readonly header: TraceFileHeader;
  /**
   * The events in groups. They can be iterated once.
   * @throws TraceFileError tooLarge
   */
  readonly events: AsyncIterable<readonly TraceEvent[]>;
  /** Returns the report. It is valid after the last group of `events`. */
  readonly report: () => TraceFileReport;
}

/** A file read into memory. */
export interface LoadedTraceFile {
  readonly header: TraceFileHeader;
  readonly events: readonly TraceEvent[];
  readonly report: TraceFileReport;
}

const notATrace = (why: string): TraceFileError =>
  new TraceFileError(
    'notATrace',
    `this is not a Podscope trace file (${why}); export one with "podscope export RUN --format file"`,
  );

function parseJson(text: string, limits: TraceFileLimits): unknown {
  if (isDeeperThan(text, limits.maxDepth))
    throw new SyntaxError(`values are nested deeper than ${limits.maxDepth} levels`);
  return JSON.parse(text);
}

function parseHeader(
  text: string,
  limits: TraceFileLimits,
): { header: TraceFileHeader; version: number; migration: Migration } {
  let json: unknown;
  try {
    json = parseJson(text, limits);
  } catch {
    if (text.startsWith('{"format":"podscope-trace"'))
      throw new TraceFileError('broken', 'the file ends or is damaged inside its header: nothing of it can be read');
    throw notATrace('its first line is no header');
  }
  const versioned = versionedHeaderSchema.safeParse(json);
  if (!versioned.success) throw notATrace('its first line is no header');
  const { version } = versioned.data;
  if (version > traceFileVersion) {
    throw new TraceFileError(
      'tooNew',
      `the file has version ${version} of the format, this release reads up to ${traceFileVersion}: open it ` +
        'with a newer Podscope',
    );
  }
  const migration = migrationFrom(version);
  const parsed = traceFileHeaderSchema.safeParse(migration?.header(versioned.data));
  if (!migration || !parsed.success) {
    const issue = parsed.error?.issues[0];
    throw new TraceFileError(
      'broken',
      'the header of the file is damaged: ' +
        (issue ? `${issue.path.join('.')}: ${issue.message}` : `there is no version ${version}`),
    );
  }
  return { header: parsed.data, version, migration };
}

const check = exactCheck(traceEventSchema);
const isExactEvent = (value: unknown): value is TraceEvent => check(value);

/** A template: the event that its lines share except for their numbers, or the reason why it can't be parsed. */
type Template = { readonly json: unknown } | { readonly error: string };

/** Reads the events of a file. */
class EventReader {
  readonly #limits: TraceFileLimits;
  readonly #migration: Migration;
  /** True if the file has the current version, so that the check of a template is valid for all its lines. */
  readonly #isCurrent: boolean;
  #texts: string[] = [];
  #templates: (Template | undefined)[] = [];
  /** The templates that are valid events. */
  #checked: (TraceEvent | undefined)[] = [];
  count = 0;
  lastSeq: number | undefined;
  ended = false;
  problem: string | undefined;

  constructor(limits: TraceFileLimits, migration: Migration, version: number) {
    this.#limits = limits;
    this.#migration = migration;
    this.#isCurrent = version === traceFileVersion;
  }

  get #where(): string {
    return `after event ${this.lastSeq ?? 0}`;
  }

  /**
   * Returns the events of some lines. At an unreadable line it stops and sets {@link problem}.
   * @param from index of the first line to read
   */
  take(lines: PackedLines, from: number): TraceEvent[] {
    if (lines.fresh) {
      this.#texts = [];
      this.#templates = [];
      this.#checked = [];
    }
    for (const text of lines.templates) this.#texts.push(text);
    const events: TraceEvent[] = [];
    for (let at = from; at < lines.rows.length && this.problem === undefined; at++) {
      const event = this.#event(lines, at);
      if (event) events.push(event);
    }
    return events;
  }

  #template(row: number): Template {
    let template = this.#templates[row];
    if (!template) {
      try {
        template = { json: parseJson(this.#texts[row] ?? '', this.#limits) };
      } catch (error) {
        template = { error: (error as Error).message };
      }
      this.#templates[row] = template;
    }
    return template;
  }

  #event(lines: PackedLines, at: number): TraceEvent | undefined {
    if (this.ended) {
      this.problem = 'there is more after its end';
      return undefined;
    }
    const row = lines.rows[at] ?? 0;
    const known = this.#checked[row];
    const event = known ? withNumbers(known, lines, at) : this.#firstEvent(row, lines, at);
    if (!event) return undefined;
    if (this.lastSeq !== undefined && event.seq !== this.lastSeq + 1) {
      this.problem = `events are missing: ${event.seq} follows ${this.lastSeq}`;
      return undefined;
    }
    if (++this.count > this.#limits.maxEvents)
      throw new TraceFileError('tooLarge', `the file has more than ${this.#limits.maxEvents} events`);
    this.lastSeq = event.seq;
    return event;
  }

  /** Returns the event of a line whose template isn't known to be an event. Undefined at the end and for damage. */
  #firstEvent(row: number, lines: PackedLines, at: number): TraceEvent | undefined {
    const template = this.#template(row);
    if ('error' in template) {
      const isWhole = lines.whole || at < lines.rows.length - 1;
      this.problem = isWhole ? `it is damaged ${this.#where}: ${template.error}` : `it was cut short ${this.#where}`;
      return undefined;
    }
    const { json } = template;
    if (typeof json === 'object' && json !== null && 'end' in json) {
      const end = traceFileEndSchema.safeParse(json);
      if (end.success) {
        this.ended = true;
        if (end.data.end.events !== this.count)
          this.problem = `it should hold ${end.data.end.events} events and holds ${this.count}`;
        return undefined;
      }
    }
    if (typeof json !== 'object' || json === null) return this.#check(json);
    const event = this.#check(this.#migration.event(withNumbers(json as Record<string, unknown>, lines, at)));
    if (event && this.#isCurrent) this.#checked[row] = event;
    return event;
  }

  /** Validates an event and removes unknown members. Returns undefined for an invalid one. */
  #check(value: unknown): TraceEvent | undefined {
    if (isExactEvent(value)) return value;
    const parsed = traceEventSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    this.problem =
      `it is damaged ${this.#where}: ${issue?.path.join('.') || 'the line'}: ` + (issue?.message ?? 'not an event');
    return undefined;
  }
}

/** Returns a template with the numbers of a line; the template itself for a line without numbers. */
function withNumbers<Event extends object>(template: Event, { seqs, times, spans, parents }: PackedLines, at: number) {
  const seq = seqs[at] ?? Number.NaN;
  if (Number.isNaN(seq)) return template;
  // The template has placeholders, so all its events have the same members in the same order.
  const time = times[at] ?? 0;
  const span = spans[at] ?? Number.NaN;
  const parent = parents[at] ?? Number.NaN;
  if (Number.isNaN(span)) return Number.isNaN(parent) ? { ...template, seq, time } : { ...template, seq, time, parent };
  return Number.isNaN(parent) ? { ...template, seq, time, span } : { ...template, seq, time, span, parent };
}

/**
 * Reads the header of a trace file and prepares the reading of its events.
 * @throws TraceFileError if the file isn't a trace file, is too new or too large, or is damaged before its first event
 */
export const openTraceFile = (
  source: AsyncIterable<Uint8Array>,
  limits: TraceFileLimits = defaultTraceFileLimits,
): Promise<TraceFileReader> => openUnpackedTraceFile(unpackFile(source, limits), limits);

/**
 * Does the same for a trace file that another program has decompressed.
 * @throws TraceFileError like {@link openTraceFile}
 */
export async function openUnpackedTraceFile(
  { groups, problem }: UnpackedFile,
  limits: TraceFileLimits = defaultTraceFileLimits,
): Promise<TraceFileReader> {
  const lines = groups[Symbol.asyncIterator]();
  const { value: first } = (await lines.next()) as IteratorResult<PackedLines, undefined>;
  const head = first?.templates[0];
  if (!first || head === undefined) throw notATrace(problem() ?? 'it is empty');
  const { header, version, migration } = parseHeader(head, limits);
  const reader = new EventReader(limits, migration, version);
  const report = (): TraceFileReport => {
    const why = reader.problem ?? problem() ?? (reader.ended ? undefined : 'it was cut short');
    return { version, events: reader.count, complete: why === undefined, problem: why };
  };
  async function* events(early: PackedLines): AsyncGenerator<readonly TraceEvent[]> {
    try {
      // The first line is the header.
      const some = reader.take(early, 1);
      if (some.length > 0) yield some;
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        if (reader.problem !== undefined) return;
        const more = reader.take(next.value, 0);
        if (more.length > 0) yield more;
      }
    } finally {
      await lines.return?.();
    }
  }
  return { header, events: events(first), report };
}

/**
 * Reads a trace file into memory.
 * @throws TraceFileError like {@link openTraceFile}
 */
export async function loadTraceFile(
  source: AsyncIterable<Uint8Array>,
  limits: TraceFileLimits = defaultTraceFileLimits,
): Promise<LoadedTraceFile> {
  const reader = await openTraceFile(source, limits);
  const events: TraceEvent[] = [];
  for await (const group of reader.events) for (const event of group) events.push(event);
  return { header: reader.header, events, report: reader.report() };
}
