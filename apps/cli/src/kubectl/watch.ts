/** Implements `kubectl podscope watch`: opens the page with a live, read-only view of a cluster. */
import { type CommandBody, readArguments, UsageError } from '@podscope/command-line';
import { clusterHelp, clusterOptions, targetOf } from './options.ts';
import { describingProblems } from './problems.ts';

const options = {
  ...clusterOptions,
  'all-namespaces': { type: 'boolean', short: 'A' },
  'no-open': { type: 'boolean' },
  port: { type: 'string' },
} as const;

/** Returns the arguments with which `podscope start` observes the cluster. */
export function startArguments(args: readonly string[]): readonly string[] {
  const { values, positionals } = readArguments(args, options, 'watch');
  if (positionals.length > 0) throw new UsageError('watch takes no POD: it shows all pods of the namespace');
  const { cluster, namespace } = targetOf(values);
  return [
    '--kubeconfig',
    cluster.kubeconfig,
    '--context',
    cluster.context,
    ...(values['all-namespaces'] ? [] : ['--namespace', namespace]),
    ...(values.port === undefined ? [] : ['--port', values.port]),
    ...(values['no-open'] ? [] : ['--open']),
  ];
}

export const command: CommandBody = {
  help: `Usage: kubectl podscope watch [options]

Opens the page over the pods of a namespace, live and read-only: lanes, back-offs and events as they change. Nothing on
the cluster is changed. Ctrl+C stops.

  -A, --all-namespaces   The pods of all namespaces.
${clusterHelp}
  --port PORT            The port of the page on 127.0.0.1.
  --no-open              Print the address and don't open the browser.`,
  examples: [
    ['watch -n shop', 'Watch the pods of a namespace'],
    ['watch -A --no-open', 'Watch all pods and print the address of the page'],
  ],
  run: (args) =>
    describingProblems(async () => {
      const words = startArguments(args);
      const { command: start } = await import('@podscope/server/start');
      return start.run(words);
    }),
};
