/**
 * Contains the English texts of diagnoses of what a program depends on: its settings, the mesh, and the containers
 * beside it.
 */
export const dependencyMessages = {
  // A failure that only its words classify
  saidUnsetTitle: '{container} lacks a setting that it requires',
  saidUnset: 'The program requires a setting that isn’t given, and exits: “{line}”.',
  saidUnsetFix: 'Set what it names in {owner}',
  saidAbsentTitle: '{container} doesn’t find something that it needs',
  saidAbsent: 'The program doesn’t find something that it needs, and exits: “{line}”.',
  saidAbsentFix: 'Create what it names, or correct its name in {owner}',
  saidValueTitle: '{container} doesn’t accept a value',
  saidValue: 'The program doesn’t accept a value that it is given, and exits: “{line}”.',
  saidValueFix: 'Correct the value that it names in {owner}',
  saidVersionTitle: '{container} meets a version that it doesn’t support',
  saidVersion: 'The program and what it works with have versions that don’t fit together: “{line}”.',
  saidVersionFix: 'Set an image of a version that fits in {owner}',
  saidStateTitle: '{container} finds a state that excludes its work',
  saidState:
    'Something that exists already, or that another instance holds, prevents the program from working: “{line}”.',
  saidStateFix: 'Remove what is left from an earlier run, or let only one instance run, in {owner}',
  saidAmountTitle: '{container} goes beyond a limit',
  saidAmount: 'The program goes beyond a limit, and exits: “{line}”.',
  saidAmountFix: 'Raise the limit that it names, or let it need less, in {owner}',
  saidSources: 'It gets settings from {sources}.',
  saidVariables: 'The template sets {variables} for it, and no ConfigMap or Secret.',
  saidSourceFix: 'If the setting is in {kind} {name}, correct it there',
  runLowPortEnv:
    'Let it listen on port {other}: set {variable} to {value} in {owner}, and use port {other} as containerPort and as ' +
    'targetPort of its Service',
  // Meshes
  meshGoneTitle: 'The control plane {service} of {container} doesn’t exist',
  meshGone:
    'The mesh proxy {container} looks for its control plane {service} in namespace {space}, and no Service of that ' +
    'name exists: revision {revision} was removed, or the pod was injected for the wrong revision. Without it, the ' +
    'proxy gets neither configuration nor certificates. The other containers are only affected by that.',
  meshRevisions: 'See which revisions of the control plane exist',
  meshLabel:
    'Set the label of the namespace to a revision that exists (or install that revision of the control plane again)',
  meshCniTitle: 'The traffic of the pod isn’t redirected to the mesh proxy',
  meshCni:
    '{container} checks that the mesh’s iptables rules are in place, and they aren’t: the CNI plugin of the mesh didn’t ' +
    'run when the sandbox of the pod was created on node {node}.',
  meshCniSandbox: 'A restart of the container never corrects that, because CNI plugins run only for a new sandbox.',
  meshCniPods: 'See whether the pod of DaemonSet {plugin} runs on node {node}',
  meshCniFiles: 'See whether the CNI configuration of {node} contains the plugin',
  meshCniAgain: 'As soon as {plugin} runs there, delete the pod, so that its replacement gets a new sandbox',
  injectedElse: 'If {container} itself has a wrong setting, correct it where {by} configures its injector',
  hookLogged: 'The log of {container} names the reason.',
  // Probes
  probeThrough:
    'The {kind} probe asks port {port}, on which {other} listens for this container: {other} doesn’t answer, so the ' +
    'cause is there.',
  probeBase: '{place} sets {prefix} as the prefix of all paths, and the probe’s path lacks it.',
  probeBaseFix: 'Set the path of {field} of {container} to {full} in {owner}',
} as const satisfies Readonly<Record<string, string>>;
