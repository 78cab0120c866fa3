/** Implements `kubectl podscope sim`: continues a pod of a cluster in the simulator. */
import { parseGoDuration } from '@podscope/base';
import { type CommandBody, print, printJson, readArguments, report, UsageError } from '@podscope/command-line';
import { forecast } from '@podscope/pod-snapshot';
import { instant } from '@podscope/trace';
import { forecastLines } from '../runs/explain-snapshot.ts';
import { gather, readPods } from './gather.ts';
import { clusterHelp, clusterOptions, podName, targetOf } from './options.ts';
import { describingProblems } from './problems.ts';

const options = {
  ...clusterOptions,
  for: { type: 'string', default: '30m' },
  profile: { type: 'string', default: 'v1.36' },
  output: { type: 'string', short: 'o', default: 'text' },
} as const;

/** Entries that are shown at most. */
const most = 60;

export const command: CommandBody = {
  help: `Usage: kubectl podscope sim POD [options]

Restores a pod of the cluster in the simulator at this instant and prints what its kubelet does next, in virtual time.
Programs are expected to behave as they did last. Nothing on the cluster is changed. To continue with breakpoints,
faults and the page, paste \`kubectl get pod POD -o yaml\` into the page's "Explain a pod from another cluster".

  --for DURATION         How far ahead: 30m (default), 2h.
  --profile RELEASE      The kubelet: v1.36 (default) or v1.20.
  -o, --output FORMAT    text (default) or json.
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
      if (output !== 'text' && output !== 'json')
        throw new UsageError(`--output ${JSON.stringify(output)}: text or json`);
      const horizon = parseGoDuration(values.for);
      if (horizon === undefined)
        throw new UsageError(`--for ${JSON.stringify(values.for)} is not a duration such as 30m`);
      const { cluster, namespace } = targetOf(values);
      const [snapshot] = await readPods(cluster, { namespace, name });
      if (!snapshot) {
        report(`kubectl podscope: the pod ${namespace}/${name} can't be read`);
        return 1;
      }
      const { facts } = await gather(cluster, snapshot);
      const foretold = await forecast(snapshot, {
        profile,
        at: instant(Date.now()),
        horizon,
        limit: most,
        cluster: facts,
      });
      if (output === 'json') printJson(foretold);
      else {
        print(foretold.explanation?.headline ?? `${namespace}/${name}`);
        if (!foretold.isSimulated)
          print('  Something outside of the kubelet decides what happens next, so it cannot be simulated (see why).');
        for (const line of forecastLines(foretold)) print(line);
      }
      return 0;
    }),
};
