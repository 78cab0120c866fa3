/**
 * What is said of pods that come from elsewhere: texts by name with the values in them, so that a page can say them in another language and a
 * command line in English. The words of Kubernetes, of its API and of parsers stay as they are.
 */
/** In English. `{name}` stands for a value; nothing else of ICU MessageFormat is used. */
export const snapshotTexts = {
  readBack: "What is before {time} is read back from the pod's status and events; from there on the simulator goes on.",
  volume: 'An empty directory stands in for the volume "{volume}" ({kind}).',
  scheduling: 'The node selector and affinity are left out: the scheduler has seen to them.',
  runtimeClass: 'The runtime class "{name}" is left out.',
  userNamespace: 'User ids of its own (hostUsers: false) are left out: no such node is simulated.',
  system: 'The pod is for {os}; what is simulated is Linux.',
  mirror: 'This is the copy of a static pod: its kubelet goes by a file of its own, and what is changed or deleted here does not change it.',
  values: 'Config maps and secrets that the pod uses are stand-ins: their values are not in the snapshot.',
  silence: 'Nothing here says what it waits for, so all is taken to go well. Its events would say: give the output of `kubectl get pods,events -o yaml`.',
  unknownField: 'Pod "{pod}": {field} is not known here and left out',
  fault: 'Pod "{pod}": {fault}',
  leftOut: '{count} of kind {kind} left out: only pods and events are read',
  morePods: '{count} more pods are not shown: give fewer at a time',
  noPod: 'there is no Pod in this text',
  noPodHint: 'give the output of `kubectl get pod NAME -o yaml`',
  table: 'this is the table that kubectl prints for people: it leaves out most of what is needed',
  tableHint: 'add `-o yaml`: `kubectl get pods,events -o yaml`',
  noStatus: 'Pod "{pod}" has no {field}: this is a manifest, not a pod that a cluster has',
  noStatusHint: 'apply it as a new pod instead, or give the output of `kubectl get pod NAME -o yaml`',
  liveCluster:
    "This is the cluster of context {context} ({server}), looked at and never changed. What you see is reconstructed from the status and events of its pods: the kubelets' own steps and decisions are not in them.",
} as const satisfies Readonly<Record<string, string>>;

/** One text of them. */
export interface SnapshotText {
  readonly id: keyof typeof snapshotTexts;
  readonly values: Readonly<Record<string, string | number>>;
}

export const sayOfSnapshot = (id: SnapshotText['id'], values: SnapshotText['values'] = {}): SnapshotText => ({ id, values });

/** The text in English. */
export const snapshotTextInEnglish = ({ id, values }: SnapshotText): string =>
  snapshotTexts[id].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** The text as a node tells it to its clients: with its name, and in English. */
export const asNotice = (text: SnapshotText): SnapshotText & { readonly text: string } => ({
  id: text.id,
  values: text.values,
  text: snapshotTextInEnglish(text),
});
