import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { constants, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../events/event.ts';
import { toJson } from '../events/event-json.ts';
import { crashLoop } from '../folds/testing/index.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { bytesOf } from './bytes/bytes-of.ts';
import {
  defaultTraceFileLimits,
  type LoadedTraceFile,
  loadTraceFile,
  openTraceFile,
  openUnpackedTraceFile,
  runDebugOf,
  TraceFileError,
  type TraceFileHeader,
  type TraceFileLimits,
  traceFileVersion,
  type UnpackedFile,
  unpackFile,
  writeTraceFile,
} from './index.ts';

const header: TraceFileHeader = {
  format: 'podscope-trace',
  version: traceFileVersion,
  createdBy: 'podscope 0.1.0',
  createdAt: 1_767_225_600_000,
  run: {
    id: 'run-1',
    title: 'A crash loop',
    tags: ['demo'],
    notes: [{ id: 1, seq: 3, time: 1_767_225_600_000, text: 'Here it begins' }],
    startedAt: 1_767_225_600_000,
    nodeName: 'node',
    runtime: { name: 'docker', version: '20.10.24', kind: 'docker' },
    profile: 'v1.36',
    engine: 'v1.36.2',
    steps: [{ id: 'syncPod.computePodActions', step: 1, title: 'Compute', description: '' }],
  },
};

async function written(events: readonly (TraceEvent | string)[], head: TraceFileHeader = header): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(writeTraceFile(head, events))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Yields the bytes in chunks, as a file or a connection does. */
async function* chunked(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const load = (bytes: Uint8Array, limits: Partial<TraceFileLimits> = {}) =>
  loadTraceFile(chunked(bytes), { ...defaultTraceFileLimits, ...limits });
async function loadUnpacked(file: UnpackedFile): Promise<LoadedTraceFile> {
  const reader = await openUnpackedTraceFile(file);
  const events: TraceEvent[] = [];
  for await (const group of reader.events) events.push(...group);
  return { header: reader.header, events, report: reader.report() };
}
const pack = (lines: readonly unknown[]): Uint8Array =>
  gzipSync(lines.map((line) => (typeof line === 'string' ? line : toJson(line))).join('\n'));
const story = crashLoop(2).events;
/** Returns the events after formatting them as JSON and parsing the result. */
const plain = (events: readonly TraceEvent[]): unknown => JSON.parse(JSON.stringify(events));

const failure = async (bytes: Uint8Array, limits: Partial<TraceFileLimits> = {}): Promise<TraceFileError> => {
  const error: unknown = await load(bytes, limits).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TraceFileError)) throw new Error(`expected a TraceFileError, got ${String(error)}`);
  return error;
};

const nothing = { events: [], report: { complete: false, problem: 'nothing can be read' } };

/** Returns the loaded file, or the error if it can't be loaded. */
const outcome = (bytes: Uint8Array): Promise<LoadedTraceFile | TraceFileError> =>
  load(bytes).catch((error: unknown) => {
    if (error instanceof TraceFileError) return error;
    throw error;
  });

describe('trace file', () => {
  it('returns the events that were written', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun(), fc.integer({ min: 1, max: 5_000 }), async (events, size) => {
        const read = await loadTraceFile(chunked(await written(events), size));
        expect(read.header).toEqual(header);
        expect(read.events).toEqual(plain(events));
        expect(read.report).toEqual({
          version: traceFileVersion,
          events: events.length,
          complete: true,
          problem: undefined,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('contains the breakpoints of its run, and remains readable if they are invalid', async () => {
    const debug = {
      breakpoints: [{ group: '', spec: { point: 'cri.*', condition: 'attempt > 1' } }],
      filters: [{ filter: 'anyError' }],
    };
    const carried = await load(await written(story, { ...header, run: { ...header.run, debug } }));
    expect(carried.header.run.debug).toEqual(debug);
    for (const broken of [null, 7, { breakpoints: 'all' }, { breakpoints: [{ group: 1 }], filters: [] }]) {
      const read = await load(
        pack([{ ...header, run: { ...header.run, debug: broken } }, ...story, { end: { events: story.length } }]),
      );
      expect([read.report.complete, read.events.length, read.header.run.debug]).toEqual([
        true,
        story.length,
        undefined,
      ]);
    }
    // Breakpoints that are used once aren't saved.
    const lists = {
      breakpoints: [...debug.breakpoints, { group: 'runTo', spec: { point: 'cri.*', oneShot: true } }],
      filters: debug.filters,
    };
    expect(runDebugOf(lists)).toEqual(debug);
    expect(runDebugOf({ breakpoints: [], filters: [] })).toBeUndefined();
  });

  it('is gzipped text in lines that other tools can read', async () => {
    const lines = gunzipSync(await written(story))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(story.length + 2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      format: 'podscope-trace',
      version: 2,
      run: { title: 'A crash loop' },
    });
    expect(lines.at(-1)).toBe(`{"end":{"events":${story.length}}}`);
  });

  it('has the same events if another thread packs its lines, whole and cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun(), fc.double({ min: 0, max: 1, noNaN: true }), async (events, share) => {
        const text = gunzipSync(await written(events)).toString();
        for (const part of [text, text.slice(0, Math.floor(text.length * share))]) {
          const source = () => chunked(Buffer.from(part), 300);
          const read = loadTraceFile(source()).catch(String);
          const packed = loadUnpacked(unpackFile(source(), defaultTraceFileLimits, { packed: 5 })).catch(String);
          const [{ report: one, ...expected }, { report: other, ...actual }] = (await Promise.all([read, packed])).map(
            (result) => (typeof result === 'string' ? { report: undefined, result } : result),
          ) as [Partial<LoadedTraceFile>, Partial<LoadedTraceFile>];
          expect(actual).toEqual(expected);
          expect({ ...other, problem: '' }).toEqual({ ...one, problem: '' });
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    [
      'a member that is given twice',
      '{"span":77,"type":"spanEnded","span":1,"outcome":"ok","thread":"t","seq":1,"time":1}',
    ],
    ['an escaped name', '{"span":77,"type":"spanEnded","sp\\u0061n":1,"outcome":"ok","thread":"t","seq":1,"time":1}'],
    ...[
      ['a time with leading zeros', '"seq":1,"time":001'],
      ['a time without digits after the point', '"seq":1,"time":1.'],
      ['a time with an exponent', '"seq":1,"time":1e3'],
      ['a negative time', '"seq":1,"time":-1'],
      ['a number of 16 digits', '"seq":1,"time":1234567890123456'],
      ['a fraction of 16 digits', '"seq":1,"time":0.1234567890123456'],
      ['a sequence number with leading zeros', '"seq":01,"time":1'],
      ['a sequence number as text', '"seq":"1","time":1'],
      ['a member behind the time', '"seq":1,"time":1,"pod":"p"'],
      ['an escape in the name of a pod', '"pod":"a\\nb","seq":1,"time":1'],
    ].map(([what, end]) => [what, `{"type":"command","command":"x","arguments":{},"thread":"t",${end}}`]),
    ['a span that is no number', '{"span":1.5,"type":"spanEnded","outcome":"ok","thread":"t","seq":1,"time":1}'],
    ['a parent with leading zeros', '{"type":"command","parent":01,"command":"x","thread":"t","seq":1,"time":1}'],
    ['a name of a pod with an escaped quote', '{"pod":"a\\"b","type":"command","command":"x","seq":1,"time":1}'],
    ['text after the object', '{"type":"command","command":"x","arguments":{},"thread":"t","seq":1,"time":1} x'],
  ])('has the same events if another thread packs lines with %s', async (_what, line) => {
    const text = `${toJson(header)}\n${line}\n{"end":{"events":1}}\n`;
    const packed = unpackFile(chunked(Buffer.from(text)), defaultTraceFileLimits, { packed: 5 });
    const plainly = await load(Buffer.from(text));
    const read = await loadUnpacked(packed);
    expect(read.events).toEqual(plainly.events);
    expect(read.report.complete).toBe(plainly.report.complete);
  });

  it('sends long lines to another thread in small groups', async () => {
    const line = `{"text":"${'x'.repeat(700_000)}"}\n`;
    const { groups } = unpackFile(chunked(Buffer.from(line.repeat(6))), defaultTraceFileLimits, { packed: 2_048 });
    const sizes = [];
    for await (const { rows } of groups) sizes.push(rows.length);
    expect(sizes).toEqual([2, 2, 2]);
  });

  it('is also readable without gzip', async () => {
    const read = await load(gunzipSync(await written(story)));
    expect(read.events).toHaveLength(story.length);
    expect(read.report.complete).toBe(true);
  });

  it('is read in pieces', async () => {
    const reader = await openTraceFile(chunked(await written(story), 100));
    expect(reader.header.run.title).toBe('A crash loop');
    let groups = 0;
    for await (const group of reader.events) groups += group.length > 0 ? 1 : 0;
    expect(groups).toBeGreaterThan(1);
    expect(reader.report()).toMatchObject({ events: story.length, complete: true });
  });

  it('accepts events as JSON text, and events from the middle of a run', async () => {
    const tail = story.slice(10);
    const read = await load(await written(tail.map((event) => toJson(event))));
    expect(read.events).toEqual(plain(tail));
  });
});

describe('damaged trace file', () => {
  it('returns all whole events of a truncated file', async () => {
    const bytes = await written(story);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        const cut = bytes.subarray(0, length);
        let inside = '';
        try {
          inside = inflateRawSync(cut.subarray(10), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
        } catch {
          // The cut file doesn't contain a whole compressed block.
        }
        const lines = inside.split('\n').length - 1;
        // Without the whole header, the file is unreadable. The header may be complete except for its line feed.
        const read = await outcome(cut);
        if (lines < 1) return read instanceof TraceFileError || (read.events.length === 0 && !read.report.complete);
        if (read instanceof TraceFileError) return false;
        // The events are those of all lines except the header and, if present, the end.
        expect(read.events).toEqual(plain(story.slice(0, Math.min(lines - 1, story.length))));
        return !read.report.complete && /cut short|damaged/.test(read.report.problem ?? '');
      }),
      { numRuns: 150 },
    );
  });

  it('returns leading events of a file with flipped bits, or reports the damage', async () => {
    const bytes = await written(story);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { minLength: 1, maxLength: 4 }),
        async (flips) => {
          const broken = Uint8Array.from(bytes);
          for (const [at, bit] of flips) broken[at] = (broken[at] ?? 0) ^ (1 << bit);
          const read = await outcome(broken);
          const {
            events,
            report,
          }: Pick<LoadedTraceFile, 'events'> & { report: { complete: boolean; problem: string | undefined } } =
            read instanceof TraceFileError ? nothing : read;
          expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => (events[0]?.seq ?? 0) + index));
          expect(report.complete ? isDeepStrictEqual(events, plain(story)) : report.problem).toBeTruthy();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('rejects random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (noise, zipped) => {
        const error = await failure(zipped ? gzipSync(noise) : noise);
        expect(['notATrace', 'broken']).toContain(error.code);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['a line that is not JSON', [story[0], '{"seq":2,', story[2]], /it is damaged after event 1/],
    ['an invalid event', [story[0], { ...story[1], type: 'wat' }, story[2]], /it is damaged after event 1: type/],
    ['a missing event', [story[0], story[2]], /events are missing: 3 follows 1/],
    ['a repeated event', [story[0], story[0]], /events are missing: 1 follows 1/],
    ['a wrong count at the end', [story[0], { end: { events: 7 } }], /should hold 7 events and holds 1/],
    ['no end', [story[0]], /cut short/],
    ['an event after the end', [story[0], { end: { events: 1 } }, story[1]], /more after its end/],
  ])('with %s is read up to that line', async (_what, lines, problem) => {
    const { events, report } = await load(pack([header, ...lines]));
    expect(events).toHaveLength(1);
    expect(report).toMatchObject({ complete: false, problem: expect.stringMatching(problem) });
  });
});

describe('trace file of another version', () => {
  it('is rejected with advice if it is newer', async () => {
    const error = await failure(pack([{ ...header, version: 99 }]));
    expect(error.code).toBe('tooNew');
    expect(error.message).toBe(
      'the file has version 99 of the format, this release reads up to 2: open it with a newer Podscope',
    );
  });

  const version1 = {
    format: 'podscope-trace',
    version: 1,
    run: 'run-1',
    startedAt: 1_767_225_600_000,
    nodeName: 'node',
    runtime: 'docker 20.10.24',
    profile: 'v1.36',
  };
  const at = (seq: number, event: object): object => ({ seq, time: seq, thread: 'pod', pod: 'pod', ...event });

  it('is migrated from version 1: header fields are moved and stops get numbers', async () => {
    const stopped = { type: 'stopped', reason: 'breakpoint', point: 'cri.StartContainer', phase: 'before' };
    const events = [
      at(1, stopped),
      at(2, { ...stopped, thread: 'other' }),
      at(3, { type: 'continued' }),
      at(4, { type: 'continued', thread: 'other' }),
      at(5, { type: 'continued' }),
    ];
    const { header: lifted, events: read, report } = await load(pack([version1, ...events, { end: { events: 5 } }]));
    expect(report).toEqual({ version: 1, events: 5, complete: true, problem: undefined });
    expect(lifted).toMatchObject({
      version: 2,
      run: { id: 'run-1', tags: [], notes: [], runtime: { name: 'docker', version: '20.10.24', kind: 'docker' } },
    });
    expect(read.map((event) => ('stop' in event ? event.stop : undefined))).toEqual([1, 2, 1, 2, undefined]);
  });

  it.each([
    [1, 'a run that podscope 0.1 wrote'],
    [2, 'a run with notes'],
  ])('reads the golden file of format %d', async (version, title) => {
    const bytes = await readFile(new URL(`./golden/format-${version}.podscope`, import.meta.url));
    const { header: read, events, report } = await load(bytes);
    expect(report).toEqual({ version, events: 6, complete: true, problem: undefined });
    expect(read.run).toMatchObject({ id: 'run-1', profile: 'v1.36', runtime: { name: 'docker', version: '20.10.24' } });
    expect([read.run.title ?? 'a run that podscope 0.1 wrote', read.version]).toEqual([title, traceFileVersion]);
    expect(events.flatMap((event) => ('stop' in event ? [event.stop] : []))).toEqual([1, 1]);
  });

  it('is the same after migration and rewriting', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun(60), async (events) => {
        const old = plain(events) as { stop?: number }[];
        for (const event of old) delete event.stop;
        const first = await load(pack([version1, ...old, { end: { events: old.length } }]));
        const second = await load(await written(first.events, first.header));
        expect(second.header).toEqual(first.header);
        expect(second.events).toEqual(first.events);
        expect(second.report).toMatchObject({ version: 2, complete: true });
      }),
      { numRuns: 40 },
    );
  });
});

describe('hostile trace file', () => {
  it.each([
    [
      'has too high a compression ratio',
      gzipSync(Buffer.alloc(3_000_000, 'a')),
      { maxRatio: 100, ratioFreeBytes: 1_000 },
      /more than 100 times its size/,
    ],
    [
      'exceeds the decompressed size',
      gzipSync(Buffer.alloc(3_000_000, 'a')),
      { maxBytes: 1_000_000 },
      /unpacks to more than 1 MiB/,
    ],
    [
      'has a line that is too long',
      gzipSync(Buffer.alloc(300_000, 'a')),
      { maxLineLength: 100_000 },
      /a line of the file has more than 100000 characters/,
    ],
    ['is too large', Buffer.alloc(2_000), { maxFileBytes: 1_000 }, /the file has more than 0 MiB/],
  ])('is rejected if it %s', async (_what, bytes, limits, message) => {
    const error = await failure(bytes, limits);
    expect(error.code).toBe('tooLarge');
    expect(error.message).toMatch(message);
  });

  it('is rejected if it has too many events', async () => {
    const error = await failure(await written(story), { maxEvents: 10 });
    expect(error).toMatchObject({ code: 'tooLarge', message: 'the file has more than 10 events' });
  });

  it('is read up to an event that is nested too deeply', async () => {
    const deep = `{"seq":2,"attributes":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    const { events, report } = await load(pack([header, story[0], deep, '']));
    expect(events).toHaveLength(1);
    expect(report.problem).toMatch(/deeper than 100 levels/);
  });

  it('cannot change prototypes', async () => {
    const evil = toJson(story[0]).replace('{', '{"__proto__":{"polluted":true},');
    const { events } = await load(pack([header, evil]));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((events[0] as { polluted?: boolean } | undefined)?.polluted).toBeUndefined();
  });
});
