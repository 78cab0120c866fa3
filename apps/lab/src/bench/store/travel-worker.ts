/** Seeks to random events of a long run and reports the times and the run's memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessagePort, workerData } from 'node:worker_threads';
import { RunFold, RunHistory, type TraceEvent } from '@podscope/trace';
import { longRun } from '@podscope/trace/testing';
import { z } from 'zod';

const seeks = 200;

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const { count, port } = z.object({ count: z.int().positive(), port: z.instanceof(MessagePort) }).parse(workerData);
const history = new RunHistory();
for (let events: TraceEvent[] = longRun(count); events.length > 0; ) history.append(events.splice(0, 10_000));
if (typeof collectGarbage === 'function') collectGarbage();
const megabytes = process.memoryUsage().heapUsed / 2 ** 20;
const fold = new RunFold();
let place = 1;
const works: number[] = [];
const times = Array.from({ length: seeks }, () => {
  // Consecutive positions are far apart and in pseudo-random order.
  place = (place * 48_271) % 2_147_483_647;
  const work = process.threadCpuUsage();
  const before = performance.now();
  history.seek(1 + (place % count), fold);
  const time = performance.now() - before;
  const { user, system } = process.threadCpuUsage(work);
  works.push((user + system) / 1_000);
  return time;
}).toSorted((a, b) => a - b);
// The slowest seek is reported as CPU time, because on a busy machine its elapsed time includes waiting for the CPU.
port.postMessage({
  median: times[Math.floor(seeks / 2)],
  p95: times[Math.floor(seeks * 0.95)],
  mostWork: Math.max(...works),
  megabytes,
});
