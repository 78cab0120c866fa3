/** Implements `bench load`: measures event loop delays and memory with many pods and over a long time. */
import { type CommandBody, readArguments, UsageError } from '@podscope/command-line';
import { type Figure, meets, printFigure } from './ui/figure.ts';

/** The kubelet's default limit of pods on a node (`maxPods`). */
const dockerPods = 110;
const crowd = 1_000;

const parts: Readonly<Record<string, (pods: number | undefined) => Promise<readonly Figure[]>>> = {
  crowd: async (pods = crowd) => (await import('./load/simulated.ts')).measureCrowd(pods),
  day: async () => (await import('./load/simulated.ts')).measureDay(),
  docker: async (pods = dockerPods) => (await import('./load/docker.ts')).measureDocker(pods),
};

function podsOf(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`--pods ${JSON.stringify(text)} is not a number from 1 to 99999`);
  return text === undefined ? undefined : Number(text);
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench load [--only PARTS] [--pods N]

Parts, separated by commas (default: crowd,day):
  crowd   ${crowd.toLocaleString('en')} pods on the simulator until all are ready, then all are deleted.
  day     100 pods that crash for 24 simulated hours: memory and the work of an hour must stay as they are.
  docker  ${dockerPods} pods on the Docker engine of this machine, 20 clients that follow, one of which reads nothing.
          Everything is removed afterwards.

--pods N takes another number of pods for crowd and docker.

Exit code 1 when a pod does not get ready or is left, when memory grows by more than a quarter, or a client misses
events.`,
  examples: [['bench load --only day', 'Measure and print the figures']],
  async run(args) {
    const { values } = readArguments(
      args,
      { only: { type: 'string', default: 'crowd,day' }, pods: { type: 'string' } },
      'bench load',
    );
    const pods = podsOf(values.pods);
    const chosen = values.only.split(',');
    for (const name of chosen)
      if (!Object.hasOwn(parts, name))
        throw new UsageError(`--only takes ${Object.keys(parts).join(', ')}; not ${JSON.stringify(name)}`);
    let missed = 0;
    for (const name of chosen) {
      for (const figure of (await parts[name]?.(pods)) ?? []) {
        printFigure(figure);
        if (!meets(figure)) missed += 1;
      }
    }
    return missed > 0 ? 1 : 0;
  },
};
