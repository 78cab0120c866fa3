/** Implements `kubectl podscope sim`: continues the run of a cluster's pod in the simulator. */
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseGoDuration } from '@podscope/base';
import { type CommandBody, print, printJson, readArguments, report, UsageError, working } from '@podscope/command-line';
import { forecast, type PodSnapshot } from '@podscope/pod-snapshot';
import { instant } from '@podscope/trace';
import { forecastLines } from '../runs/explain-snapshot.ts';
import { gather, readPods } from './gather.ts';
import { clusterHelp, clusterOptions, podName, targetOf } from './options.ts';
import { describingProblems } from './problems.ts';

const options = {
  ...clusterOptions,
  for: { type: 'string', default: '30m' },
  profile: { type: 'string', default: 'v1.36' },
  output: { type: 'string', short: 'o' },
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
} as const;

/** Maximum number of forecast entries that are shown. */
const most = 60;

interface Page {
  readonly profile: string;
  readonly port: string | undefined;
  readonly isHidden: boolean;
}

/**
 * Returns the arguments with which `podscope start` continues a pod and shows the page. The pod is written without its
 * secrets to a directory that is removed when the process ends.
 */
export async function continuation(
  { pod, events }: PodSnapshot,
  { profile, port = '0', isHidden }: Page,
): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-sim-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'pod.json');
  const { uid, name, namespace } = pod.metadata;
  const items = [
    { ...pod, apiVersion: 'v1', kind: 'Pod' },
    ...events.map(({ type, reason, message, count, first, last, container }) => ({
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: {
        kind: 'Pod',
        uid,
        name,
        namespace,
        ...(container === undefined ? {} : { fieldPath: `spec.${listOf(pod, container)}{${container}}` }),
      },
      type,
      reason,
      message,
      count,
      firstTimestamp: new Date(first).toISOString(),
      lastTimestamp: new Date(last).toISOString(),
    })),
  ];
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), { mode: 0o600 });
  return [
    '--snapshot',
    file,
    '--state-dir',
    join(directory, 'state'),
    '--profile',
    profile,
    '--port',
    port,
    ...(isHidden ? [] : ['--open']),
  ];
}

const listOf = ({ spec }: PodSnapshot['pod'], container: string): string =>
  spec.initContainers?.some(({ name }) => name === container) ? 'initContainers' : 'containers';

export const command: CommandBody = {
  help: `Usage: kubectl podscope sim POD [options]

Restores a pod of the cluster in the simulator at this instant, prints what its kubelet does next in virtual time, and
opens the page with the pod continued there: with breakpoints, faults and time travel. Programs are expected to behave
as they did last. Nothing on the cluster is changed. Ctrl+C ends it.

  --for DURATION         How far ahead: 30m (default), 2h.
  --profile RELEASE      The kubelet: v1.36 (default) or v1.20.
  -o, --output FORMAT    text or json: only print, without the page. So does an output that isn't a terminal.
  --port PORT            The port of the page on 127.0.0.1.
  --no-open              Print the address of the page and don't open the browser.
${clusterHelp}`,
  examples: [
    ['sim web-5c9d8b7f6-x2v7n -n shop', 'See the next half hour of a pod'],
    ['sim web --for 2h --profile v1.20', 'Look further ahead, with the older kubelet'],
  ],
  run: (args) =>
    describingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'sim');
      const name = podName(positionals, 'sim');
      const { profile, output } = values;
      if (profile !== 'v1.36' && profile !== 'v1.20')
        throw new UsageError(`--profile ${JSON.stringify(profile)}: v1.36 or v1.20`);
      if (output !== undefined && output !== 'text' && output !== 'json')
        throw new UsageError(`--output ${JSON.stringify(output)}: text or json`);
      const horizon = parseGoDuration(values.for);
      if (horizon === undefined)
        throw new UsageError(`--for ${JSON.stringify(values.for)} is not a duration such as 30m`);
      const { cluster, namespace } = targetOf(values);
      const {
        snapshots: [snapshot],
      } = await working(`Reading ${namespace}/${name}`, () => readPods(cluster, { namespace, name }));
      if (!snapshot) {
        report(`kubectl podscope: the pod ${namespace}/${name} can't be read`);
        return 1;
      }
      const { facts } = await gather(cluster, snapshot);
      const foretold = await working('Simulating', () =>
        forecast(snapshot, { profile, at: instant(Date.now()), horizon, limit: most, cluster: facts }),
      );
      if (output === 'json') printJson(foretold);
      else {
        print(foretold.explanation?.headline ?? `${namespace}/${name}`);
        if (!foretold.isSimulated)
          print('  Something outside of the kubelet decides what happens next, so it cannot be simulated (see why).');
        for (const line of forecastLines(foretold)) print(line);
      }
      if (output !== undefined || !process.stdout.isTTY) return 0;
      const { port, 'no-open': isHidden = false } = values;
      const { command: start } = await import('@podscope/server/start');
      return start.run(await continuation(snapshot, { profile, port, isHidden }));
    }),
};
