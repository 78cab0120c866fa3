/**
 * Implements `bench engine`: compares the speed of the engine's decisions with that of the genuine kubelet's Go code.
 */
import { type CommandBody, UsageError } from '@podscope/command-line';
import type { Release } from '@podscope/kuberuntime/testing';
import { type GoSpeed, readGoSpeed } from './engine/go-speed.ts';
import {
  type CallTimes,
  type Listening,
  measureBaseline,
  measureCompute,
  measureNoopSync,
  type SyncTimes,
} from './engine/measure.ts';

const releases: readonly Release[] = ['v1.36', 'v1.20'];

interface Row {
  readonly what: string;
  /** The engine's time, in microseconds. */
  readonly time: number;
  /** Fastest and slowest of several runs of the Go code, in microseconds. */
  readonly go?: readonly [number, number] | undefined;
}

function rowsOf(
  release: Release,
  compute: CallTimes,
  syncs: Readonly<Record<Listening, SyncTimes>>,
  go: GoSpeed['releases'][Release],
): Row[] {
  return [
    {
      what: `${release} computePodActions, median of ${compute.cases} cases`,
      time: compute.median,
      go: go.computeMedian,
    },
    { what: `${release} computePodActions, mean`, time: compute.mean, go: go.computeMean },
    { what: `${release} computePodActions, p99`, time: compute.p99 },
    ...syncRows(`${release} SyncPod with nothing to do, tracing off`, syncs.off, go.noopSync),
    ...syncRows(`${release} the same, tracing on`, syncs.on),
    ...syncRows(`${release} the same, with a subscriber`, syncs.subscriber),
  ];
}

const syncRows = (what: string, { best, median, p99 }: SyncTimes, go?: Row['go']): Row[] => [
  { what, time: best, go },
  { what: '  of single syncs, median', time: median },
  { what: '  of single syncs, p99', time: p99 },
];

const isSlower = ({ time, go }: Row): boolean => go !== undefined && time > go[1];

function print(rows: readonly Row[], baseline: number): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  console.log(`${''.padEnd(width)}        µs   × baseline   Go µs`);
  for (const row of rows) {
    const { what, time, go } = row;
    const range = go ? `${go[0] === go[1] ? go[0] : `${go[0]}–${go[1]}`}${isSlower(row) ? '  slower' : ''}` : '';
    console.log(
      `${what.padEnd(width)}  ${time.toFixed(2).padStart(8)}   ${(time / baseline).toFixed(2).padStart(10)}   ${range}`,
    );
  }
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench engine

Prints for each profile the duration of a call of computePodActions over the public compute vectors (median, mean, p99),
and a whole SyncPod that finds a pod of three running containers in order (many in a row, and median and p99 of single
ones): tracing off, on, and with a subscriber. Beside it the ratio to a baseline measured in the
same process (a small pod written as JSON and read again), and the time of the genuine kubelet's own code
(vectors/go-speed.json describes that measurement).

Exit code: 0 when nothing is slower than the kubelet's own code, 1 otherwise.`,
  examples: [['bench engine', 'Measure and print the figures']],
  async run(args) {
    if (args.length > 0) throw new UsageError(`bench engine takes no arguments, not ${args.join(' ')}`);
    const go = await readGoSpeed();
    const baseline = measureBaseline();
    console.log(`baseline: ${baseline.toFixed(2)} µs to write a small pod as JSON and read it again\n`);
    const rows: Row[] = [];
    for (const release of releases) {
      const compute = await measureCompute(release);
      const syncs = {
        off: await measureNoopSync(release, 'off'),
        on: await measureNoopSync(release, 'on'),
        subscriber: await measureNoopSync(release, 'subscriber'),
      };
      rows.push(...rowsOf(release, compute, syncs, go.releases[release]));
    }
    print(rows, baseline);
    const slower = rows.filter(isSlower);
    if (slower.length > 0)
      console.error(`slower than the kubelet's own code: ${slower.map(({ what }) => what).join('; ')}`);
    return slower.length === 0 ? 0 : 1;
  },
};
