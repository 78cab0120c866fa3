import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TraceEvent } from '../events/event.ts';
import type { RunInfo } from '../file/run-info.ts';
import { crashLoop, EventScript } from '../folds/testing/index.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { writePerfetto } from './perfetto.ts';

const info: RunInfo = {
  id: 'run-1',
  title: 'A run',
  tags: [],
  notes: [],
  startedAt: Date.UTC(2026, 0, 1),
  nodeName: 'node',
  runtime: { name: 'docker', version: '20.10', kind: 'docker' },
  profile: 'v1.36',
  engine: 'v1.36.2',
  steps: [],
};

const place = { pid: z.int().nonnegative(), tid: z.int().nonnegative(), name: z.string() };
const microseconds = z.number().nonnegative().refine(Number.isFinite);
/** The schema of the exported records of the Trace Event Format, with their required fields. */
const recordSchema = z.discriminatedUnion('ph', [
  z.strictObject({
    ph: z.literal('X'),
    ...place,
    cat: z.string(),
    ts: microseconds,
    dur: microseconds,
    args: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    ph: z.literal('i'),
    ...place,
    cat: z.string(),
    ts: microseconds,
    s: z.enum(['g', 'p', 't']),
    args: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({ ph: z.literal('C'), ...place, ts: microseconds, args: z.record(z.string(), z.number()) }),
  z.strictObject({
    ph: z.literal('M'),
    ...place,
    name: z.enum(['process_name', 'thread_name', 'process_sort_index', 'thread_sort_index']),
    ts: microseconds,
    args: z.union([z.strictObject({ name: z.string() }), z.strictObject({ sort_index: z.number() })]),
  }),
]);
type TraceRecord = z.infer<typeof recordSchema>;
type Slice = Extract<TraceRecord, { ph: 'X' }>;
const fileSchema = z.strictObject({
  displayTimeUnit: z.enum(['ms', 'ns']),
  otherData: z.record(z.string(), z.unknown()),
  traceEvents: z.array(recordSchema),
});

async function exported(events: readonly TraceEvent[]): Promise<readonly TraceRecord[]> {
  let text = '';
  for await (const piece of writePerfetto(info, events)) text += piece;
  return fileSchema.parse(JSON.parse(text)).traceEvents;
}

const slicesOf = (records: readonly TraceRecord[]): readonly Slice[] => records.filter((record) => record.ph === 'X');

/** Returns a text for each violation of a rule on which programs that import the format rely. */
function faultsOf(records: readonly TraceRecord[]): readonly string[] {
  const named = (name: string): Set<string> =>
    new Set(
      records
        .filter((record) => record.ph === 'M' && record.name === name)
        .map(({ pid, tid }) => `${pid}/${name === 'process_name' ? 0 : tid}`),
    );
  const processes = named('process_name');
  const threads = named('thread_name');
  const faults: string[] = [];
  const rows = new Map<string, Slice[]>();
  for (const record of records) {
    if (record.ph === 'M') continue;
    const row = `${record.pid}/${record.tid}`;
    if (!processes.has(`${record.pid}/0`)) faults.push(`process ${record.pid} has no name`);
    if (record.ph !== 'C' && !threads.has(row)) faults.push(`thread ${row} has no name`);
    if (record.ph === 'X') rows.set(row, [...(rows.get(row) ?? []), record]);
  }
  // The slices of a row are nested or don't overlap.
  for (const [name, row] of rows) {
    const open: number[] = [];
    for (const { ts, dur, name: slice } of row.toSorted((one, other) => one.ts - other.ts || other.dur - one.dur)) {
      while (open.length > 0 && (open.at(-1) ?? 0) <= ts) open.pop();
      if (open.length > 0 && ts + dur > (open.at(-1) ?? 0))
        faults.push(`${slice} at ${ts} crosses the end of what is around it on ${name}`);
      open.push(ts + dur);
    }
  }
  return faults;
}

describe('Perfetto export', () => {
  it('is valid for any run', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun(), async (events) => {
        expect(faultsOf(await exported(events))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('creates a process for the pod, with its worker and its containers', async () => {
    const records = await exported(crashLoop(3).events);
    expect(faultsOf(records)).toEqual([]);
    const names = records.flatMap((record) => (record.ph === 'M' && 'name' in record.args ? [record.args.name] : []));
    expect(names).toEqual(expect.arrayContaining(['pod default/web-0', 'pod worker', 'container app']));
    const slices = slicesOf(records);
    expect(slices.find(({ name }) => name === 'RunPodSandbox')).toMatchObject({
      cat: 'cri',
      dur: 780_000,
      args: { point: 'cri.RunPodSandbox', outcome: 'ok' },
    });
    expect(slices.filter(({ cat }) => cat === 'container').map(({ name }) => name)).toEqual([
      'app attempt 0',
      'app attempt 1',
      'app attempt 2',
    ]);
    expect(records.filter(({ ph }) => ph === 'i').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BackOff', 'StartContainer app']),
    );
  });

  it('shows and counts containers, including those that run until the end', async () => {
    const log = new EventScript('pod');
    const seen = (id: string, to: 'running' | 'exited', more: object = {}): void =>
      void log.emit({
        type: 'runtimeStateChanged',
        object: 'container',
        id,
        name: 'app',
        attempt: 0,
        from: 'created',
        to,
        ...more,
      });
    seen('a', 'running');
    log.wait(1_000);
    seen('a', 'exited', { exitCode: 3, finishedAt: log.now - 100 });
    log.wait(500);
    seen('b', 'running');
    log.wait(250).emit({ type: 'output', level: 'info', message: 'end' });
    const records = await exported(log.events);
    expect(slicesOf(records)).toMatchObject([
      { name: 'app attempt 0', dur: 900_000, args: { exitCode: 3 } },
      { name: 'app attempt 0', dur: 250_000, args: { unfinished: true } },
    ]);
    expect(
      records.flatMap((record) =>
        record.ph === 'C' && record.name === 'containers running' ? [record.args['value']] : [],
      ),
    ).toEqual([1, 0, 1]);
  });

  it('puts concurrent spans on separate rows', async () => {
    const log = new EventScript('pod');
    const event = (rest: object): void => void log.emit(rest as Parameters<typeof log.emit>[0]);
    const start = (span: number, parent?: number): void =>
      event({
        type: 'spanStarted',
        span,
        parent,
        point: `p${span}`,
        kind: 'function',
        title: `p${span}`,
        attributes: {},
      });
    const end = (span: number): void => event({ type: 'spanEnded', span, outcome: 'ok' });
    start(1);
    log.wait(10);
    start(2, 1);
    start(3, 1);
    log.wait(10);
    end(2);
    log.wait(10);
    end(1);
    log.wait(10);
    end(3);
    const records = await exported(log.events);
    expect(faultsOf(records)).toEqual([]);
    expect(slicesOf(records).map(({ name, dur, tid }) => [name, dur, tid])).toEqual([
      ['p2', 10_000, 1],
      ['p1', 30_000, 1],
      ['p3', 30_000, 2],
    ]);
  });

  it('shows how long the debugger stopped a thread', async () => {
    const log = new EventScript('pod');
    log.open('cri.StartContainer');
    log.emit({ type: 'stopped', reason: 'breakpoint', point: 'cri.StartContainer', phase: 'before' });
    log.wait(5_000).emit({ type: 'continued', reason: 'continue' });
    log.close();
    expect(slicesOf(await exported(log.events)).find(({ cat }) => cat === 'debugger')).toMatchObject({
      name: 'stopped',
      dur: 5_000_000,
    });
  });
});
