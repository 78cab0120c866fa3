/** What the engine's decisions and its idle syncs cost, in microseconds. */
import { join } from 'node:path';
import { type PreparedCompute, prepareCompute, prepareNoopSync, profileOf, type Release } from '@podscope/kuberuntime/testing';
import { background, type Context, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { computeSchema } from '../../conformance/kinds/compute.ts';
import { readLines } from '../../conformance/lines.ts';
import { RecordedNodes } from '../../conformance/nodes.ts';
import { projectVectors } from '../../conformance/vector-files.ts';
import { median } from '../runtime/statistics.ts';

/** Rounds over the same work. The fastest counts: what else the machine is busy with only ever adds. */
const computeRounds = 15;
/** Calls of one case between two looks at the clock, which is coarse against a call. */
const callsPerLook = 20;
const syncRounds = 100;
const syncsPerRound = 100;
/** Syncs that are timed one by one, for their spread; pauses of the machine and of the collector are in it. */
const singleSyncs = 5_000;
/** Events kept by a log that nobody reads: what a server keeps would only fill memory. */
const retainedEvents = 20_000;

/** Times of the same call over all cases. */
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

/** computePodActions over the public compute vectors, tracing off. */
export async function measureCompute(release: Release): Promise<CallTimes> {
  const cases = await computeCases(release);
  const ctx: Context = background(new VirtualClock(), new Tracer());
  const times = cases.map((): number[] => []);
  // The first rounds warm the code up.
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
  return { mean, median: median(best), p99: best[Math.ceil(best.length * 0.99) - 1] ?? Number.NaN, cases: cases.length };
}

/** Times of the same sync, again and again. */
export interface SyncTimes {
  /** Of the fastest round: comparable with a mean of the kubelet's. */
  readonly best: number;
  readonly median: number;
  readonly p99: number;
}

/** Who listens to a sync. */
export type Listening = 'off' | 'on' | 'subscriber';

/** A sync of a settled pod of three containers: everything is looked at and nothing is done. */
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
  if (listening === 'subscriber' && heard === 0) throw new Error('the subscriber heard nothing');
  const sorted = single.toSorted((a, b) => a - b);
  return { best: fastest(rounds), median: median(sorted), p99: sorted[Math.ceil(singleSyncs * 0.99) - 1] ?? Number.NaN };
}

/**
 * The measure of this machine at this moment, for ratios: a pod written as JSON and read again, work of the JavaScript engine's own code
 * that no change of ours makes faster.
 */
export function measureBaseline(): number {
  const pod = {
    metadata: { name: 'baseline', labels: { app: 'web' } },
    spec: { containers: ['app', 'web', 'db'].map((name) => ({ name, image: 'busybox:1.36', args: ['-v'] })) },
  };
  let length = 0;
  const round = (): number =>
    timed(() => {
      for (let count = 0; count < 2_000; count++) length += Object.keys(JSON.parse(JSON.stringify(pod)) as object).length;
    }) / 2_000;
  for (let warm = 0; warm < 3; warm++) round();
  const result = fastest(Array.from({ length: 40 }, round));
  if (length === 0) throw new Error('the baseline did nothing');
  return result;
}
