/**
 * Contains the English texts of explanations. `{name}` is replaced by a value; no other syntax of ICU MessageFormat is
 * used.
 */
import { placementMessages } from './causes/placement-messages.ts';
import { podMessages } from './causes/pod-messages.ts';
import { programMessages } from './causes/program-messages.ts';

export const explainMessages = {
  ...placementMessages,
  ...programMessages,
  ...podMessages,
  // Images
  pullFailedTitle: 'The image of {container} could not be pulled',
  pullWaitsTitle: '{container} waits before its image is pulled again',
  pullFailed: 'The runtime was told to pull {image} and could not.',
  pullRetries:
    'The kubelet tries again by itself: 10 s after the first failure, then twice as long each time, 300 s at most.',
  pullNotFound:
    'The registry answered that there is no such image or tag: the name is misspelt, the tag was never pushed, ' +
    'or the repository is private and hides itself.',
  pullDenied:
    'The registry refused to hand it out: there is no such repository, or it is private and the credentials of ' +
    'the pod’s imagePullSecrets are missing or wrong.',
  pullNoHost: 'The name of the registry could not be resolved: it is misspelt, or the node’s DNS does not know it.',
  pullNoConnection: 'The registry could not be reached: nothing listens there, or a firewall or a proxy is between.',
  pullCertificate: 'The registry’s certificate is not trusted by the runtime.',
  pullLimit: 'The registry has had too many requests from this address and refuses more for a while.',
  pullPlatform: 'The image exists, but not for this node’s architecture.',
  pullSignature: 'The image’s signature was not accepted.',
  pullSpace: 'The node’s disk is full.',
  invalidImageTitle: 'The image name of {container} cannot be read',
  invalidImage:
    '{image} is not a valid reference: a repository is in lower case, and a tag or digest follows it after one ' +
    'colon or @. Nothing is pulled until the spec names another image.',
  neverPullTitle: 'The image of {container} is not on the node, and must not be pulled',
  neverPull:
    'imagePullPolicy is Never and {image} is not present. The kubelet will go on looking, but somebody else has ' +
    'to put the image there.',
  inspectTitle: 'The runtime could not look at the image of {container}',
  inspect:
    'It neither said that {image} is there nor that it is not: the runtime itself, or its storage, is in trouble.',
  // Creating and starting
  configTitle: 'The configuration of {container} cannot be put together',
  config:
    'Before the container is created the kubelet reads what its environment and security context refer to. ' +
    'Something of that is not there or not allowed.',
  configNoSecret: 'It refers to the Secret {name}, which does not exist in namespace {namespace}.',
  configNoConfigMap: 'It refers to the ConfigMap {name}, which does not exist in namespace {namespace}.',
  configNoKey: 'It refers to the key {key}, which {object} does not have.',
  configRoot: 'runAsNonRoot is set, but the image would run as root.',
  configUserName:
    'runAsNonRoot is set, and the image names its user by name, so that the kubelet cannot tell that it is not root.',
  configRetries: 'It is tried again with every sync, so that it starts by itself once this is put right.',
  createTitle: 'The runtime refused to create {container}',
  create: 'The image and the configuration are there, but the runtime did not make a container of them.',
  createNoCommand: 'There is nothing to run: neither the image nor the spec has a command.',
  createConflict: 'A container of that name is still there, left over from an earlier attempt.',
  createMount: 'A path that is to be mounted does not exist, or cannot be mounted there.',
  hookBeforeTitle: 'A hook of the kubelet kept {container} from starting',
  hookBefore: 'Between creating and starting, the kubelet’s own preparation (devices, CPUs, topology) failed.',
  runTitle: '{container} was created and could not be started',
  run:
    'The runtime has the container, but its first process did not come up. The kubelet makes a new one with the ' +
    'next try.',
  runNotFound: 'The command is not in the image: the path is wrong, or the image has no shell.',
  runNotExecutable: 'The command is there, but may not be executed: it lacks the executable bit, or is a directory.',
  runFormat: 'The command is a program for another architecture, or a script without its first line #!.',
  runPort: 'A host port that it asks for is taken.',
  runDirectory: 'Its working directory does not exist in the image.',
  runDevice: 'A device or a mount was refused.',
  // Exits
  crashLoopTitle: '{container} keeps crashing',
  crashLoop:
    'It exited and was restarted {restarts} times. To protect the node, the kubelet now waits before each ' +
    'start: 10 s, then twice as long each time, 300 s at most. The wait is not the problem: why the process ' +
    'exits is.',
  endedTitle: '{container} exited',
  endedRestarts: 'The restart policy is {policy}: it will be started again.',
  endedForGood: 'The restart policy is {policy}: it stays ended.',
  lastExit: 'The last time it ran {seconds} and exited with code {code}: {meaning}.',
  lastExitUntimed: 'The last time it exited with code {code}: {meaning}.',
  oomTitle: '{container} was killed for lack of memory',
  oom: 'The kernel killed it because it wanted more memory than it may have. Its limit is {limit}.',
  oomNoLimit:
    'The kernel killed it because the node, or the pod’s cgroup, had no memory left. It has no limit of its own.',
  oomAdvice:
    'Either the limit is too small for what the program does, or the program takes more and more. Raising the ' +
    'limit helps only the first.',
  exit0: 'success. A program that should go on running has come to its end',
  exit1: 'application error; see its log',
  exit2: 'application error; in shells: wrong use of a command',
  exit125: 'the runtime itself failed',
  exit126: 'the command may not be executed',
  exit127: 'the command was not found',
  exit128: 'a wrong exit status, or the runtime could not start the process',
  exit137: 'killed by SIGKILL: out of memory, or its grace period was over, or somebody killed it',
  exitMemory: 'killed by SIGKILL because memory ran out',
  exit139: 'ended by SIGSEGV: the program touched memory that is not its own',
  exit143: 'ended by SIGTERM: it was asked to stop',
  exitSignal: 'ended by {signal}',
  exitOther: 'application-defined exit code',
  // Hooks and probes
  postStartTitle: 'The postStart hook of {container} failed',
  postStart:
    'The container had started, then its postStart hook failed: the kubelet kills it and starts it again, ' +
    'whatever the container itself is doing.',
  preStopTitle: 'The preStop hook of {container} failed',
  preStop: 'The container is stopped all the same; only what the hook should have done first is not done.',
  livenessTitle: '{container} is restarted by its liveness probe',
  liveness:
    'The process runs, but its liveness probe failed {threshold} times in a row, so the kubelet kills it and ' +
    'starts it again.',
  startupTitle: 'The startup probe of {container} does not succeed',
  startup:
    'Until it does, the container does not count as started, and other probes wait. After {threshold} failures ' +
    'in a row it is killed.',
  readinessTitle: '{container} runs, but is not ready',
  readiness: 'Its readiness probe fails, so that the pod gets no traffic. It is not restarted for that.',
  notReadyYet:
    'Its readiness probe has not succeeded yet, so that the pod gets no traffic. It is not restarted for that.',
  probeTells: 'What the probe asks: {what}.',
  // Init
  initFailedTitle: 'Init container {container} failed',
  initRetries: 'Nothing after it starts before it has succeeded; it is tried again until it does.',
  initForGood: 'The pod never restarts it, so that the whole pod has failed: its other containers will not start.',
  // Sandbox and network
  sandboxTitle: 'The pod’s sandbox could not be created',
  sandbox:
    'The sandbox holds the pod’s network and namespaces; without it no container can be created. The kubelet ' +
    'tries again with the next sync.',
  sandboxImage: 'The image of the sandbox itself (the pause container) cannot be pulled.',
  sandboxNetwork: 'The network plugin could not give the pod an address.',
  sandboxSlow: 'The runtime did not answer in time.',
  sandboxName: 'A sandbox of that name is still there, left over from an earlier attempt.',
  sandboxChangedTitle: 'The sandbox was replaced',
  sandboxChanged:
    'The kubelet found that the sandbox would not do any more, killed what was in it, and made a new one ' +
    '(attempt {attempt}). Kubernetes itself only says SandboxChanged; this is why:',
  sandboxNotReady: 'The runtime showed sandbox {sandbox} as not ready: its pause process was not running any more.',
  sandboxTwo: 'The runtime showed more than one ready sandbox for the pod.',
  sandboxNetworkMode: 'The sandbox was in network namespace {network}, and the spec wants {wanted}.',
  sandboxNoAddress: 'The sandbox had no address.',
  sandboxExit: 'Its pause process ended with exit code {code}: {meaning}.',
  networkTitle: 'The node’s network is not ready',
  network: 'The runtime says that its network plugin is not ready. Until it is, only pods on the host’s network start.',
  mountTitle: 'A volume of the pod could not be set up',
  mount: 'No container starts before all volumes are mounted.',
  // Admission, eviction and deadlines
  admissionTitle: 'The kubelet refused the pod',
  admission:
    'The pod was given to this node, and the kubelet did not admit it ({reason}). That is final: this pod will ' +
    'never run; another has to take its place.',
  admissionResources: 'The node has not enough {resource} left for what the pod requests.',
  admissionAffinity: 'The node’s labels do not match the pod’s nodeSelector or required node affinity.',
  admissionTaint: 'The node has a NoExecute taint that the pod does not tolerate.',
  admissionSysctl: 'It sets a sysctl that is unsafe and not allowed on this node.',
  admissionOs: 'It is made for another operating system.',
  unscheduledTitle: 'No node takes the pod',
  unscheduled:
    'The scheduler found no node that fits, so no kubelet has heard of it yet: nothing of it can run. It is ' +
    'tried again whenever nodes or pods change.',
  evictedTitle: 'The pod was evicted',
  evicted:
    'The node ran short of something, and the kubelet ended this pod to save the others. The pod stays as a record.',
  preemptedTitle: 'The pod made room for a critical one',
  preempted: 'A critical pod needed its resources, so the kubelet ended this one.',
  deadlineTitle: 'The pod’s time was over',
  deadline:
    'It was active for longer than spec.activeDeadlineSeconds ({seconds} s), so the kubelet killed all its ' +
    'containers and failed it.',
  gatedTitle: 'The pod is held by scheduling gates',
  gated: 'Nothing happens until whoever set spec.schedulingGates removes them.',
  // Terminating
  terminatingTitle: 'The pod is being deleted, and does not go',
  terminatingWaitsTitle: 'The pod is being deleted',
  terminating: 'Its grace period of {seconds} s ended {late} ago.',
  terminatingWaits: 'Its containers have been asked to stop and may take {left} more.',
  terminatingFinalizers:
    'All is stopped, but the finalizers {names} keep the object: whoever set them has to remove them.',
  terminatingKill: 'The kubelet could not stop {target}, and tries again.',
  terminatingRunning: '{container} is still running.',
  terminatingHook: 'A preStop hook is still running.',
  heldTitle: 'Paused by the debugger',
  held: 'The pod worker is stopped at {point}. Continue to resume.',
  // States of sandbox and containers
  sandboxNow: 'The sandbox is {state}{address} (attempt {attempt}).',
  sandboxAddress: ' with address {ip}',
  stateCreated: 'created',
  stateRunning: 'running',
  stateExited: 'exited',
  stateUnknown: 'unknown',
  stateRemoved: 'removed',
  containerNever: '{container} has not been created.',
  containerRuns: '{container} runs since {time} (attempt {attempt}).',
  containerCreated: '{container} was created and has not started (attempt {attempt}).',
  containerEnded: '{container} exited at {time}{ran}{code}{reason}{starts}.',
  containerRan: ' after running {length}',
  containerCode: ' with exit code {code}',
  containerStarts: '; it was started {count} times',
  containerFailed: '{container}: {activity} failed at {time}{detail}.',
  containerWaitsStart:
    '{container} waits: after the last failure the kubelet starts it again only after {length}, at {time} ({left}).',
  containerWaitsPull:
    '{container} waits: after the last failure the kubelet pulls its image again only after {length}, at {time} ' +
    '({left}).',
  waitLeft: '{length} left',
  waitOver: 'over: the next sync is due',
  containerShown: '{container} is shown as {reason}{message}.',
  // Commands
  tryPull: 'Pull the same image by hand',
  trySecret: 'See whether the pull secret is there',
  tryImages: 'See which images the node has',
  tryImage: 'Give the container another image',
  tryRuntime: 'See how the runtime is',
  tryObjects: 'See what the namespace has',
  tryCreateSecret: 'Create the Secret',
  tryCreateConfigMap: 'Create the ConfigMap',
  tryKeys: 'See which keys it has',
  tryPrevious: 'Read what it said before it ended',
  tryLogs: 'Read what it says',
  tryDescribe: 'See the pod’s events and state',
  tryEvents: 'See its events, newest last',
  tryEdit: 'Change the spec: a new pod is needed for most of it',
  tryMemory: 'Give it more memory (resize, v1.33 and newer)',
  tryHook: 'Run the hook’s command by hand',
  tryExec: 'Ask the same from inside',
  tryNode: 'See what the node has, and its taints and labels',
  tryFinalizers: 'See who holds it',
  tryForce: 'Give up on a clean end: the record goes, what runs may not',
  tryCni: 'See whether a network is configured on the node',
  tryReplace: 'Delete it, so that another takes its place',
} as const satisfies Readonly<Record<string, string>>;
