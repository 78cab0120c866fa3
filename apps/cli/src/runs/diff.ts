/** Implements `podscope diff`: compares two runs step by step. Its exit codes are those of diff(1). */
import { type CommandBody, callOf, print, printJson, readArguments, UsageError, working } from '@podscope/command-line';
import { type AlignedStep, compareSteps, type RunStep, RunSteps } from '@podscope/trace/compare';
import {
  type OpenedRun,
  openRun,
  sessionHelp,
  sessionOption,
  stateDirHelp,
  stateDirOption,
  tellingProblems,
} from './run-source.ts';

/** The exit code when the runs can't be compared, as of diff(1). */
const trouble = 2;

const options = {
  ...stateDirOption,
  ...sessionOption,
  json: { type: 'boolean' },
  pod: { type: 'string' },
  factor: { type: 'string', default: '1.5' },
} as const;

async function stepsOf({ events }: OpenedRun): Promise<readonly RunStep[]> {
  const steps = new RunSteps();
  for await (const event of events) steps.take(event);
  return steps.steps;
}

const duration = (step: RunStep | undefined): string =>
  step?.duration === undefined ? '' : `${(step.duration / 1_000).toFixed(2)} s`;
/** Returns a note about faults that were injected into the step in either run. */
const injected = ({ before, after }: AlignedStep): string => {
  const said = (step: RunStep | undefined): string => (step ? step.injected.join('; ') : '');
  const [first, second] = [said(before), said(after)];
  if (first === second) return first && ` [injected in both: ${first}]`;
  return `${first && ` [injected in the first: ${first}]`}${second && ` [injected in the second: ${second}]`}`;
};
const outcome = ({ outcome: how, reason, message }: RunStep): string =>
  how === 'ok' ? (reason ?? 'ok') : [reason ?? how, message].filter(Boolean).join(': ');

/** Formats a differing step as one line. A sign shows the kind of difference, so it is visible without colour. */
function line({ before, after, difference }: AlignedStep): string {
  const step = after ?? before;
  if (!step) return '';
  const { pod, action, target, attempt, occurrence } = step;
  const what =
    `${pod} ${action} ` +
    `${target}${attempt > 0 ? ` (attempt ${attempt})` : ''}${occurrence > 1 ? ` #${occurrence}` : ''}`;
  switch (difference) {
    case 'missing':
      return `- ${what}: ${outcome(step)}`;
    case 'extra':
      return `+ ${what}: ${outcome(step)}`;
    case 'outcome':
      return `! ${what}: ${before ? outcome(before) : ''} → ${after ? outcome(after) : ''}`;
    case 'slower':
    case 'faster':
      return `~ ${what}: ${duration(before)} → ${duration(after)} (${difference})`;
    case undefined:
      return `  ${what}`;
  }
}

export const command: CommandBody = {
  help: `Usage: ${callOf('diff')} FILE|RUN|DIR FILE|RUN|DIR [options]

Steps are aligned by pod, action, target and attempt. Prints those that are missing (-), extra (+), ended with another
outcome (!), or took much longer or shorter (~). Steps that a fault or a user at a stop changed are marked. Exit code:
0 if both runs have the same steps and outcomes, 1 if not, 2 if a run can't be read; durations don't count. A static pod
is compared under the name in its manifest, without the node's name.

  --pod NAMESPACE/NAME  Compare this pod only.
  --factor N            From which factor on a step counts as slower or faster (default: 1.5).
  --json                All aligned steps as JSON.
${sessionHelp}
${stateDirHelp}`,
  examples: [
    ['diff before.podscope after.podscope', 'Compare two trace files'],
    ["diff latest 'good run' --pod default/web", 'Compare one pod in two recorded runs'],
    [
      'diff packages/observer/recordings ours.podscope --session b --pod default/crash-exit1',
      'Compare a pod under a genuine kubelet with our own run of its manifest',
    ],
  ],
  run: (args) =>
    tellingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'diff');
      const [first, second, ...others] = positionals;
      if (first === undefined || second === undefined || others.length > 0)
        throw new UsageError('diff takes two runs: FILE, RUN or DIR');
      const factor = Number(values.factor);
      if (!(factor > 1)) throw new UsageError(`--factor ${JSON.stringify(values.factor)} is not a number above 1`);
      const [before, after] = await working('Reading two runs', async () => [
        await stepsOf(await openRun(first, values['state-dir'], values.session)),
        await stepsOf(await openRun(second, values['state-dir'], values.session)),
      ]);
      const comparison = compareSteps(before, after, { factor, pod: values.pod });
      if (values.json) printJson(comparison);
      else {
        for (const step of comparison.steps) if (step.difference) print(`${line(step)}${injected(step)}`);
        const { same, missing, extra, outcome: otherwise, slower, faster } = comparison.counts;
        print(
          `${same} the same, ${missing} missing, ${extra} extra, ${otherwise} with another outcome, ${slower} ` +
            `slower, ${faster} faster`,
        );
      }
      return comparison.alike ? 0 : 1;
    }, trouble),
};
