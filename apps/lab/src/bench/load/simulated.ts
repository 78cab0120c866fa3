/** Measures event loop delays and memory on the simulator, with many pods and over a long time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChaosNode } from '../../chaos/chaos-node.ts';
import { manifestOf, problemOf, type ShapeName } from '../../chaos/shapes.ts';
import { type Figure, median } from '../ui/figure.ts';

const hour = 3_600_000;
const loops = 100;
const hours = 24;
/**
 * Hour at which the longest back-off is reached and the log is full. From then on memory and work must stay constant.
 */
const settledAfter = 8;
/** The server's own limit of retained events. */
const retainedEvents = 50_000;
/** Largest allowed ratio of the heap in the last hours to that in the first. */
const memoryGrowth = 1.25;
/** Largest allowed ratio of the work per hour at the end to that at the beginning. */
const workGrowth = 1.5;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the live heap in MiB. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const node = (pods: number): ChaosNode =>
  new ChaosNode(1, retainedEvents, { maxPods: pods + 10, ipRange: '10.240.0.0/12' });

async function create(target: ChaosNode, count: number, shape: ShapeName): Promise<void> {
  for (let index = 0; index < count; index++) await target.nodeHost.commands.apply(manifestOf(`p${index}`, shape));
}

/** Returns the CPU milliseconds of this process, which don't include other load on the machine. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const milliseconds = (nanoseconds: number): number => nanoseconds / 1e6;
const loopFigures = (what: string, delay: ReturnType<typeof monitorEventLoopDelay>): readonly Figure[] => [
  { what: `${what}: event loop, p99`, value: milliseconds(delay.percentile(99)), unit: 'ms' },
  { what: `${what}: event loop, longest`, value: milliseconds(delay.max), unit: 'ms' },
];

/**
 * Creates pods at once, waits until all are ready, and deletes them.
 * @param crowd number of pods
 */
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
  const pods = () => target.nodeHost.api.storage.list('Pod');
  while (pods().some((pod) => problemOf('server', pod) !== undefined) && time.now() - start < hour)
    await time.advance(1_000);
  const simulated = time.now() - start;
  const right = worked();
  const ready = pods().filter((pod) => problemOf('server', pod) === undefined).length;
  const used = heap();
  for (const { metadata } of pods()) await target.nodeHost.commands.deletePod('default', metadata.name, 0);
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

/**
 * Runs a day of crash loops and compares memory, work per hour and event loop delays at the end with those after the
 * longest back-off is reached.
 */
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
  const restarts = target.nodeHost.api.storage
    .list('Pod')
    .reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0);
  const events = target.nodeHost.log.lastSeq;
  await target.stop();
  const earlyWork = median(work.slice(settledAfter - 4, settledAfter));
  return [
    { what: `${name}: restarts`, value: restarts, unit: '' },
    { what: `${name}: events`, value: events, unit: '' },
    { what: `${name}: work`, value: work.reduce((sum, each) => sum + each, 0) / 1_000, unit: 's' },
    { what: `heap after ${settledAfter} h`, value: early, unit: 'MiB' },
    { what: `heap after ${hours} h`, value: late, unit: 'MiB', limit: Math.round(early * memoryGrowth) },
    { what: `an hour's work, hours ${settledAfter - 3} to ${settledAfter}, median`, value: earlyWork, unit: 'ms' },
    {
      what: `an hour's work, the last four, median`,
      value: median(work.slice(-4)),
      unit: 'ms',
      limit: Math.round(earlyWork * workGrowth),
    },
    ...loopFigures(name, delay),
  ];
}
