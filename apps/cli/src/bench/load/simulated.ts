/** Many pods, and a long time, on the simulator: how fast the loop stays, and whether memory does. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChaosNode } from '../../chaos/chaos-node.ts';
import { manifestOf, problemOf, type ShapeName } from '../../chaos/shapes.ts';
import { type Figure, median } from '../ui/figure.ts';

const hour = 3_600_000;
const loops = 100;
const hours = 24;
/** By then the longest back-off is reached and the log is full: from there on everything has to stay as it is. */
const settledAfter = 8;
/** As a server keeps in memory. */
const retainedEvents = 50_000;
/** How much more heap the last hours may hold than the first. */
const memoryGrowth = 1.25;
/** How much more work an hour may be at the end. */
const workGrowth = 1.5;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MiB of live heap. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const node = (pods: number): ChaosNode => new ChaosNode(1, retainedEvents, { maxPods: pods + 10, ipRange: '10.240.0.0/12' });

async function create(target: ChaosNode, count: number, shape: ShapeName): Promise<void> {
  for (let index = 0; index < count; index++) await target.cluster.commands.apply(manifestOf(`p${index}`, shape));
}

/** Milliseconds that this process has worked: what else the machine does is not in them. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const milliseconds = (nanoseconds: number): number => nanoseconds / 1e6;
const loopFigures = (what: string, delay: ReturnType<typeof monitorEventLoopDelay>): readonly Figure[] => [
  { what: `${what}: event loop, p99`, value: milliseconds(delay.percentile(99)), unit: 'ms' },
  { what: `${what}: event loop, longest`, value: milliseconds(delay.max), unit: 'ms' },
];

/** So many pods at once, until all are ready; then all are deleted. */
export async function measureCrowd(crowd: number): Promise<readonly Figure[]> {
  const name = `${crowd.toLocaleString('en')} pods`;
  const target = node(crowd);
  await target.start();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = worked();
  await create(target, crowd, 'server');
  const created = worked();
  const { time } = target.clock;
  const start = time.now();
  const pods = () => target.cluster.storage.list('Pod');
  while (pods().some((pod) => problemOf('server', pod) !== undefined) && time.now() - start < hour) await time.advance(1_000);
  const simulated = time.now() - start;
  const right = worked();
  const ready = pods().filter((pod) => problemOf('server', pod) === undefined).length;
  const used = heap();
  for (const { metadata } of pods()) await target.cluster.commands.deletePod('default', metadata.name, 0);
  while (pods().length > 0) await time.advance(1_000);
  delay.disable();
  await target.stop();
  return [
    { what: `${name}: not ready`, value: crowd - ready, unit: '', limit: 0 },
    { what: `${name}: acknowledged, work`, value: (created - began) / 1_000, unit: 's' },
    { what: `${name}: all ready after, simulated`, value: simulated / 1_000, unit: 's' },
    { what: `${name}: all ready, work`, value: (right - created) / 1_000, unit: 's' },
    { what: `${name}: heap`, value: used, unit: 'MiB' },
    ...loopFigures(name, delay),
  ];
}

/** A day of crash loops: memory, the work of an hour and the event loop, once they have reached the longest back-off and at the end. */
export async function measureDay(): Promise<readonly Figure[]> {
  const name = `${hours} h of ${loops} crash loops`;
  const target = node(loops);
  await target.start();
  await create(target, loops, 'crash loop');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const work: number[] = [];
  let early = 0;
  for (let passed = 1; passed <= hours; passed++) {
    const began = worked();
    delay.enable();
    await target.clock.time.advance(hour);
    delay.disable();
    work.push(worked() - began);
    if (passed === settledAfter) early = heap();
  }
  const late = heap();
  const restarts = target.cluster.storage.list('Pod').reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0);
  const events = target.cluster.log.lastSeq;
  await target.stop();
  const earlyWork = median(work.slice(settledAfter - 4, settledAfter));
  return [
    { what: `${name}: restarts`, value: restarts, unit: '' },
    { what: `${name}: events`, value: events, unit: '' },
    { what: `${name}: work`, value: work.reduce((sum, each) => sum + each, 0) / 1_000, unit: 's' },
    { what: `heap after ${settledAfter} h`, value: early, unit: 'MiB' },
    { what: `heap after ${hours} h`, value: late, unit: 'MiB', limit: Math.round(early * memoryGrowth) },
    { what: `an hour's work, hours ${settledAfter - 3} to ${settledAfter}, median`, value: earlyWork, unit: 'ms' },
    { what: `an hour's work, the last four, median`, value: median(work.slice(-4)), unit: 'ms', limit: Math.round(earlyWork * workGrowth) },
    ...loopFigures(name, delay),
  ];
}
