import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EventLog, type TraceEvent, toJson, VirtualClock } from '@podscope/trace';
import {
  loadTraceFile,
  type RunInfo,
  TraceFileError,
  type TraceFileHeader,
  traceFileVersion,
  writeTraceFile,
} from '@podscope/trace/file';
import { crashLoop } from '@podscope/trace/testing';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStore } from './event-store.ts';
import { ageLook, Retention } from './retention.ts';
import { RunRecorder } from './run-recorder.ts';
import { StoreError } from './store-error.ts';
import type { StoreLimits } from './store-limits.ts';
import { eventTexts, exportRun, importRun } from './transfer.ts';

let directory: string;
let stores: EventStore[];
let notices: string[];
let now: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'podscope-store-'));
  stores = [];
  notices = [];
  now = 1_000;
});
afterEach(() => {
  for (const store of stores) store.close();
  rmSync(directory, { recursive: true, force: true });
  vi.useRealTimers();
});

const file = (): string => join(directory, 'runs.db');
const unlimited: StoreLimits = { maxBytes: Number.MAX_SAFE_INTEGER, maxAge: Number.MAX_SAFE_INTEGER };

function open(limits: Partial<StoreLimits> = {}): EventStore {
  const store = EventStore.open({
    file: file(),
    limits: { ...unlimited, ...limits },
    notify: (message) => notices.push(message),
    now: () => now,
  });
  stores.push(store);
  return store;
}

/** Leaves a store open, as if its process had been killed. The file contains everything up to the last commit. */
function leave(store: EventStore): void {
  stores = stores.filter((other) => other !== store);
  store.close();
}

const info = (id: string, more: Partial<RunInfo> = {}): RunInfo => ({
  id,
  tags: [],
  notes: [],
  startedAt: now,
  nodeName: 'node',
  runtime: { name: 'docker', version: '20.10', kind: 'docker' },
  profile: 'v1.36',
  engine: 'v1.36.2',
  steps: [],
  ...more,
});

const text = (seq: number, size = 10): string =>
  toJson({ seq, time: seq, thread: 'node', type: 'output', level: 'info', message: 'x'.repeat(size) });
const texts = (from: number, count: number, size?: number): string[] =>
  Array.from({ length: count }, (_, at) => text(from + at, size));

/** Records a finished run with this many events. */
function record(store: EventStore, id: string, count: number, size?: number): void {
  const run = store.beginRun(info(id));
  store.append(run, 1, texts(1, count, size));
  store.endRun(run, 'ended', now);
}

const ids = (store: EventStore): string[] => store.list().map(({ id }) => id);

async function all(store: EventStore, id: string): Promise<string[]> {
  const found: string[] = [];
  for await (const each of eventTexts(store, id)) found.push(each);
  return found;
}

describe('runs', () => {
  it('lists runs newest first with their metadata', () => {
    const store = open();
    record(store, 'first', 3);
    now = 2_000;
    store.append(store.beginRun(info('second')), 1, texts(1, 5));
    expect(store.list()).toMatchObject([
      { id: 'second', state: 'current', firstSeq: 1, lastSeq: 5, startedAt: 2_000, imported: false },
      { id: 'first', state: 'ended', firstSeq: 1, lastSeq: 3, endedAt: 1_000, runtime: { kind: 'docker' } },
    ]);
    expect(store.get('current').id).toBe('second');
    expect(() => store.get('nothing')).toThrow('runs "nothing" not found');
  });

  it('keeps title, tags and notes over a restart', () => {
    let store = open();
    record(store, 'run', 3);
    store.rename('run', 'The one that failed');
    store.tag('run', ['bug', 'docker', 'bug']);
    const note = store.annotate('run', { seq: 2, text: 'here' });
    store.annotate('run', { text: 'as a whole' });
    leave(store);
    store = open();
    expect(store.get('run')).toMatchObject({
      title: 'The one that failed',
      tags: ['bug', 'docker'],
      notes: [{ seq: 2, text: 'here', time: 1_000 }, { text: 'as a whole' }],
    });
    store.annotate('run', { note: note?.id, text: 'there' });
    expect(store.get('run').notes[0]?.text).toBe('there');
    store.annotate('run', { note: note?.id, text: '' });
    expect(store.get('run').notes).toHaveLength(1);
    expect(() => store.annotate('run', { note: 99, text: 'x' })).toThrow('no note 99');
    expect(store.rename('run', '').title).toBeUndefined();
  });

  it('deletes a run with its events, but not the current one', () => {
    const store = open();
    record(store, 'old', 10);
    const current = store.beginRun(info('now'));
    store.append(current, 1, texts(1, 3));
    store.delete('old');
    expect(ids(store)).toEqual(['now']);
    expect(() => store.delete('now')).toThrow('it is still being recorded');
    expect(() => store.delete('old')).toThrow('not found');
  });

  it('marks runs of a killed process as interrupted and discards empty ones', () => {
    let store = open();
    store.append(store.beginRun(info('killed')), 1, texts(1, 4));
    leave(store);
    store = open();
    store.beginRun(info('empty'));
    leave(store);
    store = open();
    expect(store.list()).toMatchObject([{ id: 'killed', state: 'interrupted', lastSeq: 4 }]);
  });
});

describe('pages', () => {
  it('returns the whole run page by page, whatever the page size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 40 }),
        (count, limit, firstSeq) => {
          const store = open();
          const id = `run-${count}-${limit}-${firstSeq}-${now++}`;
          const run = store.beginRun(info(id));
          store.append(run, firstSeq, texts(firstSeq, count));
          const seen: number[] = [];
          for (let after: number | undefined = 0; after !== undefined; ) {
            const { events, next } = store.page(id, { after, limit });
            seen.push(...events.map((event) => Number(event['seq'])));
            after = next;
          }
          expect(seen).toEqual(Array.from({ length: count }, (_, at) => firstSeq + at));
          leave(store);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('returns fewer events per page when they are large', () => {
    const store = open();
    record(store, 'run', 10, 1_000_000);
    const { events, next } = store.page('run', { after: 0, limit: 10 });
    expect(events).toHaveLength(4);
    expect(next).toBe(4);
  });

  it('appends all or none of a batch', () => {
    const store = open();
    const run = store.beginRun(info('run'));
    store.append(run, 1, texts(1, 5));
    expect(() => store.append(run, 4, texts(4, 5))).toThrow(/UNIQUE/);
    expect(store.get('run').lastSeq).toBe(5);
    store.append(run, 6, texts(6, 1));
    expect(store.page('run', { after: 4, limit: 9 }).events.map(({ seq }) => seq)).toEqual([5, 6]);
  });
});

describe('keyframes', () => {
  const about = (seq: number, rest: object): string => toJson({ seq, time: seq, thread: 'api', pod: 'uid', ...rest });

  it('opens a long run in its middle with the pods at that point', () => {
    const store = open();
    const run = store.beginRun(info('run'));
    const pod = { metadata: { name: 'web', uid: 'uid' } };
    store.append(run, 1, [about(1, { type: 'podChanged', operation: 'ADDED', object: pod }), ...texts(2, 9_000)]);
    store.append(run, 9_002, [
      about(9_002, { type: 'podStatus', status: { phase: 'Running' } }),
      ...texts(9_003, 10_000),
    ]);
    store.append(run, 19_003, [
      about(19_003, { type: 'podChanged', operation: 'DELETED', object: pod }),
      ...texts(19_004, 2_000),
    ]);
    const middle = store.page('run', { after: 0, at: 15_000, limit: 3 });
    expect(middle.events.map(({ seq }) => seq)).toEqual([10_001, 10_002, 10_003]);
    expect(middle.pods).toEqual([{ ...pod, status: { phase: 'Running' } }]);
    expect(store.page('run', { after: 0, at: 21_000, limit: 1 })).toMatchObject({
      events: [{ seq: 20_001 }],
      pods: [],
    });
    const start = store.page('run', { after: 0, at: 10_000, limit: 1 });
    expect(start).toMatchObject({ events: [{ seq: 1 }], pods: undefined });
  });
});

describe('retention', () => {
  it('deletes the oldest whole runs, never the current one', () => {
    const store = open({ maxBytes: 40_000 });
    for (const id of ['a', 'b', 'c']) record(store, id, 100, 100);
    const current = store.beginRun(info('now'));
    store.append(current, 1, texts(1, 300, 100));
    store.prune();
    expect(ids(store)).toEqual(['now']);
    expect(store.get('now').lastSeq).toBe(300);
  });

  it('deletes the oldest events of a current run that has no end, up to a keyframe', async () => {
    const store = open({ maxBytes: 1_000_000, continues: true });
    const run = store.beginRun(info('observed'));
    for (let seq = 1; seq <= 25_000; seq += 1_000) store.append(run, seq, texts(seq, 1_000));
    store.prune();
    await vi.waitFor(() => expect(store.get('observed').firstSeq).toBe(20_001), { timeout: 120_000 });
    const { firstSeq, lastSeq, bytes } = store.get('observed');
    expect({ first: store.firstSeqOf(run), firstSeq, lastSeq }).toEqual({
      first: 20_001,
      firstSeq: 20_001,
      lastSeq: 25_000,
    });
    expect(bytes).toBeLessThan(1_000_000);
    const { texts: first } = store.textPage('observed', { after: 0, limit: 10 });
    expect(first).toEqual(texts(20_001, 10));
    store.append(run, 25_001, texts(25_001, 1));
    expect(store.textPage('observed', { after: 25_000, limit: 10 }).texts).toEqual(texts(25_001, 1));
    expect(store.textPage('observed', { after: 0, at: 24_000, limit: 1 }).texts).toEqual(texts(20_001, 1));
  });

  it.each([
    ['larger than the limit, without its oldest events', { maxBytes: 300_000 }, 10_001],
    ['older than the limit', { maxAge: 1_000 }, 1],
  ])('keeps the run that the next process continues: %s', async (_, limits, firstSeq) => {
    const options = { ...limits, continues: true };
    const first = open(options);
    first.beginImport(info('imported', { startedAt: now + 1_000_000 }));
    const run = first.beginRun(info('observed'));
    for (let seq = 1; seq <= 12_000; seq += 1_000) first.append(run, seq, texts(seq, 1_000));
    first.endRun(run, 'ended', now);
    leave(first);
    now += 5_000;
    const second = open(options);
    expect(ids(second)).toEqual(['observed']);
    await vi.waitFor(() => expect(second.get('observed').firstSeq).toBe(firstSeq), { timeout: 120_000 });
    const continued = second.continueRun('observed');
    second.append(continued, 12_001, texts(12_001, 1));
    expect(second.get('observed').lastSeq).toBe(12_001);
  });

  it('deletes no more runs than necessary', () => {
    const store = open({ maxBytes: 30_000 });
    for (const id of ['a', 'b', 'c', 'd']) record(store, id, 70, 100);
    store.prune();
    expect(ids(store).toSorted()).toEqual(['c', 'd']);
  });

  it('deletes runs by age since they were stored', async () => {
    const store = open({ maxAge: 1_000 });
    record(store, 'old', 1);
    now += 600;
    const header: TraceFileHeader = {
      format: 'podscope-trace',
      version: traceFileVersion,
      createdBy: 'x',
      createdAt: 0,
      run: info('ancient', { startedAt: 0 }),
    };
    await importRun(store, writeTraceFile(header, crashLoop(1).events));
    now += 600;
    store.prune();
    expect(ids(store)).toEqual(['ancient']);
  });

  it('deletes old runs also while nothing is written', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const store = open({ maxAge: 1_000 });
    record(store, 'old', 1);
    vi.advanceTimersByTime(ageLook + 100);
    expect(ids(store)).toEqual(['old']);
    now += 2_000;
    vi.advanceTimersByTime(ageLook + 100);
    expect(ids(store)).toEqual([]);
  });

  it('checks the size again after writes during a deletion', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const store = open({ maxBytes: 1_000_000 });
    for (const id of ['a', 'b']) record(store, id, 1);
    // Deleting the run schedules a sweep. The sweep must not cancel the check of the limits that the next write
    // requests.
    store.delete('a');
    const current = store.beginRun(info('now'));
    store.append(current, 1, texts(1, 4, 5 * 1024 * 1024));
    vi.advanceTimersByTime(1_000);
    expect(ids(store)).toEqual(['now']);
  });

  it('frees space in batches, also after a restart', () => {
    let store = open();
    record(store, 'large', 20_000, 400);
    record(store, 'small', 10);
    leave(store);
    const before = statSync(file()).size;
    store = open();
    store.delete('large');
    leave(store);
    store = open();
    leave(store);
    const database = new DatabaseSync(file());
    const retention = new Retention(database, unlimited, () => now);
    let goes = 0;
    while (retention.sweep()) goes++;
    expect(goes).toBeGreaterThan(3);
    expect(database.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 10 });
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    expect(statSync(file()).size).toBeLessThan(before / 5);
  });
});

describe('a damaged database', () => {
  const noisy = (): void => {
    const fd = openSync(file(), 'r+');
    const { size } = statSync(file());
    for (let at = 0; at < size; at += 512) writeSync(fd, Buffer.alloc(256, 0xa5), 0, 256, at);
    closeSync(fd);
  };

  it.each([
    ['that is no database', () => writeFileSync(file(), 'hello, this is no database at all, '.repeat(100))],
    ['with damaged pages', noisy],
  ])('sets a database %s aside with a notice, and creates a new one', (_what, damage) => {
    const store = open();
    record(store, 'run', 2_000, 200);
    leave(store);
    damage();
    const fresh = open();
    expect(notices).toEqual([
      expect.stringMatching(
        /^the event store was damaged \(.*\): it is kept as .*runs\.db\.broken-.*, and runs are now recorded in a new one$/,
      ),
    ]);
    expect(fresh.list()).toEqual([]);
    record(fresh, 'new', 3);
    expect(readdirSync(directory).some((name) => name.startsWith('runs.db.broken-'))).toBe(true);
  });

  it('leaves the database of a newer release unchanged', () => {
    leave(open());
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(() => open()).toThrow(StoreError);
    expect(() => open()).toThrow(/newer version of Podscope/);
  });

  it('reports a missing database', () => {
    expect(() => EventStore.openExisting(join(directory, 'nothing.db'))).toThrow(/there are no recorded runs/);
  });
});

describe('files', () => {
  const header = (run: RunInfo): TraceFileHeader => ({
    format: 'podscope-trace',
    version: traceFileVersion,
    createdBy: 'podscope',
    createdAt: 5,
    run,
  });
  const { events } = crashLoop(2);

  async function* bytes(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
    yield chunk;
  }

  async function exported(store: EventStore, id: string): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of exportRun(store, id, 'file', 7)) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  }

  it('exports an imported run unchanged', async () => {
    const store = open();
    const run = info('run', { title: 'A title', tags: ['a', 'b'], notes: [{ id: 1, time: 3, text: 'note' }] });
    const { run: imported, report } = await importRun(store, writeTraceFile(header(run), events));
    expect(report).toMatchObject({ complete: true, events: events.length });
    expect(imported).toMatchObject({ ...run, imported: true, state: 'ended', lastSeq: events.length });
    const again = await loadTraceFile(bytes(await exported(store, 'run')));
    expect(again.header.run).toMatchObject(run);
    expect(again.events).toEqual(JSON.parse(JSON.stringify(events)) as TraceEvent[]);
  });

  it('gives a run that is imported twice another id', async () => {
    const store = open();
    await importRun(store, writeTraceFile(header(info('run')), events));
    const { run } = await importRun(store, writeTraceFile(header(info('run')), events));
    expect(run.id).toBe('run-2');
    expect(await all(store, 'run-2')).toEqual(await all(store, 'run'));
  });

  it('imports a truncated file as far as it can be read', async () => {
    const store = open();
    const chunks: Uint8Array[] = [];
    for await (const chunk of writeTraceFile(header(info('run')), events)) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    const { run, report } = await importRun(store, bytes(whole.subarray(0, whole.length * 0.7)));
    expect(report.complete).toBe(false);
    expect(run).toMatchObject({ state: 'interrupted', lastSeq: report.events });
  });

  it('stores nothing of a file that cannot be read', async () => {
    const store = open();
    await expect(importRun(store, bytes(Buffer.from('no trace')))).rejects.toThrow(TraceFileError);
    expect(store.list()).toEqual([]);
  });
});

describe('RunRecorder', () => {
  function recording(store: EventStore, retained?: number) {
    const clock = new VirtualClock();
    const log = new EventLog(clock, retained);
    const reports: string[] = [];
    const recorder = new RunRecorder({
      store,
      run: { info: info('live'), log, encode: toJson },
      clock,
      report: (message) => reports.push(message),
    });
    const emit = (count: number): void => {
      for (let index = 0; index < count; index++)
        log.append({ type: 'output', thread: 'main', level: 'info', message: 'x' });
    };
    return { clock, log, recorder, reports, emit };
  }

  it('writes within 8 ms', async () => {
    const store = open();
    const { clock, recorder, emit } = recording(store);
    emit(3);
    expect(recorder.durableSeq).toBe(0);
    await clock.advance(8);
    expect(recorder.durableSeq).toBe(3);
  });

  it('writes pending events before a read', () => {
    const store = open();
    const { recorder, emit } = recording(store);
    emit(10);
    expect(store.get('live').lastSeq).toBe(10);
    emit(5);
    expect(store.page('current', { after: 8, limit: 100 }).events).toHaveLength(7);
    emit(1);
    recorder.commit();
    expect(recorder.durableSeq).toBe(16);
    expect(recorder.read(14, 10)).toHaveLength(2);
  });

  it('reads events that are no longer in memory', async () => {
    const store = open();
    const { clock, log, recorder, emit } = recording(store, 100);
    for (let round = 0; round < 10; round++) {
      emit(50);
      await clock.advance(10);
    }
    expect(log.firstSeq).toBeGreaterThan(300);
    expect(recorder.firstSeq).toBe(1);
    expect(recorder.read(0, 500)).toHaveLength(500);
  });

  it('ends the run with the time of its last event', async () => {
    const store = open();
    const { clock, recorder, emit } = recording(store);
    await clock.advance(1_000);
    emit(1);
    recorder.close();
    expect(store.get('live')).toMatchObject({ state: 'ended', endedAt: clock.now(), lastSeq: 1 });
  });

  it('retries after a failed write, and reports both', async () => {
    const store = open();
    const { clock, recorder, reports, emit } = recording(store);
    emit(2);
    await clock.advance(8);
    const other = new DatabaseSync(file());
    // Make every write fail while reads succeed, as on a full disk.
    other.exec(
      `CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    emit(3);
    await clock.advance(100);
    expect(reports).toEqual([expect.stringContaining('cannot be written (database or disk is full)')]);
    expect(recorder.durableSeq).toBe(2);
    other.exec('DROP TRIGGER full');
    other.close();
    await clock.advance(5_000);
    expect(reports[1]).toContain('can be written again');
    expect(store.page('live', { after: 0, limit: 10 }).events).toHaveLength(5);
  });

  it('stops recording after a gap in the events', async () => {
    const store = open();
    const { clock, recorder, reports, emit } = recording(store, 20);
    emit(5);
    await clock.advance(8);
    const other = new DatabaseSync(file());
    other.exec(`CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END`);
    emit(100);
    await clock.advance(100);
    other.exec('DROP TRIGGER full');
    other.close();
    await clock.advance(5_000);
    expect(reports.at(-1)).toMatch(/events 6 to \d+ are lost, and what follows is not kept/);
    expect(store.get('live')).toMatchObject({ state: 'interrupted', lastSeq: 5 });
    recorder.close();
  });
});
