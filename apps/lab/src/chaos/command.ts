/** Implements `chaos`: injects random faults from a seed, and then checks that the node recovers completely. */
import { type CommandBody, readArguments, UsageError } from '@podscope/command-line';
import { runSchedule } from './run-schedule.ts';
import { describeAct, makeSchedule } from './schedule.ts';
import { Tally } from './tally.ts';

const options = {
  seed: { type: 'string' },
  minutes: { type: 'string' },
  runs: { type: 'string' },
  runtime: { type: 'string', default: 'sim' },
} as const;

const help = `Usage: npx -y pnpm@12 chaos [options]

Runs pods of many shapes while calls of the runtime fail, answer late or hang, their answers are lost, containers and
sandboxes are killed, the runtime goes away, PLEG events are lost or doubled, the clock jumps, pods are edited and
deleted, and the server and the machine restart. Then the faults end and everything must recover: every pod in its
expected state, no invalid calls of the kubelet, no missing events, no leftover objects.

  --seed N          The first seed; each run takes the next. With --seed alone that one run is shown act by act.
  --runs N          How many runs (default: 200, with --seed 1).
  --minutes M       Run for this many minutes instead.
  --runtime sim     The simulator on virtual time (default).
  --runtime docker  One run of real time on a Docker daemon of its own, in its own namespaces; needs root. Daemon,
                    containerd and server are killed, disks fill up, the registry breaks off, the server is suspended
                    and its clock jumps. Containers of other programs exist beside them and must not change. Default:
                    2 minutes, plus the time to recover.

Exit code 1 if a check fails; run it again with the printed seed.`;

function numberOf(name: string, text: string | undefined, fallback: number, highest: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > highest)
    throw new UsageError(`--${name} ${JSON.stringify(text)} is not a number from 0 to ${highest}`);
  return value;
}

interface Plan {
  readonly first: number;
  readonly runs: number;
  /** Time limit in real milliseconds. */
  readonly time: number;
}

/** Runs schedules of consecutive seeds until the plan's number of runs or its time is used up. */
async function simulate({ first, runs, time }: Plan): Promise<number> {
  const tally = new Tally();
  const end = performance.now() + time;
  for (let seed = first; tally.runs < runs && performance.now() < end; seed++) {
    const schedule = makeSchedule(seed);
    const outcome = await runSchedule(schedule);
    tally.add(outcome);
    if (outcome.problems.length > 0) {
      console.log(`seed ${seed} fails:`);
      for (const problem of outcome.problems.slice(0, 10)) console.log(`  ${problem}`);
    }
    if (runs === 1) console.log(schedule.acts.map(describeAct).join('\n'));
    if (process.stderr.isTTY) process.stderr.write(`\r${tally.runs} runs, ${tally.failed.length} failed `);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(tally.text);
  const [worst] = tally.failed;
  if (worst) console.log(`\nAgain: npx -y pnpm@12 chaos --seed ${worst.seed}`);
  return tally.failed.length > 0 ? 1 : 0;
}

export const command: CommandBody = {
  help,
  examples: [
    ['chaos --runs 20', 'Twenty runs in the simulator'],
    ['chaos --seed 7', 'One run, act by act'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(args, options, 'chaos');
    if (positionals.length > 0) throw new UsageError(`chaos takes no ${JSON.stringify(positionals[0])}`);
    const first = numberOf('seed', values.seed, 1, 0xff_ff_ff_ff);
    const time = numberOf('minutes', values.minutes, Number.POSITIVE_INFINITY, 100_000) * 60_000;
    if (values.runtime === 'docker') {
      const { runOnDocker } = await import('./docker/run-on-docker.ts');
      return runOnDocker({ seed: first, time: Number.isFinite(time) ? time : 2 * 60_000 });
    }
    if (values.runtime !== 'sim')
      throw new UsageError(`--runtime ${JSON.stringify(values.runtime)} is not sim or docker`);
    const single = values.seed !== undefined && values.minutes === undefined;
    const runs = Number.isFinite(time) ? Number.POSITIVE_INFINITY : single ? 1 : 200;
    return simulate({ first, runs: numberOf('runs', values.runs, runs, 1e9), time });
  },
};
