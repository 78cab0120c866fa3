/** `bench load`: many pods, and a long time: how fast the loop stays, and whether memory does. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChaosNode } from '../chaos/chaos-node.ts';
import { manifestOf, problemOf, type ShapeName } from '../chaos/shapes.ts';
import type { Command } from '../command.ts';

const hour = 3_600_000;
const crowd = 1_000;
const loops = 100;
const hours = 24;
/** As a server keeps in memory. */
const retainedEvents = 50_000;
/** How much more heap the last hours may hold than the first. */
const memoryGrowth = 1.25;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MiB of live heap. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const node = (): ChaosNode => new ChaosNode(1, retainedEvents, { maxPods: crowd + 10, ipRange: '10.240.0.0/12' });

async function create(target: ChaosNode, count: number, shape: ShapeName): Promise<void> {
  for (let index = 0; index < count; index++) await target.cluster.commands.apply(manifestOf(`p${index}`, shape));
}

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What it must not exceed. */
  readonly limit?: number;
}

/** A thousand pods at once, until all are ready; then all are deleted. */
async function measureCrowd(): Promise<readonly Figure[]> {
  const target = node();
  await target.start();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  await create(target, crowd, 'server');
  const created = performance.now();
  const { time } = target.clock;
  const start = time.now();
  const pods = () => target.cluster.storage.list('Pod');
  while (pods().some((pod) => problemOf('server', pod) !== undefined) && time.now() - start < hour) await time.advance(1_000);
  const right = performance.now();
  const ready = pods().filter((pod) => problemOf('server', pod) === undefined).length;
  const used = heap();
  for (const { metadata } of pods()) await target.cluster.commands.deletePod('default', metadata.name, 0);
  while (pods().length > 0) await time.advance(1_000);
  delay.disable();
  await target.stop();
  return [
    { what: `${crowd} pods: not ready`, value: crowd - ready, unit: '', limit: 0 },
    { what: `${crowd} pods: acknowledged`, value: (created - began) / 1_000, unit: 's' },
    { what: `${crowd} pods: all ready after (simulated)`, value: (time.now() - start) / 1_000, unit: 's' },
    { what: `${crowd} pods: all ready after (real)`, value: (right - created) / 1_000, unit: 's' },
    { what: `${crowd} pods: heap`, value: used, unit: 'MiB' },
    { what: `${crowd} pods: event loop, p99`, value: delay.percentile(99) / 1e6, unit: 'ms' },
  ];
}

/** A day of crash loops; memory is looked at once they have reached the longest back-off, and at the end. */
async function measureDay(): Promise<readonly Figure[]> {
  const target = node();
  await target.start();
  await create(target, loops, 'crash loop');
  const began = performance.now();
  let early = 0;
  let late = 0;
  for (let passed = 1; passed <= hours; passed++) {
    await target.clock.time.advance(hour);
    // The log is full by then: from there on it has to stay as it is.
    if (passed === 8) early = heap();
    late = heap();
  }
  const restarts = target.cluster.storage.list('Pod').reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0);
  const events = target.cluster.log.lastSeq;
  await target.stop();
  return [
    { what: `${hours} h of ${loops} crash loops: restarts`, value: restarts, unit: '' },
    { what: `${hours} h of ${loops} crash loops: events`, value: events, unit: '' },
    { what: `${hours} h of ${loops} crash loops: real time`, value: (performance.now() - began) / 1_000, unit: 's' },
    { what: 'heap after 8 h', value: early, unit: 'MiB' },
    { what: `heap after ${hours} h`, value: late, unit: 'MiB', limit: early * memoryGrowth },
  ];
}

export const bench: Command = {
  usage: 'bench load',
  summary: 'A thousand pods, and a day of crash loops, on the simulator.',
  help: `Usage: npx -y pnpm@12 bench load

Starts ${crowd.toLocaleString('en')} pods on the simulator and waits until all are ready, then lets ${loops} pods crash for ${hours} simulated hours. Exit code 1 when a
pod does not get ready, or when memory grows by more than ${Math.round((memoryGrowth - 1) * 100)} %.`,
  async run() {
    let missed = 0;
    for (const measure of [measureCrowd, measureDay]) {
      for (const { what, value, unit, limit } of await measure()) {
        const misses = limit !== undefined && value > limit;
        const shown = Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1);
        console.log(`${misses ? 'MISS' : '    '} ${what.padEnd(44)} ${shown.padStart(10)} ${unit}${limit === undefined ? '' : `  (≤ ${limit.toFixed(0)})`}`);
        if (misses) missed += 1;
      }
    }
    return missed > 0 ? 1 : 0;
  },
};
