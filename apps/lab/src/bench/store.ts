/** Measures the event store, trace files and time travel, for `bench debugger` and as a separate benchmark. */

import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { type CommandBody } from '@podscope/command-line';
import { EventStore } from '@podscope/server/runs';
import { toJson } from '@podscope/trace';
import { openTraceFile } from '@podscope/trace/file';
import { longRun } from '@podscope/trace/testing';
import { benchRun, saveTraceFile } from './trace-file.ts';

/** A measured value and its limit. */
export interface StoreFigure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  readonly atLeast?: boolean;
}

/** Number of events in a typical file, and in the largest run. */
const usual = 20_000;
const largest = 250_000;

const elapsed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await work();
  return performance.now() - before;
};

async function measureWriting(directory: string): Promise<readonly StoreFigure[]> {
  const store = EventStore.open({
    file: join(directory, 'runs.db'),
    limits: { maxBytes: 1e12, maxAge: 1e15 },
    notify: () => undefined,
  });
  const texts = longRun(100_000).map(toJson);
  const run = store.beginRun(benchRun);
  // Live events arrive in messages of 64.
  const commits: number[] = [];
  const before = performance.now();
  for (let at = 0; at < texts.length; at += 64) {
    const start = performance.now();
    store.append(run, at + 1, texts.slice(at, at + 64));
    commits.push(performance.now() - start);
  }
  const seconds = (performance.now() - before) / 1_000;
  const page = await elapsed(async () => store.textPage('bench', { after: 50_000, limit: 1_000 }));
  store.close();
  commits.sort((a, b) => a - b);
  return [
    {
      what: 'store: events written, 64 a commit',
      value: texts.length / seconds,
      unit: '/s',
      limit: 20_000,
      atLeast: true,
    },
    {
      what: 'store: a commit of 64, p99',
      value: commits[Math.floor(commits.length * 0.99)] ?? Number.NaN,
      unit: 'ms',
      limit: 8,
    },
    { what: 'store: a page of 1,000 from the middle', value: page, unit: 'ms', limit: 50 },
  ];
}

async function measureFile(directory: string, count: number, limit: number): Promise<readonly StoreFigure[]> {
  const path = join(directory, `${count}.podscope`);
  await saveTraceFile(path, longRun(count));
  console.error(
    `a file of ${count.toLocaleString('en')} events has ${((await stat(path)).size / 2 ** 20).toFixed(1)} MiB`,
  );
  const open = await elapsed(async () => {
    const { events } = await openTraceFile(createReadStream(path));
    for await (const _ of events);
  });
  return [{ what: `file: ${count.toLocaleString('en')} events read and checked`, value: open, unit: 'ms', limit }];
}

/** Measures time travel in a worker thread, whose heap contains nothing else. */
async function measureTravel(): Promise<readonly StoreFigure[]> {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(fileURLToPath(new URL('./store/travel-worker.ts', import.meta.url)), {
    workerData: { count: largest, port: port2 },
    transferList: [port2],
  });
  const { p95, median, mostWork, megabytes } = await new Promise<{
    p95: number;
    median: number;
    mostWork: number;
    megabytes: number;
  }>((resolve, reject) => {
    port1.once('message', resolve);
    worker.once('error', reject);
  }).finally(() => port1.close());
  return [
    { what: 'travel: seek in 250,000 events, median', value: median, unit: 'ms', limit: 50 },
    { what: 'travel: seek in 250,000 events, p95', value: p95, unit: 'ms', limit: 50 },
    { what: 'travel: the most work of a seek', value: mostWork, unit: 'ms', limit: 50 },
    { what: 'travel: heap with 250,000 events', value: megabytes, unit: 'MiB', limit: 400 },
  ];
}

/** Returns all figures of the store. */
export async function measureStore(): Promise<readonly StoreFigure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-bench-store-'));
  try {
    return [
      ...(await measureWriting(directory)),
      ...(await measureFile(directory, usual, 1_000)),
      ...(await measureFile(directory, largest, 2_000)),
      ...(await measureTravel()),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const meets = ({ value, limit, atLeast }: StoreFigure): boolean => (atLeast ? value >= limit : value <= limit);

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench store

Measures how fast events are stored and read, how long a trace file of ${usual.toLocaleString('en')} and of
${largest.toLocaleString('en')} events takes to open, and how long it takes to go to any event of the larger one. Exit
code 1 when a figure misses its limit.`,
  examples: [['bench store', 'Measure and print the figures']],
  async run() {
    const figures = await measureStore();
    for (const figure of figures) {
      const { what, value, unit, limit, atLeast } = figure;
      const shown = value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
      console.log(
        `${meets(figure) ? 'ok  ' : 'MISS'} ${what.padEnd(46)} ${shown.padStart(10)} ${unit.padEnd(3)} ` +
          `(${atLeast ? '≥' : '≤'} ${limit.toLocaleString('en')})`,
      );
    }
    return figures.every(meets) ? 0 : 1;
  },
};
