/**
 * Reads trace files of any version from untrusted sources. It limits their size, validates each event and migrates
 * older versions. If a file is damaged or truncated, it returns the events before the damage and reports the problem.
 */
import type { TraceEvent } from '../event.ts';
import { traceEventSchema } from '../event-schema.ts';
import { exactCheck } from './exact-check.ts';
import { gunzip, type Unpacked } from './gunzip.ts';
import {
  type TraceFileHeader,
  traceFileEndSchema,
  traceFileHeaderSchema,
  traceFileVersion,
  versionedHeaderSchema,
} from './header.ts';
import { isDeeperThan } from './json-depth.ts';
import { defaultTraceFileLimits, type TraceFileLimits } from './limits.ts';
import { type Line, linesOf } from './lines.ts';
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
    throw new SyntaxError(`values lie in each other deeper than ${limits.maxDepth} levels`);
  return JSON.parse(text);
}

function parseHeader(
  line: Line,
  limits: TraceFileLimits,
): { header: TraceFileHeader; version: number; migration: Migration } {
  let json: unknown;
  try {
    json = parseJson(line.text, limits);
  } catch {
    if (line.text.startsWith('{"format":"podscope-trace"'))
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

/** Reads the events that follow the header. */
class EventReader {
  readonly #limits: TraceFileLimits;
  readonly #migration: Migration;
  count = 0;
  lastSeq: number | undefined;
  ended = false;
  problem: string | undefined;

  constructor(limits: TraceFileLimits, migration: Migration) {
    this.#limits = limits;
    this.#migration = migration;
  }

  get #where(): string {
    return `after event ${this.lastSeq ?? 0}`;
  }

  /** Returns the events of some lines. At an unreadable line it stops and sets {@link problem}. */
  take(lines: readonly Line[]): TraceEvent[] {
    const events: TraceEvent[] = [];
    for (const line of lines) {
      const event = this.#event(line);
      if (event) events.push(event);
      if (this.problem !== undefined) break;
    }
    return events;
  }

  #event(line: Line): TraceEvent | undefined {
    if (this.ended) {
      this.problem = 'there is more after its end';
      return undefined;
    }
    let json: unknown;
    try {
      json = parseJson(line.text, this.#limits);
    } catch (error) {
      this.problem = line.whole
        ? `it is damaged ${this.#where}: ${(error as Error).message}`
        : `it was cut short ${this.#where}`;
      return undefined;
    }
    if (typeof json === 'object' && json !== null && 'end' in json) {
      const end = traceFileEndSchema.safeParse(json);
      if (end.success) {
        this.ended = true;
        if (end.data.end.events !== this.count)
          this.problem = `it should hold ${end.data.end.events} events and holds ${this.count}`;
        return undefined;
      }
    }
    const current =
      typeof json === 'object' && json !== null ? this.#migration.event(json as Record<string, unknown>) : json;
    const data = this.#checked(current);
    if (!data) return undefined;
    if (this.lastSeq !== undefined && data.seq !== this.lastSeq + 1) {
      this.problem = `events are missing: ${data.seq} follows ${this.lastSeq}`;
      return undefined;
    }
    if (++this.count > this.#limits.maxEvents)
      throw new TraceFileError('tooLarge', `the file has more than ${this.#limits.maxEvents} events`);
    this.lastSeq = data.seq;
    return data;
  }

  /** Validates an event and removes unknown members. Returns undefined for an invalid one. */
  #checked(value: unknown): TraceEvent | undefined {
    if (isExactEvent(value)) return value;
    const parsed = traceEventSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    this.problem =
      `it is damaged ${this.#where}: ${issue?.path.join('.') || 'the line'}: ` + (issue?.message ?? 'not an event');
    return undefined;
  }
}

/**
 * Reads the header of a trace file and prepares the reading of its events.
 * @throws TraceFileError if the file isn't a trace file, is too new or too large, or is damaged before its first event
 */
export const openTraceFile = (
  source: AsyncIterable<Uint8Array>,
  limits: TraceFileLimits = defaultTraceFileLimits,
): Promise<TraceFileReader> => openUnpacked(gunzip(source, limits), limits);

async function openUnpacked({ chunks, problem }: Unpacked, limits: TraceFileLimits): Promise<TraceFileReader> {
  const groups = linesOf(chunks, limits.maxLineLength);
  const first = await groups.next();
  const [head, ...rest] = first.value ?? [];
  if (!head) throw notATrace(problem() ?? 'it is empty');
  const { header, version, migration } = parseHeader(head, limits);
  const reader = new EventReader(limits, migration);
  const report = (): TraceFileReport => {
    const why = reader.problem ?? problem() ?? (reader.ended ? undefined : 'it was cut short');
    return { version, events: reader.count, complete: why === undefined, problem: why };
  };
  async function* events(): AsyncGenerator<readonly TraceEvent[]> {
    try {
      const early = reader.take(rest);
      if (early.length > 0) yield early;
      for await (const lines of groups) {
        if (reader.problem !== undefined) return;
        const some = reader.take(lines);
        if (some.length > 0) yield some;
      }
    } finally {
      await groups.return(undefined);
      await chunks[Symbol.asyncIterator]().return?.();
    }
  }
  return { header, events: events(), report };
}

/**
 * Reads a trace file into memory.
 * @throws TraceFileError like {@link openTraceFile}
 */
export const loadTraceFile = (
  source: AsyncIterable<Uint8Array>,
  limits: TraceFileLimits = defaultTraceFileLimits,
): Promise<LoadedTraceFile> => loadUnpackedTraceFile(gunzip(source, limits), limits);

/**
 * Reads a trace file into memory that another program has decompressed.
 * @throws TraceFileError like {@link openTraceFile}
 */
export async function loadUnpackedTraceFile(
  source: Unpacked,
  limits: TraceFileLimits = defaultTraceFileLimits,
): Promise<LoadedTraceFile> {
  const reader = await openUnpacked(source, limits);
  const events: TraceEvent[] = [];
  for await (const group of reader.events) for (const event of group) events.push(event);
  return { header: reader.header, events, report: reader.report() };
}

/** Converts a stream to an async iterable, because the streams of some browsers aren't iterable. */
export async function* bytesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
