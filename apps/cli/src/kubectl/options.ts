/** Defines the options that the commands of `kubectl podscope` have in common with kubectl. */
import { UsageError } from '@podscope/command-line';
import { ClusterConnection } from '@podscope/server/cluster';

export const clusterOptions = {
  namespace: { type: 'string', short: 'n' },
  context: { type: 'string' },
  kubeconfig: { type: 'string' },
} as const;

export const clusterHelp = `  -n, --namespace NS     The namespace. Default: that of the context.
  --context CONTEXT      A context of the kubeconfig. Default: the current one.
  --kubeconfig FILE      Default: as kubectl, $KUBECONFIG or ~/.kube/config.`;

export interface ClusterValues {
  readonly namespace?: string | undefined;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
}

export interface Target {
  readonly cluster: ClusterConnection;
  readonly namespace: string;
}

/**
 * Returns the cluster and the namespace that the options select.
 * @throws StartError if the kubeconfig or the context doesn't exist
 */
export function targetOf({ namespace, context, kubeconfig }: ClusterValues): Target {
  const cluster = new ClusterConnection({ kubeconfig, context });
  return { cluster, namespace: namespace ?? cluster.namespace };
}

/**
 * Returns the name of a pod in any form that kubectl accepts: `web`, `pod/web` or `pod web`.
 * @throws UsageError for another kind
 */
export function podName(words: readonly string[], command: string): string {
  const [word, ...others] = words[0] === 'pod' || words[0] === 'pods' ? words.slice(1) : words;
  if (word === undefined || others.length > 0) throw new UsageError(`${command} takes one POD`);
  const name = word.replace(/^(?:pods?|po)\//, '');
  if (name.includes('/')) throw new UsageError(`${command} takes a pod, not ${JSON.stringify(word)}`);
  return name;
}
