/** Measures the engine's decisions and idle syncs in microseconds. */
import { join } from 'node:path';
import {
  type PreparedCompute,
  prepareCompute,
  prepareNoopSync,
  profileOf,
  type Release,
} from '@podscope/kuberuntime/testing';
import { background, type Context, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { computeSchema } from '../../conformance/kinds/compute.ts';
import { readLines } from '../../conformance/lines.ts';
import { RecordedNodes } from '../../conformance/nodes.ts';
import { projectVectors } from '../../conformance/vector-files.ts';
import { median } from '../runtime/statistics.ts';

/** Number of rounds over the same work. The fastest round counts, because other load on the machine only adds time. */
const computeRounds = 15;
/**
 * Number of calls between two readings of the clock, because the resolution of the clock is coarse compared with the
 * duration of a call.
 */
const callsPerLook = 20;
const syncRounds = 100;
const syncsPerRound = 100;
/**
 * Number of syncs timed individually for their spread, which includes pauses of the machine and the garbage collector.
 */
const singleSyncs = 5_000;
/** Number of events that a log without subscribers retains. The larger limit of a server would only use more memory. */
const retainedEvents = 20_000;

/** Times of one call over all cases, in microseconds. */
export interface CallTimes {
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
  readonly cases: number;
}

const fastest = (times: readonly number[]): number => Math.min(...times);

const timed = (work: () => void): number => {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1_000;
};

async function computeCases(release: Release): Promise<PreparedCompute[]> {
  const cases: PreparedCompute[] = [];
  for await (const { text } of readLines(join(projectVectors, `compute-${release}.jsonl.gz`))) {
    if (text) cases.push(prepareCompute(computeSchema.parse(JSON.parse(text)), profileOf(release)));
  }
  return cases;
}

/** Measures computePodActions over the public compute vectors, with tracing off. */
export async function measureCompute(release: Release): Promise<CallTimes> {
  const cases = await computeCases(release);
  const ctx: Context = background(new VirtualClock(), new Tracer());
  const times = cases.map((): number[] => []);
  // The first rounds let the code warm up.
  for (let round = -3; round < computeRounds; round++) {
    for (const [index, prepared] of cases.entries()) {
      const perCall = timed(() => {
        for (let call = 0; call < callsPerLook; call++) prepared.run(ctx);
      });
      if (round >= 0) times[index]?.push(perCall / callsPerLook);
    }
  }
  const best = times.map(fastest).toSorted((a, b) => a - b);
  const mean = best.reduce((sum, value) => sum + value, 0) / best.length;
  return {
    mean,
    median: median(best),
    p99: best[Math.ceil(best.length * 0.99) - 1] ?? Number.NaN,
    cases: cases.length,
  };
}

/** Times of the same sync, repeated. */
export interface SyncTimes {
  /** Mean time of the fastest round. It is comparable with the mean time of the kubelet's Go code. */
  readonly best: number;
  readonly median: number;
  readonly p99: number;
}

/** Whether tracing is off, on, or on with a subscriber. */
export type Listening = 'off' | 'on' | 'subscriber';

/** Measures the sync of a settled pod with three containers, which checks everything and changes nothing. */
export async function measureNoopSync(release: Release, listening: Listening): Promise<SyncTimes> {
  const node = await new RecordedNodes().of(join(projectVectors, 'any'), release);
  const log = new EventLog(new VirtualClock(), retainedEvents);
  let heard = 0;
  if (listening === 'subscriber') {
    log.subscribe((event) => {
      heard += event.seq > 0 ? 1 : 0;
    });
  }
  const sync = await prepareNoopSync(release, node, listening === 'off' ? new Tracer() : new Tracer(log));
  const rounds: number[] = [];
  const single: number[] = [];
  for (let round = -20; round < syncRounds; round++) {
    const start = performance.now();
    for (let count = 0; count < syncsPerRound; count++) await sync();
    if (round >= 0) rounds.push(((performance.now() - start) * 1_000) / syncsPerRound);
  }
  for (let count = 0; count < singleSyncs; count++) {
    const start = performance.now();
    await sync();
    single.push((performance.now() - start) * 1_000);
  }
  if (listening === 'subscriber' && heard === 0) throw new Error('the subscriber received no events');
  const sorted = single.toSorted((a, b) => a - b);
  return {
    best: fastest(rounds),
    median: median(sorted),
    p99: sorted[Math.ceil(singleSyncs * 0.99) - 1] ?? Number.NaN,
  };
}

/**
 * Measures the speed of the machine at this moment, as the denominator of ratios: formats and parses a pod as JSON,
 * which runs the JavaScript engine's own code and so isn't affected by changes in Podscope.
 */
export function measureBaseline(): number {
  const pod = {
    metadata: { name: 'baseline', labels: { app: 'web' } },
    spec: { containers: ['app', 'web', 'db'].map((name) => ({ name, image: 'busybox:1.36', args: ['-v'] })) },
  };
  let length = 0;
  const round = (): number =>
    timed(() => {
      for (let count = 0; count < 2_000; count++)
        length += Object.keys(JSON.parse(JSON.stringify(pod)) as object).length;
    }) / 2_000;
  for (let warm = 0; warm < 3; warm++) round();
  const result = fastest(Array.from({ length: 40 }, round));
  if (length === 0) throw new Error('the baseline has no result');
  return result;
}
