/**
 * Defines texts about pods of other clusters, by id and with values. The page translates them, and the command line
 * prints them in English.
 */

/** The English texts by id. A value replaces `{name}`; the texts use no other syntax of ICU MessageFormat. */
export const snapshotTexts = {
  readBack:
    "Everything before {time} is reconstructed from the pod's status and events. After that, the simulator continues.",
  forecast:
    "This is a forecast, not an observation: Podscope's own kubelet ({profile}) continues the pod in the simulator " +
    'from {time}.',
  volume: 'Volume "{volume}" ({kind}) is replaced by an empty directory.',
  scheduling: 'The node selector and affinity are omitted, because the pod is already scheduled.',
  runtimeClass: 'Runtime class "{name}" is omitted.',
  userNamespace: 'The user namespace (hostUsers: false) is omitted: the simulator has none.',
  system: 'The pod is for {os}; the simulated node runs Linux.',
  mirror:
    'This is the mirror pod of a static pod. Its kubelet reads the manifest file, so edits and deletion here ' +
    'have no effect there.',
  values: 'ConfigMaps and Secrets that the pod uses have placeholder values, because the snapshot has none.',
  silence:
    "The snapshot doesn't say what the pod is waiting for, so the simulation assumes success. Paste the output of " +
    '`kubectl get pods,events -o yaml` to include its events.',
  inferredSpec:
    "The pod's spec is inferred from the kubelet's calls, so the forecast is made without what they don't show, such " +
    'as probes and deletions.',
  unexplainedRestarts:
    'There is no forecast: the kubelet stops and restarts {containers}, and only the spec shows when it does so ' +
    'again, for example after failures of a probe. Observe with --kubelet or --kubeconfig to get the spec.',
  silenceOfRun: "The run doesn't show what the pod is waiting for, so the simulation assumes success.",
  unknownField: 'Pod "{pod}": unknown field {field} is ignored',
  fault: 'Pod "{pod}": {fault}',
  leftOut: '{count} × {kind} ignored: only pods and events are read',
  morePods: '{count} more pods are not shown: paste fewer at a time',
  noPod: 'no Pod in this text',
  noPodHint: 'paste the output of `kubectl get pod NAME -o yaml`',
  table: 'this is a kubectl table, which lacks most of the needed data',
  description: 'this is the output of `kubectl describe`, which lacks most of the needed data',
  tableHint: 'use YAML: `kubectl get pods,events -o yaml`',
  noStatus: 'Pod "{pod}" has no {field}: this is a manifest, not a pod from a cluster',
  noStatusHint: 'apply it as a new pod, or paste the output of `kubectl get pod NAME -o yaml`',
  liveCluster:
    'Read-only view of the cluster of context {context} ({server}). It is reconstructed from the status and ' +
    'events of its ' +
    "pods, which don't contain the kubelets' own steps and decisions.",
} as const satisfies Readonly<Record<string, string>>;

/** A text with the values of its placeholders. */
export interface SnapshotText {
  readonly id: keyof typeof snapshotTexts;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Returns the text with this id. */
export const snapshotText = (id: SnapshotText['id'], values: SnapshotText['values'] = {}): SnapshotText => ({
  id,
  values,
});

/** Returns the text in English with its values filled in. */
export const formatSnapshotText = ({ id, values }: SnapshotText): string =>
  snapshotTexts[id].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** Returns the text as a node sends it to clients: with its id, and in English. */
export const toNotice = (text: SnapshotText): SnapshotText & { readonly text: string } => ({
  id: text.id,
  values: text.values,
  text: formatSnapshotText(text),
});
