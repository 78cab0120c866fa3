/** Contains the English texts of diagnoses of probes and hooks. */
export const probeMessages = {
  // Probes
  probeTitleLiveness: '{container} is restarted by its liveness probe',
  probeTitleStartup: '{container} doesn’t pass its startup probe',
  probeTitleReadiness: '{container} runs, but its readiness probe fails',
  probeNamed: 'The {kind} probe asks the port named {named}, which the container doesn’t declare.',
  probeNamedFix: 'Declare the port {named} or name another one in {field} of {container} in {owner}',
  probePort: 'The {kind} probe asks port {port}, and nothing listens there; the container declares port {ports}.',
  probePortFix: 'Set the port of {field} of {container} to {port} in {owner}',
  probeListen: 'See on which ports it listens',
  probeTls: 'The {kind} probe speaks HTTP to port {port}, where the program expects HTTPS (TLS).',
  probeTlsFix: 'Set scheme: HTTPS in {field}.httpGet of {container} in {owner}',
  probePlain: 'The {kind} probe speaks HTTPS to port {port}, where the program answers with plain HTTP.',
  probePlainFix: 'Set scheme: HTTP in {field}.httpGet of {container} in {owner}',
  probeExecMissing: 'The {kind} probe runs {program}, which is not in the image.',
  probeExecFix:
    'Use a probe that the image can answer (httpGet, tcpSocket, or a command that exists) in {field} of ' +
    '{container} in {owner}',
  probeHost:
    'The {kind} probe asks a host of its own ({what}). The kubelet probes from the node, so localhost there is ' +
    'the node, not the pod.',
  probeHostFix: 'Remove host from {field} of {container} in {owner}',
  probeEarly:
    'The liveness probe begins {delay} s after the start and gives up after {timeToFailure} at the latest, before ' +
    'the program listens on port {port}: it is too early. The kubelet then kills the container, again and again.',
  probeStartupShort:
    'The startup probe gives the program {timeToFailure} to listen on port {port}, and that is not enough, or it ' +
    'never listens.',
  probeSlowStart:
    'The {kind} probe gives up {timeToFailure} after the start, before the program answers: it is too early or too ' +
    'strict. The kubelet then kills the container.',
  probeStartupFix:
    'Give {container} up to 5 min to start with a startupProbe (failureThreshold × periodSeconds) in {owner}: the ' +
    'liveness probe begins only after that',
  probeStartupLog: 'See how long the start takes, or why it hangs',
  probeRefused:
    'The program ran, and then nothing listened on port {port} any more: it hangs, or its listener has ended.',
  probeListenFix: 'If it listens on another port or only on localhost, correct that in {owner}',
  probePath: 'The {kind} probe asks path {path}, which the program doesn’t have (status 404).',
  probePathFix:
    'Correct the path of {field} of {container} in {owner}, or its port if health endpoints have one of their own',
  probeManagement:
    'The {kind} probe asks {path} on port {port}, which answers with status 404: the program serves it on its ' +
    'management port {other}.',
  probeAuth: 'The {kind} probe asks {path} without credentials, and the program demands them (status {code}).',
  probeAuthFix: 'Use a path that needs no login in {field} of {container} in {owner}',
  probe400:
    'The program rejects the {kind} probe as a bad request (status 400): often the port expects HTTPS, or ' +
    'the program refuses the Host header of the probe, which is the IP address of the pod.',
  probeRedirect: 'The program answers the {kind} probe with a redirect (status {code}) to somewhere that fails.',
  probeSelf:
    'The program itself answers the {kind} probe with status {code}: it says that it is not well, for example ' +
    'because something it depends on is not there.',
  probeSelfReady:
    'The program itself answers the readiness probe ({what}) with status {code}: it says that it is not ready, ' +
    'for example because something it depends on is not there.',
  probeMesh:
    '{container} answers its {kind} probe with status {code}: it never becomes ready. A mesh proxy does so ' +
    'while it can’t reach its control plane or gets no certificate.',
  probeLogs: 'Read in the log of {container} what it waits for',
  meshControl: 'See whether the mesh’s control plane runs and can be reached, and whether its certificates are valid',
  probeSelfFix: 'A liveness probe must not depend on other services: let it check only the process itself in {owner}',
  probeTimeout:
    'The program doesn’t answer the {kind} probe within timeoutSeconds ({timeout} s), {threshold} times in a ' +
    'row: the probe is too strict for its load, or the program hangs or lacks CPU.',
  probeTimeoutOnce:
    'The program doesn’t answer the {kind} probe within timeoutSeconds ({timeout} s), and with failureThreshold 1, ' +
    'one late answer fails the probe: it is too strict for a busy program.',
  probeStrictFix:
    'Raise timeoutSeconds of {field} of {container} from {timeout} to {seconds}, and failureThreshold from ' +
    '{threshold} to {failures}, in {owner}',
  probeTimeoutFix: 'Raise timeoutSeconds of {field} of {container} from {timeout} to {seconds} in {owner}',
  probeTop: 'See whether it runs at its CPU limit',
  probeGrpc: 'The program’s gRPC health service says that it is not serving.',
  probeGrpcNone: 'The program has no gRPC health service, which the {kind} probe asks.',
  probeExecSaid: 'The command of the {kind} probe ({command}) fails: {said}',
  probeExecTry: 'Run the same command',
  probeUnknown:
    'The {kind} probe ({what}) fails {threshold} times in a row; no event that is left says with which answer.',
  probeKillSeen:
    'The {kind} probe ({what}) failed {failures} times in a row. Then the kubelet stopped {container} with ' +
    'StopContainer, to start it again in the same sandbox; the exit code is that of this stop.',
  probeKillUnseen:
    'The kubelet stopped {container} with StopContainer and starts it again in the same sandbox. It does so when ' +
    'the {kind} probe ({what}) fails {threshold} times in a row. No CRI call shows the answers to this probe.',
  probeReadyOutlook:
    '{container} stays not ready and gets no traffic until the probe succeeds; it is not restarted for that.',
  probeReadySet:
    '{container} stays not ready and gets no traffic until the probe succeeds; it is not restarted for that. ' +
    'Until then, the StatefulSet doesn’t create or update its next pod.',
  probeKillAt:
    'If the {kind} probe keeps failing, {container} is killed at about {time} ({timeToFailure} after its start; it ' +
    'has up to {grace} s to stop) and restarted.',
  probeKillOnce: 'After the next failure, {container} is killed (it has up to {grace} s to stop) and restarted.',
  probeKillOnceAfter:
    'After the next failure, {container} is killed (it has up to {grace} s to stop) and restarted; the last instance ' +
    'ran {ran}.',
  probeKillLater:
    'After the next {threshold} failures in a row, {container} is killed (it has up to {grace} s to stop) and ' +
    'restarted.',
  probeNoBackOff: 'It starts again at once: after 10 min of running it has no back-off.',
  probePace: 'So far that happened every {every} on average ({times} restarts).',
  probeSigkill:
    'Exit code 137 is the kubelet’s SIGKILL, not an OOM kill: the program didn’t end within {grace} s after SIGTERM.',
  probeSigterm: 'Exit code 143 is the kubelet’s SIGTERM, not a crash.',
  probeBackOff: 'Repeated kills lead to a back-off of up to 5 min before each start (CrashLoopBackOff).',
  probeNext: '{container} is started again at about {time}, when its back-off of {wait} is over.',
  probeKillAgain: 'It is then killed again about {timeToFailure} after its start (it has up to {grace} s to stop).',
  // Hooks
  hookTitle: 'The postStart hook of {container} fails',
  hook: 'The postStart hook ({command}) fails.',
  hookCode: 'The postStart hook ({command}) fails with exit code {code}.',
  hookLocal: 'It runs at the same time as the program’s start, so the program may not listen yet.',
  hookKilled: 'The kubelet kills a container whose postStart hook fails; its exit code says nothing about the program.',
  hookFix:
    'Correct the postStart hook of {container} in {owner}: retry until the program listens (such as curl ' +
    '--retry 30 --retry-connrefused), or do it in the program or a Job',
  exitProbably:
    'Exit code {code}, and no event that is left names the sender. The instance ran {ran}, which is about how long ' +
    'its {kind} probe ({timeToFailure} of failures) and the grace period of {grace} s take: most likely that probe ' +
    'keeps failing, and the kubelet kills it.',
  exitProbablyLook: 'Read the events of the pod soon after the next start: Unhealthy names the probe’s answer',
  exitProbablyFix: 'If the program starts slowly, add a startupProbe; else correct {field} of {container} in {owner}',
  runPackageFix:
    'Install {path} when the image is built (requirements.txt, package.json, Gemfile or the system’s packages), push ' +
    'it and set the new image in {owner}',
  crashZero: 'It will finish and be started again in the same way.',
  crashJob:
    'Each restart counts against the backoffLimit of its Job (6 by default): once that is used up, the Job fails ' +
    'and deletes the pod.',
  probeStartupSlow:
    '{container} doesn’t pass its startup probe ({what}) within the {timeToFailure} that it has: the program isn’t ' +
    'up by then. It starts too slowly (too little CPU, a dependency that it waits for), hangs, or listens elsewhere.',
  probeStartupMore:
    'If it only needs longer, raise failureThreshold of startupProbe of {container} from {threshold} to {more} in ' +
    '{owner}',
  runDeniedTitle: '{container} is refused by {host}',
  runDenied:
    '{url} answers with status {code} (permission denied): what {container} identifies itself with is wrong or ' +
    'lacks the right.',
  runDeniedAccount: 'It identifies itself with service account {account} of namespace {namespace}.',
  runDeniedRole:
    'Check on {host} that the role allows service account {account} in namespace {namespace}, and that this ' +
    'account exists',
  runDeniedAccountFix: 'If another account is meant, set serviceAccountName in {owner}',
  oomLog: 'Read in the log of {container} what it was doing',
  runMounted: 'Correct it in {kind} {name}, which is mounted at {path}',
  runMountedRestart: 'Then restart the pods of {owner}, so that they read it',
  runUnreachableTitle: '{container} can’t reach {service} that it depends on',
  runUnreachable:
    'The program can’t reach {service}: the address is wrong, the service is down, or a network policy ' +
    'or firewall blocks the way. “{what}”.',
  runClosedTitle: 'A connection of {container} is closed by the other side',
  runClosed:
    'The other side, or a proxy between, closes the connection: it restarts, refuses this ' +
    'client, or expects TLS or another protocol. “{what}”.',
  runUpstreamTitle: '{container} gets an error from a service that it depends on',
  runUpstream:
    'A service that the program calls is unavailable or has an error of its own, and the program exits: “{what}”.',
  runAddresses: 'Its addresses come from {places}.',
  runAddressSecret: 'Check the address in Secret {secret}: it exists, and has the key that the program reads',
  runServices: 'See whether the service that it names exists and has ready endpoints',
  runAddressFix: 'If the address is wrong, correct it in {owner}',
  runSlotsTitle: 'The database of {container} has no connection left',
  runSlots:
    'The database refuses another connection, because all are in use: the pools of all replicas together are ' +
    'larger than its limit (max_connections), or connections leak.',
  runSlotsFix: 'Lower the pool size or the replicas in {owner}, use a pooler, or raise max_connections of the database',
  runChangelogTitle: '{container} waits for the migration lock of its database',
  runChangelog:
    'The lock of the database migration is held by another instance, or was left behind by one that was killed ' +
    'during its migration.',
  runChangelogPods: 'See whether another instance is migrating; let it finish',
  runChangelogFix:
    'If none is, release the lock with the migration tool (release-locks); migrate in one Job instead of in each ' +
    'pod of {owner}',
  runPanicRust: 'The Rust program panics at {file}: {what}',
  runNoMemoryTitle: '{container} gets no more memory',
  runNoMemory:
    'The program asks for more memory than it gets and exits (this is memory, not disk); its limit is {limit}.',
  runNoMemoryNode:
    'The program asks for more memory than node {node} gives and exits (this is memory, not disk); it has no ' +
    'memory limit.',
  runNoMemoryHeap: 'Its heap setting {heap} must fit into the limit together with threads, buffers and code.',
  runNoMemoryFix: 'Raise the memory limit (now {limit}) in {owner}, or let the program use less',
  runNoMemoryHeapFix:
    'Raise the memory limit (now {limit}) well above the heap, or lower {heap} to at most three quarters of the ' +
    'limit, in {owner}',
  runPhpMemory: 'PHP reached its own memory_limit and stopped the script; the container’s limit was not the reason.',
  runPhpMemoryFix:
    'Raise memory_limit of PHP (php.ini or -d memory_limit) in {owner}, below the container’s memory limit',
  runStartFileTitle: '{container} can’t execute {path}',
  runStartFile:
    '{path} is not in the image, or what it needs to start is missing: the interpreter in its #! line (also ' +
    'because of Windows line ends), or the dynamic loader (a glibc program on Alpine).',
  runStartFileLook: 'See whether the file is there, and its first line',
  runStartFileFix:
    'Build the image with that file, Unix line ends and its interpreter, or correct the command, in {owner}',
  runScriptTitle: '{container} has no script {script}',
  runScript: 'package.json in the image has no script {script}, which the command runs.',
  runScriptFix: 'Run a script that exists, or add {script} to package.json and build the image again, in {owner}',
  runSpaceClaim: 'The program writes to {path}, which is volume {volume} (claim {claim}), and it is full.',
  runSpaceGrow: 'Enlarge the claim, if its storage class allows expansion (allowVolumeExpansion)',
  runSpaceOwner: 'Enlarge the storage in {owner}, whose operator then enlarges claim {claim}',
  runSpaceShow: 'See its size and its storage class',
  runPermissionMode:
    'Set defaultMode: 0444 for that volume (or fsGroup with 0440) in {owner}, so that the user may read it',
  subPathNamed:
    'The subPath {path} that {container} mounts from volume {volume} does not exist there and can’t be created, or ' +
    'leads out of the volume.',
  subPathReadOnly: 'The volume is mounted read-only, so the kubelet can’t create it.',
  failedCustom: '{owner} decides by its own retry settings whether another pod is made.',
  runCommandInit: 'It should be in volume {volume} at {mount}, which an init container fills.',
  runCommandInitFix: 'Let the init container put {program} into volume {volume}, or correct the command in {owner}',
  runCommandMountFix: 'Mount volume {volume} at another path than {mount}, or correct the command in {owner}',
  runDuplicateTitle: '{container} writes a row that already exists',
  runDuplicate:
    'The database refuses a row because its unique key already exists ({what}): another run or an earlier attempt ' +
    'wrote it, and the program can’t repeat that work.',
  runDuplicateFix:
    'Let the program update or skip rows that exist (upsert, ON CONFLICT), or correct the rows of the earlier run; ' +
    'then run it again: change {owner}',
  runLikelyHost: 'The port is that of {host} ({place}), so {address} is probably its address.',
  exitIllCpu: 'See the CPU of {node} and the instructions that it has',
  exitIllFix:
    'Let it run on nodes with a newer CPU (nodeSelector), or use an image that is built for older ones, in {owner}',
  probe400Tls: 'The program rejects the {kind} probe as a bad request (status 400), because the port expects HTTPS.',
  probe400Fix:
    'As the log says, set scheme: HTTPS or a Host header (httpHeaders) in {field}.httpGet of {container} in ' +
    '{owner}',
  probeHostHeader:
    'The program works, but answers the {kind} probe with status {code}, because it doesn’t serve the host ' +
    'that the probe asks for (the IP address of the pod): “{line}”.',
  probeHostHeaderSet: '{place} sets the hosts that it serves.',
  probeHostHeaderFix: 'Let the probes of {container} send a host that the program serves, in {owner}',
  probeHostHeaderAllow:
    'Or let the program accept the pod’s address (a variable with fieldRef status.podIP), in {owner}',
  probeExecSlow:
    'The command of the {kind} probe ({command}) takes longer than its timeoutSeconds ({timeout} s): ' +
    'starting it costs CPU time at each try. That doesn’t show that the program itself is slow.',
} as const satisfies Readonly<Record<string, string>>;
