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
    'Let it listen on port {other}: set {variable} to {value} in {owner}, and use port {other} as containerPort and ' +
    'as targetPort of its Service',
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
    '{container} checks that the mesh’s iptables rules are in place, and they aren’t: the CNI plugin of the mesh ' +
    'didn’t run when the sandbox of the pod was created on node {node}.',
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
  saidOwnTitle: '{container} ends itself with an error of its own',
  saidOwn:
    'Neither the kubelet nor a limit ended the program: it reports a condition of its own work and exits: “{line}”.',
  saidOwnFix: 'Put right what it names (its data or the service behind it), or change its settings in {owner}',
  saidPlace: '{place} sets that.',
  saidPlaceFix: 'Provide what the message names, or change {place} in {owner}',
  schedTolerateNow: 'If the pod belongs there, let this pod tolerate the taint {taint}; it is then scheduled at once',
  schedPortsSurgeNodes:
    'Its host port {ports} is already in use on {nodes} nodes: each node has a host port only once. Most likely the ' +
    'pods of the previous revision hold it: with a surge, {owner} starts a new pod before it stops an old one, so a ' +
    'rollout never ends.',
  schedPortsSurgeFix: 'Let {owner} stop an old pod before it starts a new one',
  gateFind: 'Find the controller that handles {names}, and read its log',
  gateRemove:
    'Only if that controller is gone for good: remove the gates by hand (the pod is then scheduled without its check)',
  refusePinned:
    'No event of a scheduler exists: the template most likely sets nodeName to {node}, which bypasses the scheduler.',
  refusePinnedFix: 'Remove nodeName from {owner}, so that the scheduler chooses a suitable node',
  refusePinnedEach: 'Each replacement goes to {node} again, is refused in the same way, and leaves a failed pod.',
  refuseDeviceEach: 'A replacement that is placed on {node} again can be refused in the same way.',
  // Jobs
  failedJobOver: '{job} has used up its tries (backoffLimit {limit}, {failed} failed): it makes no other pod.',
  failedJobLeft:
    '{job} makes another pod with a growing delay ({failed} of {tries} tries have failed); it fails the same way, ' +
    'and after the last one the Job has failed.',
  failedCronNext: '{owner} makes another Job at its next time; that one fails the same way.',
  schedUntilTolerated:
    'It isn’t scheduled by itself: it needs the toleration, or a node without the taint {taint} that also matches ' +
    'its nodeSelector and node affinity.',
  schedUntilSurge:
    'Host port {ports} doesn’t become free by itself: the rollout stops no old pod until this one is ready. The old ' +
    'pods run on.',
  nodeReportsTitle: 'The kubelet of node {node} reports that it is not ready',
  nodeReports: 'The kubelet of node {node} runs and says why it is not ready: {said}',
  nodeReportsOutlook:
    'The pod waits until the node is ready; then it starts or is ready again by itself. New pods go to other nodes.',
  nodeNetworkPods: 'See whether the pod of the network plugin runs on {node}, and read its log',
  nodeRuntime: 'Read the log of the kubelet and the runtime on {node}',
  csiDriverLog: 'If it isn’t there or not ready, describe it (its tolerations, its image) and read its log',
  csiElsewhere: 'Or keep new pods away from {node}; then delete the pod, so that its replacement gets another node',
  ipamdLog: 'Read the log of the address management on {node}',
  gateWebhook: 'A mutating webhook may have set the gate; see which ones exist',
  probeStarved:
    'The program doesn’t answer the {kind} probe within timeoutSeconds ({timeout} s), {threshold} times in a row, ' +
    'because it gets too little CPU time: its log says so.',
  refuseUnhealthy:
    'The kubelet on {node} has no healthy {resource} to give, so it refused the pod: after a restart of the node or ' +
    'the kubelet, the device plugin hasn’t registered again yet, or the device or its driver has failed.',
  refuseUnhealthyCordon: 'Until the devices work, keep new pods away from {node}',
  vaultAzure: 'Grant the identity {app} the role Key Vault Secrets User on {vault}',
  deletingGraceLater: 'For later pods, lower terminationGracePeriodSeconds in {owner}',
  runHeapSetting: 'It is set by {setting} ({place}).',
  runHeapRaise:
    'Raise the heap from {setting} to {lowered} in {owner}: three quarters of the memory limit of {limit}. If ' +
    'it fills that as well, look for a leak in a heap dump',
  runPermissionScc:
    'OpenShift (security context constraints {scc}) assigned this user to the namespace, and the image ' +
    'expects another one.',
  runPermissionSccFix:
    'Build the image for any user (chgrp -R 0 and chmod -R g=u for the path, as the user belongs to group 0), ' +
    'or mount an emptyDir there, in {owner}',
  runPermissionNginx:
    'Set image nginxinc/nginx-unprivileged, which starts as any user and listens on port 8080 (change ' +
    'containerPort and the Service’s targetPort), or mount an emptyDir at /var/cache/nginx and /var/run and ' +
    'listen above 1024, in {owner}',
  nonRootNginx:
    'Set image nginxinc/nginx-unprivileged for {container} in {owner}: it runs as user 101 and listens on ' +
    'port 8080 (change containerPort and the Service’s targetPort)',
  imgBitnami:
    'The registry {registry} no longer has {repository} with tag {version}: in 2025, Bitnami moved its ' +
    'versioned images to {moved}, where they get no updates.',
  imgMoved: 'The registry {registry} has no {repository} with {version} any more: the repository moved to {moved}.',
  imgMovedTags: 'See which tags {moved} has; a maintained image of another source is better in the long run',
  gateQuota: 'See the quota of the cluster queues, who uses it, and whether a queue is stopped',
  probeKillAgainAfter: 'It is then killed again about {ran} after its start, like the last instance.',
  objectIssued:
    'It is a certificate, so cert-manager most likely writes it: it isn’t installed, or hasn’t issued it yet.',
  objectIssuer: 'If cert-manager issues it, see why it hasn’t',
  objectOfPod:
    'Its name contains that of the pod, so an operator or a webhook makes one for each pod: it hasn’t made this one, ' +
    'or has deleted it together with an earlier pod of that name.',
  objectMaker: 'Find the operator that makes it, and read its log',
  objectAgain: 'Once it works, delete the pod: the operator makes the object again for the pod that replaces it',
  failedJobRetry: '{owner} makes another pod, with growing delays, until its backoffLimit; that one needn’t fail.',
  startSandboxTitle: 'The sandbox was gone when {container} started on {node}',
  startSandbox:
    'The process of the pod’s sandbox had ended when the runtime started the container, so there were no namespaces ' +
    'to join. The pod isn’t at fault: sandboxes end on overloaded nodes, by the OOM killer, and when the runtime is ' +
    'restarted. It says: {what}',
  attachNone:
    'The volume of claim {claim} isn’t attached to node {node}: its VolumeAttachment doesn’t exist. Usually it was ' +
    'detached after an earlier pod, and hasn’t been attached again.',
  attachAgain:
    'If no attachment appears within minutes, delete the pod: its replacement makes the controller attach again',
  knownGone:
    'A finished Job is removed after its ttlSecondsAfterFinished, or by the next run of a Helm hook. A ' +
    'container that waits for it then fails forever.',
  knownJobAgain: 'Create the Job again, as the release or the pipeline did (it must complete), or keep finished Jobs',
  knownIcu:
    'The .NET runtime finds no ICU libraries in {image}, and ends at once. It needs them unless it runs without the ' +
    'rules of cultures and languages.',
  knownIcuFix: 'Install icu-libs in the image (on Alpine also icu-data-full), push it, and set it in {owner}',
  knownIcuOff: 'If the program needs no cultures, let it run without: set {variable} in {owner}',
  exitOwn: 'The container’s command contains exit {code}: its script ends with this code by itself.',
  exitOwnFix: 'Change that command in {owner}, if it isn’t meant to fail',
  knownLeftTitle: '{container} can’t create {resource} {name}: it exists already',
  knownLeft:
    'An earlier run of the program made {resource} {name} and left it behind. This run doesn’t take it over, and ' +
    'exits.',
  knownLeftLook: 'See whose it is, and whether it still does something',
  knownLeftDelete: 'If it is only left over, delete it; the program then makes it again',
  probeKept:
    'The server keeps the password with which its data on claim {claim} was first made; a Secret that changed later ' +
    'doesn’t reach it. Put the old password into the Secret, or change it in the server.',
  probeScrape:
    'metrics-server is ready once it has read the metrics of a node, and it reads none. Mostly the cluster’s CA ' +
    'hasn’t signed the kubelets’ serving certificates (x509), or port 10250 of the nodes can’t be reached. Its log ' +
    'says which.',
  probeScrapeFix:
    'If it is x509: let the kubelets request certificates (serverTLSBootstrap) and approve them, or, only on a test ' +
    'cluster, add --kubelet-insecure-tls to {owner}',
  schedUntaint: 'If the cluster has only control plane nodes, let pods run on them',
  imgCanceledTitle: 'The pull of {image} is canceled',
  imgCanceled:
    'The registry answered, so name and access are right, but the pull was canceled while a layer was fetched: no ' +
    'data arrived for so long that the runtime gave up (slow or blocked path to {registry}), or the runtime was ' +
    'restarted.',
  imgCanceledFix: 'If the path is only slow, raise image_pull_progress_timeout of containerd on {node}',
  runReadOnlyOwn: 'It changes files that are part of the image: an empty volume at {parent} would hide them.',
  runReadOnlyOff: 'Let {container} write its root file system, in {owner}',
  runOwnerRoot:
    'Run only {container} as root (runAsUser: 0), or leave it out if fsGroup already gives access, in {owner}',
  saidHintTitle: '{container} is used in another way than it expects',
  saidHint: 'The program refuses what it is given, and says what to use instead ({hint}): “{line}”.',
  saidHintFix: 'Use {hint}, as the program says, in command, args or input of {owner}',
} as const satisfies Readonly<Record<string, string>>;
