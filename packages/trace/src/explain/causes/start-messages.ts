/**
 * Contains the English texts of diagnoses of containers that can't be created or started, and of problems that keep a
 * pod from starting.
 */
export const startMessages = {
  startMemoryTitle: '{container} can’t start within its memory limit of {limit}',
  startMemory:
    'The memory limit of {limit} is too small even to start the container: the kernel killed its first process for ' +
    'lack of memory (OOM) before the program ran.',
  startMemoryFix: 'Raise the memory limit well above {limit} (its unit may be wrong) in {owner}',
  startKindTitle: '{container} mounts a directory onto a file, or a file onto a directory',
  startKind:
    'Volume {volume} is mounted at {path}, and one of the two is a directory, the other a file. A volume of a ' +
    'ConfigMap or Secret is a directory.',
  startKindFix: 'Mount only the file with subPath: {file}, or mount the volume at a directory, in {owner}',
  startPointTitle: 'Nothing can be mounted at {path} in {container}',
  startPoint:
    'The runtime can’t create the mount point {path}: it lies in a read-only volume or file system, or its parent ' +
    'is a file.',
  startPointFix: 'Mount it elsewhere, or make the volume around it writable, in {owner}',
  startDeviceTitle: '{container} can’t get its devices on {node}',
  startDevice:
    'The runtime can’t set up a device that the container asks for: the driver, the device plugin or the CDI ' +
    'files on {node} are missing or broken. It says: {what}',
  startDevicePods: 'See whether the driver and the device plugin run on {node}',
  startDeviceFiles: 'See which devices {node} describes',
  startCgroupTitle: '{node} can’t set up the control group of {container}',
  startCgroup:
    'The runtime can’t apply the container’s control group (cgroup): version, driver or controllers of {node} ' +
    'don’t fit, or the node has too many. It says: {what}',
  startUserTitle: 'Image {image} has no user {what}',
  startUser: '{container} is to run as {what}, and the image’s /etc/passwd or /etc/group doesn’t name it.',
  startUserFix: 'Set runAsUser (and runAsGroup) to a number in {owner}, or correct USER in the image',
  startDirectoryTitle: '{container} can’t use its working directory {path}',
  startDirectory:
    'The program must start in {path}, but its user may not enter that directory, or the path isn’t a directory.',
  startDirectoryFix: 'Correct workingDir, or runAsUser and the rights of the directory, in {owner}',
  startIdmapTitle: 'A volume of {container} doesn’t support user namespaces',
  startIdmap:
    'hostUsers is false, so volumes are mounted with mapped user ids (idmap), and a file system on {node} can’t do ' +
    'that. It says: {what}',
  startIdmapFix: 'Use another volume type, or remove hostUsers: false, in {owner}',
  startPortTitle: 'A host port of {container} is taken on {node}',
  startPort: 'Another container or process on {node} uses the host port {port} of {container}.',
  startPortLook: 'See what listens on {node}',
  startPortFix: 'Use another hostPort, or none and a Service, in {owner}',
  startDeniedTitle: '{container} asks for a privilege that {node} doesn’t grant',
  startDenied: 'The runtime may not apply the security context of {container}. It says: {what}',
  startDeniedFix: 'Correct securityContext of {container} in {owner}',
  runVersionTitle: 'The version of {container} doesn’t fit its data or its platform',
  runVersionData:
    'Version {version} made the data, which the program in {image} can’t read; it leaves the data as it is.',
  runVersionMigrate:
    'Once version {version} runs, dump its data, and restore the dump into an empty volume of the newer version',
  runVersion: 'Two versions are incompatible: “{what}”.',
  runVersionFix: 'Use an image of the version that fits (mostly the previous one), or migrate first, in {owner}',
  meshRulesTitle: '{container} finds no traffic redirection in the pod’s network',
  meshRules:
    'The iptables rules of the service mesh are missing: its CNI plugin was not set up on {node} when the sandbox ' +
    'was created. Restarts of the container don’t change that; a new pod gets them.',
  meshRulesCni: 'See whether the mesh’s CNI plugin runs on {node}',
  meshRulesNew: 'Once it runs, replace the pod',
  imgFormatTitle: 'The format of {image} isn’t supported on {node}',
  imgFormat:
    'The manifest or a layer of {image} has a media type (format) that the container runtime on {node} doesn’t ' +
    'support: {what}',
  imgFormatFix: 'Build and push the image again with a current tool, or convert it',
  imgProxyTitle: 'The proxy {proxy} of {node} fails',
  imgProxy: 'The container runtime on {node} pulls through the HTTP proxy {proxy}, and the connection to it fails.',
  imgProxyShow: 'See the proxy settings (HTTPS_PROXY, NO_PROXY) of the runtime on {node}',
  imgProxyTry: 'Try the proxy from {node}',
  imgDamagedTitle: 'The data of {image} arrives damaged',
  imgDamaged:
    'A layer arrives incomplete or with another digest ({what}): the connection, a proxy or the registry’s storage ' +
    'cuts or changes it.',
  imgUnpackTitle: 'Node {node} can’t unpack {image}',
  imgUnpack: 'The layers are pulled and can’t be unpacked on {node}. The runtime says: {what}',
  imgSaid: 'The pull of {image} fails. The runtime says: {what}',
  cacheTitle: 'The kubelet on {node} couldn’t read {objects} in time',
  cache:
    'The kubelet’s cache of {objects} was not synchronized with the API server in time: the API server or the ' +
    'connection to it is slow, or {node} is overloaded. The objects themselves may well exist.',
  cacheOutlook: 'The kubelet tries again at every sync; usually that succeeds within a minute or two.',
  cacheServer: 'See whether the API server is well',
  sharedTitle: 'The mount {path} on {node} isn’t shared',
  shared: 'mountPropagation of {container} needs {path} to be a shared mount on {node}, and there it is private.',
  sharedShow: 'See the propagation of the mount on {node}',
  sharedMake: 'Make it shared (and set MountFlags=shared for the runtime’s service)',
  sharedFix: 'If nothing needs it, remove mountPropagation in {owner}',
  nominatedTitle: 'The pod waits for its place on {nominated}',
  nominated:
    'The scheduler preempts pods of lower priority on node {nominated} and has nominated it for this pod, which ' +
    'waits until these victims have ended.',
  nominatedOutlook: 'It is scheduled, normally on {nominated}, as soon as the victims are gone.',
  nominatedLook: 'See what still ends on {nominated}',
  schedRwop: 'Claim {claims} is ReadWriteOncePod: one pod only may use it, and another pod does.',
  schedUntilRwop:
    'It is scheduled once the other pod is gone. In a rolling update that may be never, as the old pod stays until ' +
    'the new one is ready.',
  schedRwopWho: 'See which pod uses it (Used By)',
  schedRwopFix: 'Let the old pod end before the new one starts: strategy Recreate in {owner}',
  schedSilentFix: 'If {scheduler} isn’t installed, set schedulerName default-scheduler in {owner}',
  unmountOutlook: 'The pod stays Terminating until the volume is unmounted; the kubelet retries with back-off.',
  unmountWho: 'See which processes on {node} use the mount, and end them',
  draTitle: 'The devices of the pod can’t be prepared on {node}',
  dra: 'The DRA driver{driver} on {node} doesn’t prepare the pod’s ResourceClaims: {message}',
  draLook: 'See the claims and their allocation',
  draDriver: 'See whether the DRA driver runs on {node} and is registered',
  startingSaidTitle: 'The pod doesn’t start: {reason}',
  startingSaid: 'The newest warning says: {message}',
  startingRetries: 'The kubelet tries again at every sync; the pod starts once that is put right.',
  mountSaid: 'The storage driver says: “{said}”',
  volumeObjectLook: 'See which objects of that kind {namespace} has',
  volumeKeys: 'See which keys {kind} {name} of volume {volume} has',
  runForeignTitle: 'The data of {container} belongs to something else',
  runForeign: 'The volume has the data of another cluster or instance, or the configured id is wrong: “{what}”.',
  runForeignFix: 'Configure the id that the data has, or give {container} the right volume, in {owner}',
  runMigrationTitle: 'The database migration of {container} doesn’t fit the database',
  runMigration: 'The program’s migrations and the history in the database differ: “{what}”.',
  runMigrationMap:
    'Restore the migrations in ConfigMap {name} as they were applied, and put the change into a new migration',
  runMigrationRepair:
    'Or, if the change is harmless, repair the history with the migration tool (flyway repair), run in {owner}',
  runMigrationFix: 'Revert the changed migration (or repair the history with the migration tool), in {owner}',
  schemaTitle: 'The database already has what the migration of {container} creates',
  schema:
    'Migration {migration} creates {object}, which the database has already: its schema and its list of applied ' +
    'migrations disagree.',
  schemaUnnamed:
    'A migration creates {object}, which the database has already: its schema and its list of applied migrations ' +
    'disagree.',
  schemaLook:
    'Find out where {object} comes from (a run that was cut off, another branch, a change by hand), and drop nothing ' +
    'before that; the log shows what this run did',
  schemaSkip:
    'If {object} is as it should be, let the migration skip what exists (such as if_not_exists: true or IF NOT ' +
    'EXISTS), and use the new image in {owner}',
  schemaRecord: 'Or record the migration as applied, with the database settings of {container}',
  runDataDirTitle: 'The data directory of {container} isn’t empty',
  runDataDir:
    'The program wants to initialize its data directory and finds files there: a new volume’s lost+found, or an ' +
    'earlier start that was interrupted. “{what}”.',
  runDataDirFix:
    'Look at the directory first; mount the volume {volume} with a subPath in {owner} if only lost+found is there',
  runLockedTitle: '{container} finds its data locked',
  runLocked: 'Another instance that uses the same volume holds the lock, or an old lock was left behind: “{what}”.',
  runLockedHeld: 'Another running process holds the lock of the data: “{what}”. The lock ends with that process.',
  runLockedRolling:
    'In a rolling update the pod of the previous revision runs until this one is ready, and this one waits for its ' +
    'lock: neither continues.',
  runLockedRecreate: 'Set strategy type Recreate in {owner}: then the old pod ends before the new one starts',
  runLockedOwn: 'Let only one instance use the data, or give each its own volume, in {owner}',
  runLockedClaim: 'See which pods use claim {claim}',
  runLockedPods: 'See which other pod uses the same data',
  runLockedOld: 'Now: delete the old pod that holds the lock; its data stays',
  runLockedFix: 'See that only one instance runs (strategy Recreate in {owner}), then remove a lock left behind',
  runCrdTitle: 'The cluster doesn’t have the kind {kind}',
  runCrd: '{container} needs the kind {kind} ({version}), and its CRD is not installed in the cluster.',
  runCrdLook: 'See which CRDs of that group are installed',
  runCrdInstall: 'Install the missing CRDs, with the product that they belong to',
  runCloudTitle: 'The cloud denies {container} the action {action}',
  runCloud:
    'The identity of the pod may not do {action}: the role of service account {account} (or of the node, if it has ' +
    'none) lacks the policy.',
  runCloudAccount: 'See which cloud role the service account is annotated with',
  runCloudGoogle:
    'Grant {role}, which contains it, to the Google service account of {account} (annotation ' +
    'iam.gke.io/gcp-service-account)',
  runCloudFix: 'Grant the role {action}, or set serviceAccountName to an account with such a role in {owner}',
  runDnsDownTitle: '{container} gets no answer from the DNS server {server}',
  runDnsDown:
    'The query for {host} is not answered in time: the cluster’s DNS is down, or a NetworkPolicy or the network of ' +
    '{node} blocks the way to it. The name itself may be right.',
  runDnsPods: 'See whether the DNS pods run',
  runDnsPolicies: 'See whether a NetworkPolicy blocks egress to port 53',
  runDnsNode: 'See whether the network pods of {node} run',
  clockTitle: 'The clock of {node} is wrong',
  clock: 'On {node} it is {now}, before the certificate of the server becomes valid.',
  clockFix: 'Correct the time of {node} (chrony or another NTP client)',
  runSettingTitle: '{container} lacks the setting {name}',
  runSetting: 'The program needs the setting {name} and doesn’t find it: an environment variable or a key is not set.',
  runSettingFix: 'Set {name} (an environment variable, from a Secret if it is secret) in {owner}',
  runMemlockTitle: '{container} may not lock memory',
  runMemlock: 'The program asks to lock its memory (mlock), which the limits of its container don’t allow.',
  runMemlockFix:
    'Switch memory locking off in the program’s configuration (memory_lock), or grant IPC_LOCK, in {owner}',
  attachInUse:
    'The volume {volume} of claim {claim} is still attached to another machine, which has to let it go first.',
  hookStopTitle: 'The preStop hook of {container} failed',
  hookStop: 'The container is stopped all the same; only what the hook should have done first is not done.',
  imgOtherTitle: '{node} can’t reach {host}, to which registry {registry} refers',
  imgOther:
    'Registry {registry} refers to {host} for this part of the pull (tokens or layers), and the connection ' +
    'from node {node} to {host} fails ({what}): usually a firewall or proxy that allows only the registry ' +
    'itself.',
  imgOtherTry: 'Try the connection from {node}; allow it in the firewall or proxy of the node',
  imgOtherFix: 'Or use a copy of the image in a registry that the node reaches, in {owner}',
  imgOtherRefusesTitle: '{host} refuses the layers of the image',
  imgOtherRefuses:
    'Registry {registry} accepts the pull and redirects to {host} for the layers, which answers with 403: a ' +
    'policy of the storage or of the network (VPC endpoint, proxy) refuses them, or the signed address has ' +
    'expired (wrong clock). The credentials of the registry are right.',
  imgOtherClock: 'See whether the clock of {node} is right',
  hookRunsTitle: '{container} has started, and its postStart hook hasn’t ended',
  hookRuns:
    'The container was started at {time}. The kubelet still waits for its postStart hook ({command}), ' +
    'without a time limit; until the hook ends, the status of the pod stays as it was before the start.',
  hookRunsFor: 'The hook asks {host}, which probably doesn’t answer.',
  hookRunsOutlook:
    'The pod stays like this until the hook ends; then {container} is reported as running. If the hook ' +
    'fails, {container} is killed and restarted.',
  hookRunsProcess: 'See what the hook still does',
  hookRunsFix: 'Let the hook end by itself (timeout 30 …), or wait in an init container instead, in {owner}',
  claimDeletedOutlook:
    'The pod stays Pending until the old claim is gone and a new {claim} exists; then it is scheduled.',
  claimDeletedBy:
    'See what keeps claim {claim} (Used By: a pod that still runs; Finalizers). Its deletion can’t be ' +
    'undone: if its data matters, set persistentVolumeReclaimPolicy: Retain on its volume first',
  claimOther: 'Or use another claim, in {owner}',
  mountBusyBegun:
    'The first operation got no answer in time, and each retry finds it still running: the storage behind ' +
    'the driver doesn’t answer node {node}, or the driver hangs.',
  mountBusyCeph: 'For Ceph: the monitors or OSDs aren’t reachable from the node, or the cluster isn’t healthy.',
  mountBusyLog:
    'Find the storage driver’s pod on {node}, and read its log (all containers); it says what it waits for. ' +
    'A restart of that pod ends a stuck operation',
  mountBusyHealth: 'See whether the Ceph cluster is healthy',
  mountBusyKernel: 'See whether the kernel of {node} reports the storage as lost (libceph, rbd, iscsi, nfs)',
  imgArtifactTitle: '{image} is not a container image',
  imgArtifact:
    'The registry has {image}, but its configuration and layers don’t make up a container’s file system: ' +
    'another artifact is stored there (a chart, a policy, a signature), or the image was built wrongly.',
  imgArtifactChart: 'By its name, it is a Helm chart.',
  imgArtifactLook: 'See what it is (mediaType of config and layers)',
  imgArtifactFix: 'Set the image of the program in {owner}',
} as const satisfies Readonly<Record<string, string>>;
