/** Implements `bench debugger`: measures the overhead of an idle debugger and its response times in use. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandBody } from '@podscope/command-line';
import { createLogger, parseCommandLine, type RunningServer, startServer } from '@podscope/server/embed';
import { measureLatencies } from './debugger/latency.ts';
import { measureDeliveries, measureReconnect } from './debugger/stream.ts';
import { measureTracing } from './debugger/tracing.ts';
import { median } from './runtime/statistics.ts';
import { measureStore } from './store.ts';

/** A measured value and its limit. */
interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  readonly atLeast?: boolean;
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

const meets = ({ value, limit, atLeast }: Figure): boolean => (atLeast ? value >= limit : value <= limit);

async function withServer<T>(work: (server: RunningServer) => Promise<T>): Promise<T> {
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-bench-'));
  const line = parseCommandLine(['--runtime', 'sim', '--port', '0', '--state-dir', stateDir]);
  if (line.action !== 'serve') throw new Error('the arguments do not start a server');
  const server = await startServer(line.options, {
    logger: createLogger('silent'),
    notify: () => undefined,
    preparePage: () => Promise.resolve(undefined),
  });
  try {
    return await work(server);
  } finally {
    await server.stop();
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function measure(): Promise<readonly Figure[]> {
  const { bare, logged, idle, elsewhere } = await measureTracing();
  console.error(
    `a step: ${bare.toFixed(2)} µs bare, ${logged.toFixed(2)} µs logged, ${idle.toFixed(2)} µs with the ` +
      `debugger idle, ${elsewhere.toFixed(2)} µs with a breakpoint elsewhere`,
  );
  const { stop, step, sync } = await withServer((server) => measureLatencies(server, 20));
  console.error(
    `a sync that starts a pod: ${sync.spans} spans in ${sync.milliseconds.toFixed(0)} ms (simulator with the ` +
      'latencies of a Docker engine)',
  );
  const one = await withServer((server) => measureDeliveries(server, 1, 100_000));
  const twenty = await withServer((server) => measureDeliveries(server, 20, 20_000));
  const reconnect = await withServer((server) => measureReconnect(server, 10_000));
  return [
    { what: 'tracing a step without a client', value: idle, unit: 'µs', limit: 20 },
    { what: 'tracing with a breakpoint elsewhere', value: elsewhere, unit: 'µs', limit: 20 },
    {
      what: 'share of tracing in a sync',
      value: (100 * ((idle - bare) * sync.spans)) / (1_000 * sync.milliseconds),
      unit: '%',
      limit: 3,
    },
    { what: 'stop reached → seen, p95', value: percentile(stop, 0.95), unit: 'ms', limit: 100 },
    { what: 'step → next stop seen, median', value: median(step), unit: 'ms', limit: 50 },
    { what: 'step → next stop seen, p95', value: percentile(step, 0.95), unit: 'ms', limit: 50 },
    { what: 'events into one tab', value: one, unit: '/s', limit: 5_000, atLeast: true },
    { what: 'deliveries over 20 tabs', value: twenty, unit: '/s', limit: 50_000, atLeast: true },
    { what: '10,000 missed events caught up', value: reconnect, unit: 'ms', limit: 500 },
    ...(await measureStore()),
  ];
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench debugger

Measures, on the simulator and over a real WebSocket on loopback: what tracing costs a step without a client, how fast
a stop is seen and a step continues, what the stream delivers to one tab and to twenty, and how fast a client that
missed 10,000 events has them. Exit code 1 when a figure misses its limit.`,
  examples: [['bench debugger', 'Measure and print the figures']],
  async run() {
    const figures = await measure();
    for (const figure of figures) {
      const { what, value, unit, limit, atLeast } = figure;
      const shown = value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
      console.log(
        `${meets(figure) ? 'ok  ' : 'MISS'} ${what.padEnd(40)} ${shown.padStart(10)} ${unit.padEnd(3)} ` +
          `(${atLeast ? '≥' : '≤'} ${limit.toLocaleString('en')})`,
      );
    }
    return figures.every(meets) ? 0 : 1;
  },
};
