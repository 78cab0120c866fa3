/**
 * Implements `podscope explain`: explains why pods are in their current state, from the decisions that a run recorded.
 */

import { existsSync } from 'node:fs';
import {
  type CommandBody,
  callOf,
  print,
  printJson,
  readArguments,
  report,
  UsageError,
  working,
} from '@podscope/command-line';
import { diagnosePodOfRun, type Forecast } from '@podscope/pod-snapshot';
import { explainPod, explanationLines, type PodExplanation, printable, RunFold } from '@podscope/trace';
import { forecastFiles, forecastLines, forecastRun, isSnapshotFile } from './explain-snapshot.ts';
import { openRun, RunProblem, stateDirHelp, stateDirOption, tellingProblems } from './run-source.ts';

const options = {
  ...stateDirOption,
  run: { type: 'string', default: 'latest' },
  pod: { type: 'string' },
  at: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * Returns true if the name refers to a file. A name with a slash or a dot may also be a pod, such as `default/web`, so
 * the file has to exist.
 */
const isFile = (name: string): boolean => existsSync(name) || name.endsWith('.podscope');

const bold = (text: string): string =>
  process.stdout.isTTY && !process.env['NO_COLOR'] ? `\u001b[1m${text}\u001b[22m` : text;

function printExplanation(explanation: PodExplanation | undefined, foreseen?: Forecast): void {
  if (explanation) {
    console.log(bold(printable(explanation.headline)));
    for (const line of explanationLines(explanation)) print(line);
    print('');
  }
  if (!foreseen) return;
  for (const line of forecastLines(foreseen)) print(line);
  print('');
}

export const command: CommandBody = {
  help: `Usage: ${callOf('explain')} FILE… [options]
       ${callOf('explain')} POD [options]

FILE is a trace file, or what \`kubectl get pod NAME -o yaml\` prints (.yaml, .yml, .json, .txt, or - for standard
input; it can contain lists, and events can be in the same or another file). All its pods are explained. For a pod
from kubectl, the output includes what the kubelet will do next, and when. POD is a name, or NAMESPACE/NAME, in the
newest recorded run (of the server that runs, if one does). All explanations come from the run's own record: statuses,
decisions, results. For a pod of an observed kubelet, the output includes a forecast: Podscope's own kubelet continues
the pod in the simulator. To step through what comes next, start a node with the pod: start --snapshot FILE.

  --pod POD         Only this pod of the file.
  --run RUN         A run other than the newest.
  --at SEQ|TIME     The state after this event. For kubectl output: the time of the output (2026-03-01T10:05:00Z) if
                    it is later than all times in it.
  --profile RELEASE The kubelet that continues the pod: v1.36 or v1.20. Default: v1.36 for kubectl output, the release
                    nearest to the observed kubelet's for a run.
  --json            As JSON.
${stateDirHelp}`,
  examples: [
    ['explain web', 'Explain a pod of the newest run'],
    ['explain pod.yaml events.yaml', 'Explain what kubectl printed about a pod'],
    ['explain - --json', 'Read from standard input: kubectl get pod web -o yaml | …'],
  ],
  run: (args) =>
    tellingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'explain');
      const [name, ...others] = positionals;
      if (name === undefined || (others.length > 0 && !positionals.every(isSnapshotFile)))
        throw new UsageError('explain takes one FILE or POD, or several files of what kubectl prints as YAML or JSON');
      const { profile } = values;
      if (profile !== undefined && profile !== 'v1.36' && profile !== 'v1.20')
        throw new UsageError(`--profile ${JSON.stringify(profile)} is unknown; use v1.36 or v1.20`);
      if (isSnapshotFile(name)) {
        const forecasts = await working('Simulating what the kubelet does next', () =>
          forecastFiles(positionals, { pod: values.pod, at: values.at, profile: profile ?? 'v1.36' }),
        );
        if (values.json) printJson(forecasts);
        else for (const each of forecasts) printExplanation(each.explanation, each);
        return 0;
      }
      const at = values.at === undefined ? Number.POSITIVE_INFINITY : Number(values.at);
      if (Number.isNaN(at)) throw new UsageError(`--at ${JSON.stringify(values.at)} is not the number of an event`);
      const run = await openRun(isFile(name) ? name : values.run, values['state-dir']);
      const wanted = isFile(name) ? values.pod : name;
      const fold = new RunFold();
      await working('Reading the run', async () => {
        for await (const event of run.events) {
          if (event.seq > at) break;
          fold.apply(event);
        }
      });
      const pods = fold
        .pods()
        .filter(
          ({ uid, name: podName, namespace }) =>
            wanted === undefined || [uid, podName, `${namespace}/${podName}`].includes(wanted),
        );
      if (pods.length === 0)
        throw new RunProblem(
          wanted === undefined ? `${name} has no pods` : `this run has no pod ${JSON.stringify(wanted)}`,
        );
      // The simulator counts as dockershim, because both emit the same messages.
      const node = {
        name: run.info.nodeName ?? '',
        runtime: run.info.runtime?.kind === 'cri' ? 'crictl' : 'docker',
      } as const;
      const now = fold.lastTime ?? 0;
      const explained = pods.map((track) => explainPod(fold, track, now, diagnosePodOfRun(fold, track, now, { node })));
      const nearest = run.info.profile === 'v1.20' ? 'v1.20' : 'v1.36';
      const forecasts = run.info.observed
        ? await working('Simulating what the kubelet does next', () => forecastRun(fold, pods, now, profile ?? nearest))
        : undefined;
      if (values.json)
        printJson(explained.map((each, index) => ({ ...each, forecast: forecasts?.get(pods[index]?.uid ?? '') })));
      else
        for (const [index, each] of explained.entries()) printExplanation(each, forecasts?.get(pods[index]?.uid ?? ''));
      const problem = run.problem();
      if (problem) report(`podscope: ${name} is not complete: ${problem}`);
      return 0;
    }),
};
