/** Contains the English texts of diagnoses of containers that run or ran: exits, recognized output, memory. */
export const programMessages = {
  // What happens to a container that crashes
  crashNext: '{container} is started again at about {time}, when its back-off of {wait} is over.',
  crashDue: '{container} has been due to start again since {time}, when its back-off of {wait} was over.',
  crashSoon: '{container} is started again as soon as its back-off is over (5 min at most).',
  crashSame: 'It will fail again the same way.',
  crashAfter: 'It will fail again the same way after about {ran}.',
  crashGrows: 'The back-off doubles with each crash up to 5 min, and starts over after 10 min of running.',
  crashRuns: '{container} runs now and may crash again.',
  crashRunsUntil: '{container} runs now; if it behaves as before (it ran {ran}), it crashes again at about {time}.',
  crashNoBackOff: 'Then it starts again at once: after 10 min of running it has no back-off.',
  crashHeals: 'Once that works, the next start succeeds by itself.',
  failedStays: 'The pod stays {phase}: it is never started again.',
  failedAlone: 'No controller makes a replacement.',
  failedJob: '{owner} makes another pod, with growing delays, until its backoffLimit; that one fails the same way.',
  failedCronJob:
    'Its Job makes another pod until backoffLimit, and {owner} runs again at its next time; both fail the same way.',
  failedReplaced: '{owner} has made a replacement, or makes one.',
  // Exits
  exitTitle: '{container} exits with code {code}',
  exitSaid: 'The program ends by itself. The last thing it said: “{line}”.',
  exitLast: 'The last thing it said: “{line}”.',
  exitCode:
    'The program ends by itself with exit code {code}. The status doesn’t say why; its log does. ' +
    '(terminationMessagePolicy: FallbackToLogsOnError would show it here.)',
  exitTimes: 'It has been restarted {times} times; the last instance ran {ran}.',
  exitOnce: 'It ran {ran}.',
  exitStays: '{container} is not started again; the pod ends when its other containers have ended.',
  exitCode127: 'Exit code 127: a shell didn’t find a command that it should run. The log names it.',
  exitCode126: 'Exit code 126: a command exists, but may not be executed. The log names it.',
  exit126Fix: 'Make the file executable in the image, or correct the command in {owner}',
  exit130: 'Exit code 130: the program was interrupted (SIGINT).',
  exitSignalTitle: '{container} is killed by {signal}',
  exitSegv:
    'The program is killed by {signal} (exit code {code}): a segmentation fault or similar, a crash in native ' +
    'code. It is a bug of the program or of a library, or the image doesn’t fit the CPU. Memory limits are not ' +
    'the reason.',
  exitIll:
    'The program is killed by {signal} (exit code {code}): it uses CPU instructions that this node doesn’t have.',
  exitAbort:
    'The program ends itself by {signal} (exit code {code}): an assertion, an uncaught C++ exception, or a ' +
    'runtime that ran out of its own memory. Its log says which.',
  exitSegvImage: 'Reproduce it with the same image elsewhere',
  exitKillTitle: '{container} was killed (SIGKILL)',
  exitKill:
    'Exit code 137 means SIGKILL. The runtime doesn’t say that it was for memory (OOMKilled), and no event ' +
    'names a probe or a deletion. So the cause can’t be told from this: look for an OOM kill of the node, or ' +
    'for another process that killed it.',
  exitKillNode: 'See whether {node} had memory pressure or an OOM kill at that time',
  exitTermTitle: '{container} was asked to stop (SIGTERM)',
  exitTerm:
    'Exit code 143 means SIGTERM: something asked it to stop (a probe, an update, the node, or the program’s ' +
    'own supervisor). No event that is left names which.',
  exitFix: 'Correct what it complains about in {owner}: configuration, image or what it depends on',
  exitZeroTitle: '{container} finishes and is started again and again',
  exitZero:
    'The program finishes successfully (exit code 0) after {ran}; restartPolicy {policy} starts it again each time.',
  exitZeroOwner: '{owner} is for programs that run until they are stopped, and this one completes.',
  exitZeroPod: 'That is right only for programs that run until they are stopped, and this one completes.',
  exitZeroJob:
    'If it is meant to finish, run it as a Job (or CronJob), with the variables and volumes of this template',
  exitZeroForeground: 'If it is a server, let it stay in the foreground: correct its command in {owner}',
  initHolds: '{container} is an init container: no later container starts before it succeeds.',
  initFailed: '{container} is an init container, and the pod doesn’t restart it: the other containers never start.',
  sidecarHolds: '{container} is a sidecar; containers after it wait until it has started.',
  sidecarBehind: 'Behind {container} waits: {waiting}.',
  startTitle: '{container} can’t be started',
  start: 'The runtime created {container} and can’t start its program {program}: {line}',
  startFix: 'Correct command, workingDir, mounts or security context of {container} in {owner}',
  // Recognized output
  runHostTitle: '{container} can’t resolve the host {host}',
  runHostService:
    'The program can’t resolve the name {host}: there is no Service of that name in namespace ' +
    '{namespace}, it is in another namespace, or the cluster’s DNS doesn’t answer.',
  runHost: 'The program can’t resolve the name {host}: the name is wrong, or the cluster’s DNS doesn’t resolve it.',
  runPlace: 'The name comes from {place}.',
  runHostExists: 'See whether Service {host} exists in namespace {namespace}',
  runHostElsewhere: 'If it is in another namespace, use NAME.NAMESPACE.svc',
  runDns: 'See whether the cluster’s DNS resolves it',
  runHostFix: 'Correct the host name in {owner}, or create the Service',
  runRefusedTitle: '{container} can’t connect to {target}',
  runRefused:
    'The program can’t connect to {target} (connection refused): nothing listens there, or its ' +
    'Service has no ready endpoints.',
  runRefusedLocal:
    'The program connects to {target} in its own pod (connection refused): nothing listens there. localhost is ' +
    'the pod itself, not the node and not another pod.',
  runTimeoutTitle: '{container} gets no answer from {target}',
  runTimeout:
    'The program gets no answer from {target}: nothing runs there, a network policy or firewall drops the packets, ' +
    'or the address is wrong.',
  runMesh: 'It has a service mesh proxy beside it, and may start before the proxy is ready.',
  runMeshFix:
    'Let it wait for the proxy: annotation proxy.istio.io/config with holdApplicationUntilProxyStarts: true in {owner}',
  runWhoHas: 'See whose address {host} is',
  runEndpoints: 'See whether its Service exists in {namespace} and has ready endpoints',
  runPods: 'See whether the pods behind it are ready',
  runPolicies: 'See which network policies apply in the namespace',
  runLocalFix: 'Use the name of the Service instead of {host} in {owner}, or start what should listen there',
  runLoginTitle: '{container} is refused for wrong credentials',
  runLogin: 'The server that {container} logs in to refuses its credentials, and the program exits.',
  runLoginUser:
    'The server that {container} logs in to refuses user {user} (wrong password or access denied), and the ' +
    'program exits.',
  runLoginPassword:
    'The server that {container} logs in to refuses user {user} because of the password, and the program exits.',
  runLoginFrom: 'Its credentials come from Secret {secrets}.',
  runLoginSecret:
    'Correct the password in the Secret, if the server has another one; the next start of {container} reads it again',
  runLoginSecretRestart: 'Correct the password in the Secret, if the server has another one; then restart the pods',
  runLoginCompare:
    'See what key {key} of Secret {secret} ({variable}) contains, and compare it with the password of {user} at the ' +
    'server: one of them may have been changed',
  runLoginCorrect:
    'Correct the one that is wrong: key {key} of the Secret, or the password at the server. The next start of ' +
    '{container} reads the Secret again, so no restart is needed',
  runLoginSecrets: 'See which secrets the namespace has',
  runLoginFix: 'Or correct where {container} gets its credentials in {owner}',
  runEnvTitle: '{container} needs the environment variable {name}',
  runEnv: 'The program needs the environment variable {name}, which is not set, and exits.',
  runEnvBad:
    'The program doesn’t accept the value of the environment variable {name} (empty or not set where it looks), ' +
    'and exits.',
  runEnvFix: 'Set {name} in {owner}, from a Secret if it is confidential',
  runEnvSecret: 'See which secrets and config maps could hold it',
  runFileTitle: '{container} doesn’t find {path}',
  runFile: 'The program doesn’t find the file {path} and exits: it isn’t in the image, or the path is wrong.',
  runModule:
    'Node.js doesn’t find the module or file {path}: it isn’t in the image, a dependency was not installed, or ' +
    'the command is wrong.',
  runPython:
    'Python doesn’t find the module {path}: it isn’t installed in the image, or the working directory is wrong.',
  runClass: 'Java doesn’t find {path}: the jar or class isn’t in the image, or the class path is wrong.',
  runLibrary: 'The program needs the shared library {path}, which isn’t in the image.',
  runFileMount: 'The volume {volume} is mounted at {mount} and hides what the image has there.',
  runFileLook: 'See what the image has there',
  runFileFix: 'Correct the command or the image in {owner}, or build the file into the image',
  runFileMountFix: 'Put the file into the volume {volume}, or correct mountPath (or subPath) in {owner}',
  runRollBack: 'If the version before worked, roll {owner} back',
  runCommandTitle: '{container} has no program {program}',
  runCommand: 'The command {program} is not found in image {image}.',
  runCommandLook: 'See whether the image has it',
  runCommandFix:
    'Use a command that the image has (sh instead of bash, a full path) or an image with {program} installed, ' +
    'in {owner}',
  runExecTitle: '{path} of {container} is not executable',
  runExec:
    'The file {path} is in the image, but it may not be executed: it lacks the executable bit (or is a directory).',
  runExecMap: 'The file {path} comes from {object}; volume {volume} mounts it with mode {mode}, not executable.',
  runExecMode: 'Set defaultMode: 0755 (decimal 493) for volume {volume} in {owner}',
  runExecChmod: 'Make it executable when the image is built (chmod +x)',
  runExecShell: 'Or start it with its interpreter (command: sh, {path}) in {owner}',
  runPermissionTitle: '{container} may not access {path}',
  runPermission: 'The program has no permission for {path}: it runs as a user that may not read or write it.',
  runPermissionUser: 'The program runs as user {user}, which has no permission for {path}.',
  runPermissionMount: 'The path is in volume {volume}.',
  runPermissionGroup:
    'Set fsGroup in the pod’s securityContext (or the volume’s ownership) in {owner}, so that the user may write it',
  runPermissionFix:
    'Let the image give that user the path (chown in the Dockerfile), or mount an emptyDir there, in {owner}',
  runReadOnlyTitle: '{container} can’t write {path}',
  runReadOnly:
    'readOnlyRootFilesystem is set, and the program writes {path}, which is in the read-only root file system.',
  runReadOnlyAny: 'The program writes {path}, which is on a read-only file system.',
  runReadOnlyMount: 'The program writes {path}, which is in the volume {volume}, mounted read-only.',
  runReadOnlyFix: 'Mount an emptyDir at {directory} in {owner}',
  runReadOnlyMountFix: 'Mount {volume} writable in {owner}, or let the program write elsewhere',
  runPortTitle: '{container} can’t listen on port {port}',
  runPortTaken:
    'Port {port} is already in use in the pod: another container, or an earlier process of the same one, ' +
    'listens on it.',
  runPortOther:
    'Port {port} is already in use: container {other} of the same pod listens on it, and all containers of a ' +
    'pod share its ports.',
  runPortHost: 'Port {port} is already in use on the node, whose network the pod uses (hostNetwork).',
  runPortFix: 'Give one of them another port in {owner}',
  runConfigTitle: '{container} doesn’t accept its configuration',
  runConfig: 'The program rejects its configuration or command line and exits: {what}',
  runConfigFix: 'Correct that setting in {owner}, or in the ConfigMap that it comes from',
  runTlsTitle: '{container} doesn’t trust a certificate',
  runTlsFix:
    'Give {container} the CA of that server (a ConfigMap mounted as its trust store) in {owner}, or renew the ' +
    'certificate',
  runRbacTitle: 'ServiceAccount {account} lacks a permission',
  runRbac: 'The API server refuses the program’s request: service account {account} may not {verb} {resource}.',
  runRbacCheck: 'Check the permission',
  runRbacFix: 'Allow exactly that with a role',
  runDatabaseTitle: 'The database of {container} is not set up',
  runDatabase:
    'The program reaches its database, but not what it needs there: {what}. Migrations have not run, or the ' +
    'name is wrong.',
  runDatabaseFix: 'Create it, or run the migrations, in the database; else correct its name in {owner}',
  runFilesTitle: '{container} reaches a limit of open files or watches',
  runFiles: 'The program reaches a limit of the node on open files or inotify watches.',
  runFilesFix: 'Raise fs.inotify.max_user_watches and max_user_instances on the nodes, or open fewer files ({owner})',
  runMapsTitle: 'vm.max_map_count of the node is too low for {container}',
  runMaps: 'The program needs vm.max_map_count of at least 262144 on node {node}.',
  runMapsNode: 'Raise it on the node',
  runMapsFix: 'Or let a privileged init container do that in {owner}',
  runLockTitle: '{container} finds its data locked',
  runLock: 'Another instance, or a lock file left behind, holds the program’s data.',
  runLockFix: 'See that only one instance runs (strategy Recreate in {owner}), then remove a lock left behind',
  runLeaderTitle: '{container} lost the leader election',
  runLeader:
    'The program couldn’t renew its lease in time and exits on purpose: the API server, or the database behind it, ' +
    'answered too late or not at all. The program itself is not at fault.',
  runLeaderThrottled: 'Its CPU limit of {limit} can have the same effect: a throttled program renews too late.',
  runLeaderApi: 'See whether the API server and its database answer',
  runLeaderDisk: 'See how long requests to the database take: a slow disk under etcd is the usual cause',
  runLeaderNodes: 'See whether the machines of the control plane lack CPU or memory',
  runLeaderFix: 'Or give {container} more CPU in {owner}, if it was throttled',
  runSpaceTitle: '{container} has no space left',
  runSpace: 'The program writes to a full disk or volume.',
  runSpaceFix:
    'See which mount is full (df -h in the container), then enlarge the volume or clean up; change sizes in {owner}',
  runLowPortTitle: '{container} may not listen on port {what}',
  runLowPort: 'The program doesn’t run as root and may not bind port {what}, which is below 1024.',
  runLowPortFix: 'Let it listen on a port of 1024 or above in {owner}; the Service can keep its port',
  runCrlfTitle: 'A script of {container} has Windows line ends',
  runCrlf: 'The script’s first line ends with a carriage return, so its interpreter is not found.',
  runCrlfFix: 'Convert the script to Unix line ends and build the image again; then set it in {owner}',
  runLibcTitle: '{container}’s program doesn’t fit the image’s C library',
  runLibc: 'The program was built for another C library (glibc version or musl) than the image has.',
  runLibcFix: 'Build it on the same base image, or link it statically; then set the image in {owner}',
  runThreadTitle: '{container} can’t create threads',
  runThread:
    'The program can’t create another thread or process: the pod’s or node’s limit of processes (pids) is reached.',
  runThreadFix: 'Use fewer threads in {owner}, or raise podPidsLimit of the kubelet',
  runIptablesTitle: '{container} may not change iptables',
  runIptables:
    '{container} sets up the mesh’s traffic rules and has no permission for iptables: it needs root and the ' +
    'capabilities NET_ADMIN and NET_RAW, which its security context (or Pod Security) drops.',
  runIptablesCni: 'See whether the mesh’s CNI plugin is installed, which makes this container needless',
  runIptablesFix: 'Else allow NET_ADMIN and NET_RAW for {container} in {owner} or in the mesh’s injection settings',
  runHeapJavaTitle: 'The Java heap of {container} is full',
  runHeapJava:
    'The JVM ran out of its own memory: {what}. The heap setting (-Xmx, MaxRAMPercentage) is too small for the ' +
    'work, or memory leaks.',
  runHeapNodeTitle: 'The JavaScript heap of {container} is full',
  runHeapNode: 'Node.js ran out of its own heap: --max-old-space-size is too small for the work, or memory leaks.',
  runHeapTitle: '{container} ran out of memory of its own',
  runHeap: 'The program itself says that it got no more memory.',
  runHeapNotKernel: 'It is not an OOM kill by the kernel: the container’s limit ({limit}) was not the reason.',
  runHeapJavaFix:
    'Raise -Xmx or -XX:MaxRAMPercentage in {owner} and keep the heap at most three quarters of the memory ' +
    'limit; look for a leak',
  runHeapNodeFix:
    'Set NODE_OPTIONS=--max-old-space-size in {owner}, to at most three quarters of the memory limit; look for a leak',
  runHeapFix: 'Give the program more memory in its settings and limits in {owner}, or let it work in smaller pieces',
  runPanicTitle: '{container} crashes with a panic',
  runPanic: 'The Go program crashes: {what}. That is a bug, or a setting that it doesn’t handle.',
  runPanicAt: 'The Go program crashes: {what}, in {fn} ({file}). That is a bug, or a setting that it doesn’t handle.',
  runPanicFix: 'Else fix the program or the setting that it trips over, in {owner}',
  // Memory
  oomLimitTitle: '{container} is killed at its memory limit of {limit}',
  oomAfter: '{container} reached its memory limit of {limit} after {ran}, and the kernel killed it (OOMKilled).',
  oomAtOnce: '{container} reaches its memory limit of {limit} right at its start, and the kernel kills it (OOMKilled).',
  oomPodLimit:
    'The containers of the pod together reached the pod’s memory limit of {limit}, and the kernel killed ' +
    '{container} (OOMKilled).',
  oomUnit: 'A limit of {limit} is hardly meant: Kubernetes writes mebibytes as Mi and gibibytes as Gi.',
  oomHeap:
    'Its heap may grow to {setting}, which leaves too little of {limit} for everything else the process needs ' +
    '(stacks, metaspace, buffers).',
  oomWhy:
    'Either it really needs more, or its memory grows without bound (a leak, a cache, a heap setting that ' +
    'ignores the limit).',
  oomNodeTitle: '{container} was killed, because node {node} ran out of memory',
  oomUnlimited:
    '{container} has no memory limit of its own; the kernel killed it when node {node} ran out of memory (OOMKilled).',
  oomWhyStart: 'It reaches the limit while it starts, so the limit is too low for what it loads at its start.',
  oomWhyGrows:
    'A program that works for {ran} before it reaches the limit has memory that grows: most likely a leak, or a ' +
    'cache or queue without a bound. A larger limit only delays the next kill.',
  oomWhyWork: 'The work of one run needs more memory than that, or the program keeps what it has finished.',
  oomRaiseWork:
    'Raise the memory limit of {container} from {limit} to {raised}, or let it work in smaller pieces, in {owner}',
  oomTop: 'See how much memory it uses while it runs',
  oomTopDecides:
    'Compare its use over a few minutes while it runs: use that levels off near {limit} means that it needs more, ' +
    'and use that climbs steadily is a leak',
  oomTopGrows:
    'Watch its memory while it runs: a steady climb confirms the leak. Take a heap profile of {container} before it ' +
    'reaches {limit}',
  oomGrowthFix: 'Correct the leak, or give its cache a bound, and set the new image or the setting in {owner}',
  oomRaiseFirst: 'Raise the memory limit of {container} from {limit} to {raised} in {owner}',
  oomRaisePeak:
    'If it needs more, raise the memory limit of {container} from {limit} to {raised} in {owner} (against a leak, ' +
    'that only delays the next kill)',
  oomRaiseLast:
    'Until the leak is corrected, a memory limit of {raised} instead of {limit} for {container} in {owner} delays ' +
    'the next kill',
  oomTopNode: 'See how full node {node} is',
  oomHeapFix: 'Lower the heap from {setting} to {lowered}, three quarters of the limit of {limit}, in {owner}',
  oomRaise: 'Or raise the memory limit of {container} from {limit} to {raised} in {owner}',
  oomFixUnit: 'Correct the unit of the limit in {owner}; 256Mi is only an example',
  oomSet: 'Set request and limit to what it really uses in {owner}',
  childOomTitle: 'A process in {container} was killed, probably for memory',
  childOomNamed:
    'A child process ({program}) was killed by SIGKILL, and {container} then ended with exit code {code}. The ' +
    'runtime doesn’t mark the container OOMKilled, because its main process was not the victim.',
  childOom:
    'A child process was killed by SIGKILL, and {container} then ended with exit code {code}. The runtime ' +
    'doesn’t mark the container OOMKilled, because its main process was not the victim.',
  childOomLimit: 'Most likely the container reached its memory limit of {limit}.',
  childOomNode: 'It has no memory limit, so most likely node {node} ran out of memory.',
  childOomRaise:
    'Raise the memory limit of {container} from {limit} to {raised} in {owner}, or let it do less in parallel',
  childOomLog: 'Read what was running when it was killed',
  runPermissionIgnored:
    'fsGroup {group} is set already, so the volume doesn’t apply it (NFS, SMB and hostPath don’t), or its ' +
    'files have a stricter mode.',
  runPermissionOwner:
    'Give the directory to the user on the server of the volume (chown), or with an init container that runs ' +
    'as root in {owner}, or use a storage class whose driver applies fsGroup',
} as const satisfies Readonly<Record<string, string>>;
