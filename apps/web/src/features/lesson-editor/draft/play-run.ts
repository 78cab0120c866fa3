/** Plays the runs on which a draft is checked, in engines that the page doesn't show. */
import type { Run, Scene } from '@podscope/lessons';
import { openSession } from '../../../node/run/node-session.ts';
import { beginOf, live, pass } from '../../../node/run/virtual-time.ts';
import { startLocalNode } from '../../../node/standalone/local-node.ts';

/** The release and the seed of a run. */
type RunOptions = Pick<Scene, 'profile' | 'seed'>;

/** Plays this many seconds of a scenario. The scenario is the id of one in the library, or parsed YAML. */
export type PlayRun = (scenario: string | object, options: RunOptions, seconds: number) => Promise<Run>;

async function play(scenario: string | object, { profile, seed }: RunOptions, seconds: number): Promise<Run> {
  const played = typeof scenario === 'string' ? { scenario } : { ownScenario: scenario };
  const node = startLocalNode({ ...played, profile, paused: true, ...(seed === undefined ? {} : { seed }) });
  const session = openSession(node.open);
  try {
    await live(session);
    await pass(session, seconds * 1_000);
    return { begin: beginOf(session), events: [...session.run.history.events] };
  } finally {
    session.connection.close();
    node.close();
  }
}

/** Maximum number of stored runs. Each edit of a manifest produces another run, so old runs are dropped. */
const keptRuns = 24;

/** Stored runs by scenario, options and duration, the newest last. */
const runs = new Map<string, Promise<Run>>();

/** Plays a run, or returns the stored run with the same scenario, options and duration. */
export const playRun: PlayRun = (scenario, options, seconds) => {
  const key = JSON.stringify([scenario, options.profile, options.seed, seconds]);
  const run = runs.get(key) ?? play(scenario, options, seconds);
  runs.delete(key);
  runs.set(key, run);
  for (const old of [...runs.keys()].slice(0, -keptRuns)) runs.delete(old);
  run.catch(() => runs.delete(key));
  return run;
};
