/**
 * Implements `kubectl podscope why`: explains why pods of a cluster don't work, what will happen next, and what to do.
 */
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
import { diagnoseSnapshot, diagnoseWorkload, type PodSnapshot } from '@podscope/pod-snapshot';
import { instant } from '@podscope/trace';
import { gather, readPods } from './gather.ts';
import { clusterHelp, clusterOptions, podName, targetOf } from './options.ts';
import { describingProblems } from './problems.ts';
import {
  diagnosesJson,
  findingLines,
  missingLines,
  type Report,
  reportJson,
  reportLines,
  type Terminal,
} from './report.ts';
import { readWorkload, type WorkloadName, workloadHeadline, workloadName } from './workloads.ts';

const options = {
  ...clusterOptions,
  'all-namespaces': { type: 'boolean', short: 'A' },
  selector: { type: 'string', short: 'l' },
  output: { type: 'string', short: 'o', default: 'text' },
  'no-color': { type: 'boolean' },
} as const;

/**
 * Maximum number of pods for which related objects are read. Further pods are diagnosed only from their status and
 * events.
 */
const mostGathered = 20;

const narrow = 60;
const usual = 100;

const terminalOf = (noColor: boolean): Terminal => ({
  color: !noColor && process.stdout.isTTY && !process.env['NO_COLOR'],
  width: Math.max(narrow, process.stdout.isTTY ? process.stdout.columns : usual),
});

/** The text that calls the command as a plugin of kubectl. */
const pluginCall = 'kubectl podscope why';

const otherCall = (call: string): string =>
  call === pluginCall ? `Without the plugin, ${callOf('why')}` : `The plugin of kubectl, ${pluginCall},`;

/** Returns the help of the command. @param call the text that calls the command in the program that has it */
const helpFor = (call: string): string => `Usage: ${call} POD [options]
       ${call} KIND/NAME [options]
       ${call} -A|-l SELECTOR [options]

Reads a pod, its events, owner, node, claims and the last lines of its log, and prints for each problem the cause with
its evidence, what happens next and when, and what to do on that cluster. With -A or -l it prints the pods that have a
problem. KIND is deployment, replicaset, statefulset, daemonset, job or cronjob (or deploy, rs, sts, ds, cj): why it
makes no pods or doesn't roll out, and what is wrong with its pods. Only reads are made; secrets are masked.
${otherCall(call)} takes the same arguments.

  -A, --all-namespaces   The pods of all namespaces.
  -l, --selector LABELS  The pods that the labels select.
${clusterHelp}
  -o, --output FORMAT    text (default) or json.
  --no-color             No colors (also with NO_COLOR, and when the output isn't a terminal).`;

/** The command as a plugin of kubectl. */
export const pluginCommand: CommandBody = {
  help: helpFor(pluginCall),
  examples: [
    ['why web-5c9d8b7f6-x2v7n -n shop', 'Diagnose a pod'],
    ['why deployment/web -n shop', 'Diagnose a Deployment and its pods'],
    ['why -A', 'Diagnose all pods that have a problem'],
    ['why -l app=web -o json', 'Diagnose the selected pods, as JSON'],
  ],
  run: (args) =>
    describingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'why');
      const { selector, output } = values;
      const all = values['all-namespaces'] === true;
      if (output !== 'text' && output !== 'json')
        throw new UsageError(`--output ${JSON.stringify(output)}: text or json`);
      const isList = all || selector !== undefined;
      if (isList && positionals.length > 0) throw new UsageError('why takes a POD, or -A or -l');
      if (all && values.namespace !== undefined) throw new UsageError('give -A or -n');
      const workload: WorkloadName | undefined = isList ? undefined : workloadName(positionals);
      const name = isList || workload ? undefined : podName(positionals, 'why');
      const { cluster, namespace } = targetOf(values);
      const now = instant(Date.now());
      const terminal = terminalOf(values['no-color'] === true);
      const {
        owner,
        snapshots,
        missing: unread,
      } = await working(`Reading pods from ${cluster.context}`, async () =>
        workload
          ? readWorkload(cluster, namespace, workload)
          : {
              owner: undefined,
              ...(await readPods(cluster, { namespace: all ? undefined : namespace, name, selector })),
            },
      );
      const hasProblem = (snapshot: PodSnapshot): boolean =>
        diagnoseSnapshot(snapshot, undefined, now).diagnoses.length > 0;
      const chosen = name === undefined ? snapshots.filter(hasProblem) : snapshots;
      const reports: Report[] = [];
      await working(`Reading nodes, owners and logs of ${chosen.length} pods`, async () => {
        for (const [index, snapshot] of chosen.entries()) {
          const { facts, missing } =
            index < mostGathered ? await gather(cluster, snapshot) : { facts: {}, missing: [] };
          reports.push({
            snapshot,
            diagnosis: diagnoseSnapshot(snapshot, facts, now),
            // As text, what was not read for all pods is printed once, at the end.
            missing: output === 'json' || name !== undefined ? [...unread, ...missing] : missing,
          });
        }
      });
      const found = owner ? diagnoseWorkload(owner) : [];
      if (output === 'json')
        printJson(
          owner
            ? {
                owner: { kind: owner.kind, namespace: owner.namespace, name: owner.name },
                diagnoses: diagnosesJson(found),
                pods: reports.map(reportJson),
              }
            : reports.map(reportJson),
        );
      else {
        if (owner)
          console.log(`${findingLines(workloadHeadline(owner, snapshots.length), found, [], terminal).join('\n')}\n`);
        for (const each of reports) console.log(`${reportLines(each, terminal).join('\n')}\n`);
        if (name === undefined) {
          for (const line of missingLines(unread, terminal)) console.log(line);
          print(`${chosen.length} of ${snapshots.length} pods have a problem.`);
        }
      }
      if (chosen.length > mostGathered)
        report(`Only the first ${mostGathered} pods were read with owner, node and log; name one for all of it.`);
      return 0;
    }),
};

/** The same command as a part of `podscope`. */
export const command: CommandBody = { ...pluginCommand, help: helpFor(callOf('why')) };
