/** Contains the English texts of diagnoses of programs that end with an error, by the class of the error. */
export const failureMessages = {
  // Origins of the objects that a message names
  mentionObject: '{path} comes from {kind} {name}.',
  mentionClaim: '{path} is in volume {volume} (claim {name}).',
  mentionHost: 'See whether Service {name} exists in {space} and has ready endpoints',
  // Certificates
  runTlsExpired:
    'The certificate of a server that the program connects to has expired, or the clock of node {node} is wrong.',
  runTlsName: 'The certificate of a server that the program connects to is for another name than the one it uses.',
  runTlsCa:
    'The program doesn’t trust the certificate of a server that it connects to: the image doesn’t have the CA that ' +
    'issued it.',
  runTlsServer: 'Most likely the server is {host} ({place}).',
  runTlsShow: 'See names, issuer and validity of the certificate of {host}',
  runTlsRenew: 'Have the certificate renewed where that server runs; if cert-manager issues it, see why it didn’t',
  runTlsClock: 'See whether the clock of {node} is right',
  runTlsNameFix: 'Use a name that the certificate contains in {owner}, or give the server a certificate with its name',
  // Data
  runDamagedTitle: 'The data of {container} is damaged',
  runDamaged: 'The program can’t read its own data and exits: “{what}”.',
  runDataIn: 'The data is in volume {volume} (claim {claim}).',
  runDamagedBackup: 'Make a backup or snapshot of claim {claim} before any repair; see which snapshots exist',
  runDamagedRepair:
    'Then stop {owner}, mount the claim in a helper pod, and repair the data there with {tool}, or restore a backup',
  runDamagedRepairAny:
    'Then stop {owner}, mount its volume in a helper pod, and repair the data with the program’s own tool, or ' +
    'restore a backup',
  // Licenses
  runLicenseTitle: '{container} has no valid license',
  runLicense: 'The program exits because of its license: “{what}”.',
  runLicenseFix: 'Put a valid license where {container} reads it, in {owner}',
  // Clusters of programs
  runPeersTitle: '{container} doesn’t find the other members of its cluster',
  runPeers: 'The program waits for the other members (peers) of its cluster and gives up: “{what}”.',
  runPeersNamed: 'It names {peers}.',
  runPeersOrdered:
    'By default {owner} starts its pods one after the other: the others don’t start before this one is ready.',
  runPeersPods: 'See which members run and are ready',
  runPeersParallel:
    'If all members were down, start them together with podManagementPolicy: Parallel in {owner} (an immutable ' +
    'field: delete it with --cascade=orphan and apply it again)',
  runPeersForce: 'Or let this member start alone, if it was the last one that stopped (with {tool})',
  // The kernel
  runSyscallTitle: 'The kernel denies {container} an operation',
  runSyscallProfile:
    'The seccomp profile {profile} of the pod forbids a system call that the program needs ({what}: operation not ' +
    'permitted).',
  runSyscall:
    'The kernel doesn’t permit {what}: the runtime’s seccomp profile forbids the system call, or the container ' +
    'lacks a capability.',
  runSyscallProfileFix: 'Allow the system call in {profile} on the nodes, or use seccomp RuntimeDefault in {owner}',
  runSyscallFix:
    'Grant exactly the capability that it needs, or a seccomp profile that allows the call, in {owner}; or update ' +
    'the runtime of {node}',
  // Files of an earlier run
  runPidTitle: '{container} finds the PID file of an earlier run',
  runPid: 'The stale file {path} makes the program believe that it is already running, so it exits.',
  runPidVolume: 'It is in volume {volume}, which outlives the container.',
  runPidFix: 'Remove it before the start (rm -f {path}) in the command of {owner}, or keep it outside of the volume',
  runPidNew: 'Delete the pod: its replacement gets an empty volume, so it starts at once',
  runLeftTitle: '{container} meets the files of its first run',
  runLeft:
    'The pod got a new sandbox, as after a restart of the node or its runtime, so the init containers run again. ' +
    'Volume {volume} (emptyDir) still has the files of their first run: “{line}”.',
  runLeftAnew: 'Delete the pod and create it again: it then gets an empty volume',
  runLeftFix: 'Let the command succeed if its result is there already (ln -sf, mkdir -p, cp -f) in {owner}',
  // Credentials
  runNoPassword: 'The program logs in as {user} without a password: none is set.',
  runNoPasswordFix: 'Give {container} the password of {user} from a Secret (for example in env) in {owner}',
  runIdentityTitle: '{container} finds no credentials',
  runIdentity:
    'The program finds no credentials for its cloud: service account {account} has no identity there, and no ' +
    'variable or file holds a key.',
  runIdentityFix: 'Give service account {account} the annotation of its cloud identity, or set credentials, in {owner}',
  runIdentityAzure:
    'The program finds no credentials for Azure: the pod lacks the label azure.workload.identity/use: "true", so it ' +
    'gets no token of service account {account}.',
  runIdentityAzureFix: 'Set the label azure.workload.identity/use: "true" in the pod template of {owner}',
  // Locks
  runLockHolder: 'The lock is held by {holder}.',
  runLockHolderLook: 'See whether {holder} still runs; if it does, let it finish',
  // Objects that a service lacks, such as users and databases
  runMissingTitle: '{container} asks for something that doesn’t exist',
  runMissing: 'A service that the program uses doesn’t have what it asks for: “{what}”.',
  runMissingFix: 'Create it in that service, or correct its name (URL) or the credentials in {owner}',
  runReplicaTitle: '{container} writes to a read-only server',
  runReplica: 'The server accepts no writes, because it is a replica or read-only: “{what}”.',
  runReplicaFix: 'Connect {container} to the primary (its own Service) in {owner}',
  runQuotaTitle: 'A service limits {container}',
  runQuota: 'A service that the program uses refuses requests because of a rate limit or quota: “{what}”.',
  runQuotaFix: 'Raise the limit at that service, or send fewer requests (fewer replicas, a back-off), in {owner}',
  // The API server
  runApiTitle: '{container} doesn’t reach the API server',
  runApi:
    'The pod gets no answer from {target}, the API server’s address inside the cluster. kube-proxy or the network ' +
    'plugin of {node} doesn’t work, or a network policy blocks it.',
  runApiNode: 'See whether kube-proxy and the network plugin run on {node}',
  // Node
  runClockTitle: 'Clocks differ',
  runClock: 'A time doesn’t fit, so the clock of {node} or of the other server is wrong: “{what}”.',
  runGpuTitle: '{container} finds no usable GPU',
  runGpu: 'The program can’t use a GPU: “{what}”.',
  runGpuFix: 'Request the GPU in the limits (nvidia.com/gpu: 1), or use an image that fits the driver, in {owner}',
  runGpuNode: 'See the GPUs and the driver of {node}',
  runCpuTitle: 'The CPU of {node} is too old for {container}',
  runCpu: 'The program needs CPU instructions that {node} doesn’t have: “{what}”.',
  runCpuFix: 'Use an image built for older CPUs, or select nodes with newer ones, in {owner}',
  // Bugs
  runBugTitle: '{container} ends with an unhandled error',
  runBug: 'The program doesn’t handle an error and exits: “{what}” That is a bug, or input that it doesn’t expect.',
  runBugAt: 'It happens at {place}.',
  runBugFix: 'Correct the program or its input, and use the new image in {owner}',
  // Versions
  runVersionNeeds: 'Use an image with version {version} in {owner}',
  runRevisionTitle: 'The database is newer than {container}',
  runRevision:
    'The database is at migration {revision}, which the image doesn’t contain: the image is older than the database, ' +
    'or built from another branch.',
  runRevisionFix:
    'Use an image that contains migration {revision} in {owner}; or migrate the database back with such an image',
  // Memory areas of the JVM
  runAreaTitle: 'A memory area of the JVM in {container} is full',
  runArea:
    'The JVM ran out of {area}, which {flag} limits{now}. The heap and the container’s limit are not the reason.',
  runAreaFix: 'Raise {flag} in {owner}{now}, within the memory limit; look for a leak',
  // Volumes
  badFsRepair:
    'Stop {owner} first, make a snapshot of the volume of {claim}, and run fsck on the unmounted device ' +
    '(or restore a backup)',
  tokenMake: 'Create service account {account} again (with its roles), if it was deleted by mistake',
  tokenRename: 'Or use a service account that exists in {owner}',
  vaultTitle: 'The secret store refuses the pod',
  vault:
    'The secret store {store} refuses what SecretProviderClass {class} asks for (access denied). The ' +
    'identity that it uses, for example that of service account {account}, lacks the permission. It says: “{said}”',
  vaultGone: 'The secret store {store} doesn’t have what SecretProviderClass {class} asks for. It says: “{said}”',
  vaultFix:
    'Grant the identity permission to read the secrets of {store}, or correct the identity in ' +
    'SecretProviderClass {class}',
  vaultGoneFix: 'Create the object in {store}, or correct its name in SecretProviderClass {class}',
  // Nodes
  killNetwork:
    'The containers have ended, but the network plugin {plugin} on {node} can’t remove the network of the pod: {said}',
  killNetworkTitle: 'The network of the pod can’t be removed on {node}',
  killNetworkPlugin: 'See whether {plugin} works on {node}, and restart its pod there',
  killNetworkOutlook: 'The kubelet tries again; the pod disappears by itself once the network plugin works.',
  refuseDevice:
    'The scheduler counted a free {resource} on {node}, but the device plugin has {available} (requested: ' +
    '{requested}): it was restarted, or the device failed.',
  refuseDevicePods: 'See whether the device plugin runs on {node}, and read its log',
  preBindTitle: 'The volume of {claims} isn’t made in time',
  preBind:
    'A node is chosen, but no volume was bound to {claims} in time: the provisioner of its storage class fails or is ' +
    'slow.',
  preBindOutlook: 'The scheduler tries again and again; the pod is scheduled as soon as the claim is bound.',
  // Images
  imgShortTitle: 'The short name {image} is not resolved',
  imgShort:
    '{image} names no registry, and the runtime of {node} has no single registry configured for it (short-name mode ' +
    'of CRI-O).',
  imgShortFix: 'Use the full name with the registry, for example {full}, in {owner}',
  imgTlsNames: 'It is valid for {names}.',
  imgTlsNameFix:
    'Use a name that the certificate contains in {owner}, or give the registry a certificate with its name',
  imgTlsRenew: 'Have the certificate renewed at {registry}; no change in the cluster is needed',
  // Probes
  probeExecChange:
    'If the command is right, correct what it checks in the program; else correct the {kind} probe in {owner}',
  // Settings, rights and system errors
  runAboutTitle: '{container} doesn’t accept a setting',
  runAbout: 'The program complains about “{word}”, which comes from {place}: “{what}”.',
  runAboutFix: 'Correct {place} in {owner}',
  runRightTitle: 'A service denies {container} an operation',
  runRight: 'A service that the program uses denies it an operation (no permission): “{what}”.',
  runRightSecret: 'See which identity Secret {secret} gives the program',
  runRightFix:
    'Grant that permission (role) to the identity that {container} uses, or give it another identity in {owner}',
  runWantsTlsTitle: 'The server wants an encrypted connection from {container}',
  runWantsTls:
    'The server refuses the connection because it isn’t encrypted or not allowed from this address: “{what}”.',
  runWantsTlsFix:
    'Turn on TLS in the connection settings (for example sslmode=require) in {owner}, or allow the address at ' +
    'the server (pg_hba.conf)',
  runSchemaTitle: 'The database of {container} lacks what it asks for',
  runSchema:
    'The database schema lacks a table or column: “{what}” The migrations haven’t run, or the image is newer ' +
    'than the schema.',
  runSchemaFix: 'Run the migrations first, or use the image that fits the schema, in {owner}',
  runStaleTitle: 'The volume of {container} is stale',
  runStale: 'The network file system of the volume has changed under the mount: “{what}”.',
  runStaleNew: 'Then make a new pod, which mounts the volume again',
  runIoTitle: 'The disk of {container} reports errors',
  runIo: 'Reading or writing fails in the storage below the program: “{what}”.',
  runLinksTitle: 'A variable for a Service replaces a setting of {container}',
  runLinks: 'The program reads a variable that Kubernetes sets for a Service with a similar name (tcp://…): “{what}”.',
  runLinksFix: 'Set enableServiceLinks: false in {owner}, or set the variable explicitly',
  runLinksLongTitle: 'The environment of {container} is too long',
  runLinksLong:
    'Arguments and environment exceed the kernel’s limit: “{what}” Usually variables for many Services fill it.',
  runLinksLongFix: 'Set enableServiceLinks: false in {owner}, or shorten variables and arguments',
  runBindTitle: '{container} listens on an address that the pod doesn’t have',
  runBind: 'The program binds to an address that the pod doesn’t have: “{what}”.',
  runBindFix: 'Listen on 0.0.0.0 (or the pod’s IP, status.podIP) in {owner}',
  runFamilyTitle: '{container} uses an address family that {node} doesn’t have',
  runFamily: 'The kernel of {node} doesn’t support the address family, most likely IPv6: “{what}”.',
  runFamilyFix: 'Listen on 0.0.0.0 instead of [::] in {owner}, or enable IPv6 on the nodes',
  runDirectoryTitle: '{path} of {container} is a directory',
  runDirectory: 'The program expects a file at {path}, and finds a directory.',
  runDirectoryMount: 'The volume {volume} is mounted there, so the path is a directory.',
  runDirectoryMountFix: 'Mount only the file with subPath (or correct the key and mountPath) in {owner}',
  byCriticalTitle: 'The kubelet preempted the pod',
  schedTemplate:
    'The ResourceClaimTemplate {template}, which the pod names, does not exist in {namespace}, or its claim ' +
    'isn’t made yet.',
  schedUntilTemplate: 'It is scheduled by itself once the claim of {template} exists.',
  schedTemplateLook: 'See which templates and claims {namespace} has',
  schedTemplateFix: 'Create ResourceClaimTemplate {template}, or correct its name in {owner}',
  runOpen:
    'The program has as many files and connections open as it may (too many open files): it doesn’t close them, or ' +
    'its limit (ulimit -n, which the runtime sets) is too low.',
  runOpenFix: 'Let it close files and connections, or open fewer at a time, in {owner}; or raise the runtime’s limit',
  runPairTitle: '{container} can’t use its certificate or key',
  runPair: 'Certificate and private key can’t be loaded or don’t belong together: “{what}”.',
  runPairSecret: 'See which keys Secret {secret} has, and put a matching pair (tls.crt, tls.key) into it',
  runPairFix: 'Then restart the pods, or correct where {container} reads certificate and key, in {owner}',
  runWarmingTitle: 'A service that {container} needs isn’t ready yet',
  runWarming: 'The service answers, but it is still starting or loading: “{what}”.',
  runWarmingPods: 'See whether its pods become ready',
  runExtensionTitle: 'The image of {container} lacks an extension',
  runExtension:
    'The program needs something that the image doesn’t have, most likely an extension of its runtime: “{what}”.',
  runUnsetFix: 'Set {name} (an argument, a variable or in the configuration file) in {owner}',
  attachGoneFix:
    'Find out who deleted the disk; restore it from a snapshot or backup as a new volume. See which snapshots ' +
    'exist',
  schedCordoned:
    '{nodes} nodes are cordoned (SchedulingDisabled): that is maintenance of the nodes, not a problem of the pod.',
  schedPortsNode: 'Host port {ports} is already in use on node {node}, the only node on which the pod may run.',
  schedPortsNodeWho:
    'See which pod on {node} uses host port {ports}, and remove it if it is left over from an older release',
  schedPortsNodeFix: 'Or give {owner} another host port, or use a Service instead of hostPort',
  schedUntilPortsNode: 'It is scheduled when host port {ports} is free on node {node}.',
  schedAntiOwn:
    '{owner} allows only one of its pods per {key} (required anti-affinity), and {nodes} nodes have one already.',
  schedAntiRollout:
    'In a rolling update the old pods keep their places until the new one is ready, so it waits for a free {key}.',
  schedAntiOwnFix:
    'Add a node, run fewer replicas, set maxSurge: 0 and maxUnavailable: 1 for rolling updates, or use ' +
    'preferred instead of required anti-affinity, in {owner}',
  schedAntiPods:
    'Required pod anti-affinity keeps it apart from pods with {selector}; each {key} of {nodes} nodes has such ' +
    'a pod.',
  schedWherePods: 'See where the pods run from which it keeps apart',
  schedAntiOtherWho: 'See which pods have an anti-affinity',
  evictLittle:
    'Container {container} used only {used}, so other things fill the disk of {node}: images, logs, or other ' +
    'pods.',
  evictImages: 'Remove images that no container uses from {node}',
  evictPodsDisk: 'See which pods and logs on {node} take the space',
  evictSameNode:
    'The replacement goes to the same node {node}, and is refused or evicted again as long as the node is short ' +
    'of {resource}.',
  oomChild:
    'A child process (worker) in {container} was killed at the memory limit of {limit} (OOMKilled) after {ran}; ' +
    'the main process survived it and then exited with code {code}.',
  oomChildFewer: 'Let fewer workers run at a time, or give each less to do, in {owner}',
  initAskedIn: 'See whether Service {service} exists in {namespace}',
  runStuckTitle: 'An earlier database migration of {container} failed halfway',
  runStuck:
    'Migration {migration} failed in an earlier run. As long as it is recorded as failed, no further migration ' +
    'is applied.',
  runStuckFix:
    'Repair in the database what {migration} left half done, mark it as resolved ({tool}), and run {owner} again',
  attachDiskGone: 'The disk {disk} behind the volume of claim {claim} does not exist any more in the storage system.',
  attachGoneOutlook: 'The attach/detach controller retries, and fails the same way until the disk exists again.',
  startKeyTitle: '{kind} {name} has no key for {path}',
  startKey:
    '{container} mounts {subPath} of {kind} {name} (volume {volume}) onto the file {path}. The {kind} has no ' +
    'such key, so the kubelet made an empty directory of that name, which can’t be mounted onto a file.',
  startKeyFix: 'Or correct subPath (and items) of volume {volume} in {owner}',
  startKeyNew: 'Then delete the pod: its replacement mounts the file (this pod keeps the empty directory)',
  startHostKind:
    '{container} mounts {source} of node {node} onto the file {path}, but there it is a directory: an absent ' +
    'hostPath without a type becomes an empty directory.',
  startHostKindFix:
    'Create the file on every node, or set hostPath.type: File so that the pod waits for it, in {owner}',
  runMemberTitle: 'The cluster knows {container} as a member whose data is gone',
  runMember:
    'Member {member} has already been bootstrapped in this cluster, and now starts with an empty data ' +
    'directory: its volume was replaced or emptied.',
  runMemberRemove: 'On a healthy member, remove the old entry',
  runMemberAdd: 'Add it again as a new member, with its peer address',
  runMemberFix: 'Then let it join instead of bootstrap: initial-cluster-state=existing in {owner}',
  runFlagFix: 'Remove {flag} from {field} of {container}, or correct it, in {owner}',
  schedPool:
    'Add nodes (a node pool) with these labels; they come from the cloud or the kubelet and aren’t set by hand',
  silentReady:
    '{container} runs, but is not ready: its {kind} probe ({what}) has not succeeded. No event that is left ' +
    'says with which answer, because events expire after an hour.',
  silentReadyEvents: 'See the answers of the probe (events Unhealthy), as long as it keeps failing',
  silentReadyAsk: 'Ask the program yourself: forward the port, and open {scheme}://localhost:{port}{path}',
  refuseAffinityAgain: 'If {node} should run such pods, give it the label again',
  refuseTopologyFix:
    'Request no more CPUs, memory and devices than one NUMA node of the machines has (or use nodes with another ' +
    'topology manager policy), in {owner}',
  refuseTopologyNuma: 'See what each NUMA node of {node} has',
  refuseTopologyAsked: 'It requests {asked} in one container.',
  refuseTopologyEach:
    'The scheduler doesn’t know NUMA nodes, so a replacement can be refused again and leave another failed pod.',
  refuseAloneFree:
    'Nothing brings this pod back: create it again, without nodeName or with a request of at most {free} of ' +
    '{resource}, in {owner}',
  sandboxPauseSaid: 'The pull ends with “{said}”. Every new pod on {node} waits for this image.',
  sandboxPauseLoad: 'Or copy the image to {node} from a machine that has it',
  sandboxCniRestart: 'Restart it on {node}, which renews its token: this prints the command',
  hookStopFix:
    'Correct the preStop hook in {owner}: its command has to be in the image and end within the grace period',
  hookStopTry: 'Run the hook’s command by hand, as long as the container runs',
  evictRefusedTitle: 'Node {node} has {condition} and refused the pod',
  evictAvoided:
    'The scheduler avoids {node} as long as the node has that condition, so the replacement gets another node, ' +
    'or is Pending.',
  schedAffinityPods:
    'Required pod affinity asks for a node (by {key}) that runs a pod with {selector}; {nodes} nodes don’t.',
  claimCapacity:
    'Claim {claims} needs more than the storage driver has free on {nodes} nodes (its storage capacity is used ' +
    'up).',
  claimCapacityLook: 'See how much the storage driver has free per node, and free or add storage there',
  refuseUnregistered:
    'No device plugin has registered {resource} at the kubelet on {node}: it doesn’t run, or has not come back ' +
    'since the node or its kubelet was restarted.',
  imgSign: 'Sign the image with the key that the policy names, and push it, or use a signed image in {owner}',
  ownHelmRollBack: 'If the version before worked, roll release {name} back (without a number: to the revision before)',
  ownSetPod:
    'If you changed {owner}: it doesn’t replace a pod that was never ready; delete the pod, so that it is made from ' +
    'the new template',
  ownCronRun: 'If you changed {owner}: the Job that exists keeps the old template; delete it',
  ownAvailable: 'Meanwhile {available} of the {wanted} pods that {owner} wants are available.',
  ownNoneAvailable: 'None of the {wanted} pods that {owner} wants is available meanwhile.',
  ownCronNow: 'Run {owner} at once, instead of at its next time',
  ownCronDeleted:
    'Only if you deleted that Job: run {owner} at once, instead of at its next time; else its pod continues by itself',
  objectCreateKeys: 'Create {kind} {name} in {namespace} with what the pod refers to: {keys}',
  resizeNewPod: 'Set the new size in {owner} instead: its new pods start with it',
  refusePods:
    'Node {node} already runs {used} pods, and its kubelet accepts at most {capacity} (maxPods). So the kubelet ' +
    'refused it.',
  refusePodsMove: 'Remove or move pods of {node} until one place is free: these run there',
  refusePodsMax: 'Or raise maxPods of the kubelet on {node}, if the node and its range of addresses allow more',
  refuseBoundFix:
    'Lower the {resource} request to at most {free}, which is free on {node}, in {owner}; or move other pods ' +
    'away from {node}',
  probeCpuLimit: 'Its CPU limit is {cpu}: a program that needs more is throttled, and answers late.',
  probeCpuFix: 'Raise the CPU limit of {container} from {cpu} to {raised} in {owner}',
  probeKillLaterAfter:
    'After the next {threshold} failures in a row, {container} is killed (it has up to {grace} s to stop) and ' +
    'restarted; the last instance ran {ran}.',
  runPortFixPlace: 'Give {container} another port in {owner}: {place} sets {port}',
  runPortFixOther: 'Let {container} listen on another port than {port}, which {other} uses, in {owner}',
  runGrantTitle: 'The database denies {container} a right',
  runGrant: 'The database user that the program logs in with lacks a right there: “{what}”.',
  runGrantUser: 'The user is {user} ({place}).',
  runGrantFix:
    'Grant the user {user} that right in the database (GRANT … ON {object}), or log in as a user who has it: ' +
    '{place} in {owner}',
  runGrantFixAny:
    'Grant its user that right in the database (GRANT … ON {object}), or log in as another user who has it, in {owner}',
  runRbacBind: 'Bind the role to the service account',
  schedSpreadRoom:
    'The topology spread constraint on {key} (maxSkew {skew}, DoNotSchedule) leaves only the {nodes} nodes ' +
    'where few of its pods run, and those don’t have {amount} of {resource} unrequested; on the other {others} ' +
    'nodes the pod would make the domains too uneven.',
  schedSpreadRoomOne:
    'The topology spread constraint on {key} (maxSkew {skew}, DoNotSchedule) leaves only one node, where few of ' +
    'its pods run, and that doesn’t have {amount} of {resource} unrequested; elsewhere ({others}) the pod would ' +
    'make the domains too uneven.',
  schedSpreadRoomAdd:
    'Add a node with {amount} of free {resource}, or make room, in the {key} that has the fewest of its pods; ' +
    'see which nodes are in which',
  schedSpreadRelax: 'Or allow other nodes: whenUnsatisfiable: ScheduleAnyway or a higher maxSkew in {owner}',
  schedShortOne: 'One node has too little unrequested {resource}.',
  schedTooManyOne: 'One node already runs as many pods as it may.',
  schedVolumeZoneOne:
    'The volume of claim {claims} can be used only on certain nodes, usually those of one zone (node affinity ' +
    'of the volume); one other node is excluded by that.',
  schedVolumeCountOne: 'One node has as many volumes attached as it can ({claims} would be one more).',
  schedAntiOne: 'Required pod anti-affinity keeps it apart from pods that already run in the {key} of one node.',
  schedAntiOtherOne: 'Pods that run on one node have an anti-affinity (by {key}) against this pod.',
  schedAntiOwnOne:
    '{owner} allows only one of its pods per {key} (required anti-affinity), and one node has one already.',
  schedAntiPodsOne:
    'Required pod anti-affinity keeps it apart from pods with {selector}; the {key} of one node has such a pod.',
  schedAffinityOne: 'Required pod affinity asks for a node (by {key}) that runs certain other pods; one node doesn’t.',
  schedAffinityPodsOne:
    'Required pod affinity asks for a node (by {key}) that runs a pod with {selector}; one node doesn’t.',
  schedSpreadOne:
    'The topology spread constraint on {key} (maxSkew {skew}, DoNotSchedule) can’t be kept: on one node the pod ' +
    'would make the domains too uneven.',
  schedSpreadLabelOne: 'One node lacks the label {key} that the topology spread constraint needs.',
  schedPortsOne: 'Its host port {ports} is already in use on one node: each node has a host port only once.',
  schedTaintSelectedOne:
    'One node has the taint {taint}, which the pod doesn’t tolerate; it may be the one that its nodeSelector or ' +
    'node affinity asks for.',
  schedInsufficientZoneOne:
    'The containers request {amount} of {resource}, and one node doesn’t have that much unrequested. A ' +
    'suitable node that can use the volume of claim {claims} can only be this one, because the scheduler checks ' +
    'volumes after {resource}.',
  schedInsufficientLabelsOne:
    'The containers request {amount} of {resource}, and the only node with the labels {wanted} doesn’t have ' +
    'that much unrequested.',
  schedNoDeviceOne: 'One other node has no free {resource}; nodes with such a device are usually those with the taint.',
  claimCapacityOne:
    'Claim {claims} needs more than the storage driver has free on one node (its storage capacity is used up).',
  exitTimesOne: 'It has been restarted once; the last instance ran {ran}.',
  killOne: 'The kubelet on node {node} asked the runtime to kill {names}, and it failed.',
  failedJobAnew:
    '{owner} makes another pod, which needn’t end the same way; this one counts towards backoffLimit, unless ' +
    'podFailurePolicy ignores DisruptionTarget.',
  evictReplaced: 'Nothing to fix in the pod: see that its replacement of {owner} runs',
  attachDeniedFix:
    'Give the storage driver’s controller the right to attach volumes (the cloud role of its service account); ' +
    'see which role it has',
  startOntoDirectory:
    '{container} mounts the file {subPath} of {kind} {name} (volume {volume}) onto {path}, which is a directory ' +
    'in the image: a file can’t be mounted onto a directory.',
  startOntoDirectoryFix: 'Set mountPath: {target} in {owner}',
  gitHostTitle: '{container} doesn’t know the SSH host key of its Git server',
  gitHost: 'git or SSH ends, because known_hosts has no matching key of the server: “{what}”.',
  gitScan: 'Get the host key of {host}, and compare it with what its operator publishes',
  gitHostSecret: 'Put it as known_hosts into Secret {secret}, which {container} mounts; then restart the pods',
  gitHostFix: 'Mount a Secret or ConfigMap with known_hosts of the server in {owner}',
  gitKeyTitle: 'The Git or SSH server refuses the key of {container}',
  gitKey: 'The server accepts none of the keys that the program offers: “{what}”.',
  gitKeySecret: 'Put the private key of an allowed deploy key into Secret {secret}; then restart the pods',
  gitKeyFix: 'Mount a Secret with an allowed private key in {owner}',
  gitLoginTitle: 'The Git server refuses the credentials of {container}',
  gitLogin: 'The Git server wants a user and a valid password or token: “{what}”.',
  gitLoginSecret: 'Put a valid token into Secret {secret}; then restart the pods',
  gitLoginFix: 'Give the program a user and a token from a Secret in {owner}',
  probeWarming: 'The program runs and reports that it isn’t ready yet: “{said}”. It still starts or recovers its data.',
  probeWarmingLog: 'See in its log how far the start or recovery is',
  probeWarmingWait: 'Let it finish: a restart begins from the start again',
  probeWarmingOutlook: 'It becomes ready by itself once that is finished.',
  probeErrorOutlook:
    'The probe gives no result, so {container} is neither restarted nor marked unready for it: it runs on ' +
    'unchecked until the probe is corrected.',
  injected: '{container} isn’t in the template of {owner}: the injector of {by} adds it to each new pod.',
  injectedFix:
    'Correct {container} where {by} configures its injector (or with its annotations on the template of ' +
    '{owner}), not in the containers of {owner}',
  injectedRestart: 'Then make new pods, which get the corrected container',
  probeNamedOther:
    'The {kind} probe asks the port named {named}, which the container doesn’t declare; its port is named ' +
    '{other} ({number}).',
  probeNamedOtherFix: 'Set the port of {field} of {container} to {other} (or name the port {named}) in {owner}',
  sandboxRange: 'The range is {range}.',
  hookRemote: 'It asks {host}: the hook fails whenever that doesn’t answer, or refuses.',
  hookRemoteFix:
    'Let the postStart hook of {container} survive that {host} doesn’t answer (retry, or || true), or do it in ' +
    'the program, in {owner}',
  evictDiskRequest:
    'And request the local storage that {container} needs (it used {used}), so that it gets a node with room, ' +
    'in {owner}',
} as const satisfies Readonly<Record<string, string>>;
