/**
 * Contains the English texts of diagnoses of whole pods: deletion, eviction, refusal, lost nodes, resizes, sandboxes.
 */
export const podMessages = {
  // Deletion
  deletingTitle: 'The pod is being deleted',
  deletingLateTitle: 'The pod is being deleted, and its grace period is over',
  deleting: 'Its deletion was requested at {asked} with a grace period of {grace}, which ends at {time}.',
  deletingUnmount: 'A volume can’t be unmounted: {said}',
  deletingQuorum:
    'The hook of {container} waits for the other members: it ends by itself once they are up and in sync, so that no ' +
    'data or quorum is lost. If it doesn’t end, another member is down or behind.',
  deletingQuorumPods: 'See which other pods of {owner} aren’t ready, and bring them back',
  deletingQuorumLook: 'See what the hook waits for, and which members are missing',
  deletingHookOutlook: 'It stays Terminating until the preStop hook and the program have ended.',
  deletingHook: 'A preStop hook may still run ({hook}).',
  deletingHookFailed:
    'The preStop hook ({hook}) failed: {said}. The container is asked to stop all the same (SIGTERM).',
  deletingRunning: 'Still running: {running}.',
  deletingLate:
    'The kubelet on {node} should have killed its containers by then and has not confirmed it: it is down, ' +
    'can’t reach the API server, or the runtime is stuck.',
  deletingKubelet: 'Read the log of the kubelet and the runtime on {node}',
  deletingWait: 'Wait and watch it',
  deletingGrace: 'If that is too long, shorten the grace period of this pod to 60 s, after which it is killed',
  deletedAt: 'At {time} at the latest what still runs is killed (SIGKILL); then the pod is removed.',
  deletedLate:
    'The pod stays Terminating until the kubelet on {node} confirms that its containers have stopped (due since ' +
    '{time}).',
  deletedSoon: 'Its containers have stopped; the pod is removed as soon as the kubelet has cleaned up.',
  replaced: '{owner} has already made a replacement.',
  replacedAfter: '{owner} makes its replacement only when this pod is gone.',
  notReplaced: 'No controller makes a replacement.',
  finalizerTitle: 'The finalizer {finalizers} keeps the pod',
  finalizersTitle: 'The finalizers {finalizers} keep the pod',
  finalizers:
    'All containers have ended, and the pod is to be deleted; its finalizers {finalizers} keep the object until the ' +
    'controllers that set them remove them.',
  finalizerBy: 'The labels name {by}, which manages the pod.',
  finalizerEvicted: 'An eviction, such as that of a drained node, began the deletion.',
  finalizer:
    'All containers have ended, and the pod is to be deleted; its finalizer {finalizers} keeps the object until ' +
    'the controller that set it removes it.',
  finalizerJob:
    'All containers have ended; the finalizer {finalizers} keeps the object until the Job controller has ' +
    'counted the pod.',
  finalizerOutlook: 'The pod stays Terminating, without limit, until the finalizer is removed.',
  finalizerWho: 'See whether the controller that handles the finalizer runs',
  finalizerKopf: 'It is a finalizer of Kopf, a framework in which operators are written: such an operator set it.',
  finalizerKopfOf:
    'It is a finalizer of Kopf, a framework in which operators are written: most likely the operator that handles ' +
    '{api} set it.',
  finalizerOperator: 'Find that operator, whose name rarely contains Kopf, and see whether it runs',
  finalizerRoles: 'If the names don’t tell: see which roles give rights on {group}; the operator most likely has one',
  finalizerLog: 'Read its log, and bring it back if it doesn’t run: it then removes the finalizer itself',
  finalizerRemove:
    'Only if that controller is gone for good: remove the finalizers by hand (what it would have cleaned up ' +
    'stays behind)',
  killTitle: 'The runtime on {node} can’t stop the pod’s containers',
  kill: 'The kubelet on node {node} asked the runtime to kill {names}, and it failed ({times} times).',
  killWhy:
    'Usually a process hangs in the kernel (state D, for example on a dead NFS server), or the container ' +
    'runtime is stuck.',
  killOutlook: 'The kubelet tries again; the pod stays Terminating until the processes are gone.',
  killProcess: 'See which processes on {node} hang in the kernel, and on what',
  killRuntime: 'See what the runtime of {node} says about the pod',
  killRestart: 'If only the runtime is stuck, restart it; a process in state D goes only with a reboot of {node}',
  byPreemptionTitle: 'The scheduler preempted the pod',
  byPreemption:
    'A pod with a higher priority needed its place, so the scheduler deleted this one (preemption). Nothing is ' +
    'wrong with the pod itself.',
  byCritical:
    'The kubelet on {node} made room for a critical pod and ended this one (preemption). Nothing is wrong with ' +
    'the pod itself.',
  preemptionFix: 'If it matters, give it a higher priorityClassName in {owner}',
  preemptionCapacity: 'Or add capacity: see how full the nodes are',
  preemptedMayWait: 'The replacement may stay Pending, because it has the same low priority.',
  byEvictionTitle: 'The pod is evicted through the API',
  byEviction:
    'Someone or something asked the API to evict it from node {node}: kubectl drain, an autoscaler that removes ' +
    'the node, or an update of the node. Nothing is wrong with the pod itself.',
  evictionDrain: 'See whether node {node} is being drained; the drain waits for this pod',
  evictionNode: 'Nothing to fix in the pod; see whether node {node} is being drained',
  evictionBudget: 'If too many siblings go at once, give them a PodDisruptionBudget; these exist',
  byTaintTitle: 'The pod is removed because of a taint of its node',
  byTaint: 'Node {node} has a NoExecute taint that the pod doesn’t tolerate (any more), so the controller deletes it.',
  taintLook: 'See the taints of {node}',
  byGcTitle: 'The pod is removed because its node is gone',
  byGc: 'Node {node} does not exist any more, so the garbage collector deletes its pods.',
  byKubeletTitle: 'The kubelet ends the pod',
  byKubelet: 'The kubelet on {node} ends the pod (eviction, preemption by a critical pod, or shutdown of the node).',
  // Nodes
  lostUnknownTitle: 'Node {node} is not ready',
  lostUnknown:
    'Node {node} is not ready: it is down or not reachable, its kubelet doesn’t report, or reports a problem. ' +
    'That is why the pod is not ready, not its probes.',
  lostTitle: 'Node {node} doesn’t answer',
  lostDeleting:
    'The kubelet of node {node} is not reachable. The control plane marked the pod for deletion, and no kubelet ' +
    'confirms it.',
  lostNode: 'The kubelet of node {node} doesn’t report: the node is down, not reachable, or its kubelet is stopped.',
  lostNodeGone: 'Node {node} does not exist any more.',
  lostStale: 'The status of the containers is stale: it shows the last known state. They may still be running.',
  lostOutlook: 'The pod stays Terminating until node {node} returns or is removed from the cluster.',
  lostStateful: '{owner} makes no replacement until then, so that two pods never write the same volume.',
  lostLook: 'See the state of the node',
  lostOff:
    'Bring {node} back. Only when it is certainly switched off: let the control plane give up its pods and ' +
    'detach their volumes',
  lostGone: 'Or, when it never comes back, remove the node from the cluster',
  lostEvicted: 'If the node doesn’t return within {seconds} s, the pod is marked for deletion and replaced elsewhere.',
  lostEvictedAt:
    'If the node doesn’t return, the pod is marked for deletion at about {time} ({seconds} s after the loss).',
  lostStays: 'The pod tolerates that without limit: it stays as it is until the node returns or is removed.',
  lostBack: 'When the node returns, its kubelet updates the status, and the pod is ready again if it still runs.',
  lostKubelet: 'Read the log of the kubelet on the node',
  lostSpot: 'It may be a spot machine that the cloud has taken back.',
  lostReplaced: 'Then {owner} makes a replacement; this pod stays Terminating until the node returns or is removed.',
  // Refusal
  refuseTitle: 'The kubelet on {node} refused the pod',
  refuseResources:
    'The pod requests {requested} of {resource}; node {node} has {capacity}, of which {used} is in use. So the ' +
    'kubelet refused it.',
  refuseShort: 'Node {node} doesn’t have enough {resource} left for the pod. So the kubelet refused it.',
  refuseRace:
    'The scheduler thought otherwise at that moment: other pods came first (static pods, pods with nodeName ' +
    'set), or the kubelet had just restarted.',
  refuseAffinity:
    'The labels of node {node} don’t match {wanted} (nodeSelector or node affinity) any more, so the kubelet ' +
    'refused the pod.',
  refuseSysctl:
    'The pod sets the sysctl {sysctl}, which is unsafe and not allowed on node {node}, so the kubelet refused it.',
  refuseOs: 'The pod is for another operating system than node {node} has.',
  refuseAppArmor: 'The pod asks for an AppArmor profile that node {node} can’t enforce.',
  refuseTaint: 'Node {node} has a NoExecute taint that the pod doesn’t tolerate.',
  refusePorts: 'Host port {ports} of the pod is already in use on node {node}.',
  refuseAdmission: 'The kubelet on {node} couldn’t allocate what the pod needs (a device, for example): {message}',
  refuseTopology:
    'Node {node} can’t give CPUs, memory and devices from NUMA nodes that fit together, as its topology manager ' +
    'policy demands.',
  refuseDelete: 'Nothing brings this pod back: delete the record; its replacement runs or is scheduled',
  refuseAlone: 'Nothing brings this pod back: create it again, without nodeName, in {owner}',
  refuseLabels: 'See the labels of {node}',
  refuseEach: 'Each replacement is refused in the same way wherever this isn’t allowed, and leaves another failed pod.',
  refuseSysctlFix:
    'Remove the sysctl {sysctl} from {owner}, or allow it on the nodes (allowedUnsafeSysctls of the kubelet) ' +
    'and schedule it there',
  refuseOsFix: 'Add nodeSelector kubernetes.io/os to {owner}',
  refuseAppArmorFix: 'Correct the AppArmor profile in {owner}, or load it on the nodes',
  // Eviction
  evictTitle: 'The pod was evicted',
  evictOther: 'The pod was ended from outside: {message}',
  evictNotNode: 'The node itself had enough; memory was not the reason.',
  evictAgain: 'The replacement will end the same way.',
  evictAgainAfter: 'The replacement fills up in the same way, after about {ran}, and is evicted again.',
  evictDelete: 'Delete the record of the failed pod',
  evictVolumeTitle: 'The pod wrote more than {limit} into volume {volume}',
  evictVolume:
    'The pod wrote more into the emptyDir {volume} than its sizeLimit of {limit}, so the kubelet evicted it.',
  evictVolumeFix:
    'Let the program clean up what it writes to {volume}, or put it on a PersistentVolumeClaim, in {owner}',
  evictVolumeRaise: 'Or raise sizeLimit of {volume} from {limit} to {raised} in {owner}',
  evictPidsTop: 'Find the program on {node} that runs so many processes and threads (the first column)',
  evictVolumeLook: 'See how full it is in the replacement',
  evictStorageTitle: 'The pod used more than {limit} of local storage',
  evictStorage:
    'Container {container} wrote more to the local disk (logs, files, emptyDirs) than the ephemeral-storage limit ' +
    'of {limit} allows, so the kubelet evicted the pod.',
  evictStorageFix: 'Let it clean up, log less, or write to a volume (PersistentVolumeClaim), in {owner}',
  evictStorageRaise: 'Or raise the ephemeral-storage limit of {container} from {limit} to {raised} in {owner}',
  evictMemoryTitle: 'Node {node} ran short of memory, and the pod was evicted',
  evictDiskTitle: 'Node {node} ran short of disk space, and the pod was evicted',
  evictPidsTitle: 'Node {node} ran short of process ids, and the pod was evicted',
  evictMemory: 'Node {node} ran short of memory, and its kubelet evicted the pod to save the others.',
  evictOwnLimit: 'Its own limit was not the reason.',
  evictNoLimit: '{container} has no memory limit, so it could use all that the node had.',
  evictDisk: 'Node {node} ran short of disk ({resource}), and its kubelet evicted the pod to free some.',
  evictPids: 'Node {node} ran short of process ids, and its kubelet evicted the pod.',
  evictCondition:
    'Node {node} was already short of {resource} ({condition}) when the pod arrived, so its kubelet refused it; ' +
    'no container has run.',
  evictUsage:
    'Container {container} used {used} of {resource} with a request of {request}; pods that use more than they ' +
    'request go first.',
  evictRequest:
    'Set the memory request of {container} to what it really uses ({used}) in {owner}, so that it gets a node ' +
    'with room',
  evictNode: 'See what fills node {node}',
  evictNodeAgain: 'The replacement is placed by the same requests and can be evicted again.',
  shutdownTitle: 'The pod was ended because node {node} shut down',
  shutdown:
    'Node {node} was shut down or restarted (maintenance, a spot instance, an autoscaler), and its kubelet ' +
    'ended the pod in order. Nothing is wrong with the pod itself.',
  shutdownNode: 'See why node {node} was shut down, and whether it is back',
  deadlineOverTitle: 'The pod ran longer than the {seconds} s it may',
  deadlineOver:
    'It was active for longer than activeDeadlineSeconds ({seconds} s), so the kubelet killed its containers. ' +
    'Exit code 137 or 143 is the result, not the cause. Files that it was writing may be incomplete.',
  deadlineTimes: 'It started at {start} and had until {end}.',
  deadlineLogs: 'See how far {container} got',
  deadlineFix: 'Raise activeDeadlineSeconds above {seconds} in {owner}, or make the work faster',
  deadlinePace: '{container} had done {percent} % of its work; at that pace, all of it takes {total}.',
  deadlineFixPace:
    'Raise activeDeadlineSeconds above that, for example to {wanted}, in {owner}, or make the work faster',
  deadlineFixTemplatePace:
    'Raise activeDeadlineSeconds above that, for example to {wanted}, in the pod template of {owner} ({field}), or ' +
    'make the work faster',
  deadlineFixTemplate:
    'Raise activeDeadlineSeconds above {seconds} in the pod template of {owner} ({field}), or make the work faster',
  // Resize
  resizeNoTitle: 'The resize of {container} can’t be done on {node}',
  resizeNo: 'The resize of {container} to {resource} {wanted} is infeasible: node {node} has only {capacity} in all.',
  resizeNoWhy: 'The resize of {container} to {resource} {wanted} is infeasible on node {node}: {message}',
  resizeKeeps: 'The container runs on with the {resource} {has} that it has.',
  resizeNoOutlook:
    'The resize is not retried until the spec or the node changes; the container runs on with {resource} {has}.',
  resizeNeverOutlook:
    'The kubelet retries, but the resize can never fit on this node; the container runs on with {resource} {has}.',
  resizeFit: 'Resize it to at most {capacity}, less what other pods on {node} need',
  resizeMove: 'Or move it to a larger node: set the new size in {owner}, which makes new pods',
  resizeLaterTitle: 'The resize of {container} is deferred',
  resizeLater:
    'The resize of {container} to {resource} {wanted} is deferred: node {node} has {capacity}, but {used} is in ' +
    'use, so {free} is free.',
  resizeLaterWhy:
    'The resize of {container} to {resource} {wanted} is deferred: node {node} could do it, but not now. {message}',
  resizeLaterOutlook:
    'The kubelet retries by itself as other pods leave; until then the container runs on with {resource} {has}.',
  resizeRoom: 'See which pods use node {node}; it is done when enough of them leave',
  resizeSmaller: 'Or resize to what fits now',
  resizeErrorTitle: 'The resize of {container} fails',
  resizeMemory: 'The memory limit can’t be lowered below what {container} uses: {message}',
  resizeError: 'The runtime couldn’t apply the resize of {container}: {message}',
  resizeErrorOutlook: 'The kubelet retries; until then the container runs on with what it has.',
  resizeNowTitle: 'The resize of {container} is in progress',
  resizeNow: 'The kubelet on {node} has accepted the resize and is applying it.',
  resizeNowOutlook: 'It is normally done within a minute.',
  // Sandbox
  sandboxFailTitle: 'The pod’s sandbox can’t be created on {node}',
  sandboxNetworkTitle: 'The network of node {node} is not ready',
  sandboxOutlook:
    'The kubelet on {node} retries about every 10 to 30 s; once that is put right, the pod starts by itself.',
  sandboxNoIp:
    'The network plugin ({plugin}) has no free IP address for the pod on node {node}: the subnet or address ' +
    'pool is used up, or the node has as many addresses as it can.',
  sandboxPods: 'See how many pods run on {node}',
  sandboxPrefix:
    'Or give each node more addresses: with prefixes, an interface holds 16 addresses in place of one (new nodes ' +
    'need a higher maxPods)',
  sandboxIpam: 'See the address pool and the plugin’s log; enlarge the subnet or pool, or use more nodes',
  sandboxNoCni: 'Node {node} has no working network plugin (CNI) yet: its DaemonSet pod has not set it up there.',
  sandboxCniPod: 'See whether the network plugin’s pod runs on {node}, and read its log',
  sandboxCniConf: 'See the CNI configuration of {node}',
  sandboxHandler:
    'The runtime of node {node} doesn’t know the runtime handler {handler} that RuntimeClass {runtimeClass} ' +
    'names: it is not installed or not configured there.',
  sandboxClass: 'See the handler and the nodes (scheduling) of the RuntimeClass',
  sandboxHandlerConf: 'See which handlers containerd or CRI-O on {node} has; install {handler} there',
  sandboxClassFix:
    'Or let it run only on nodes that have it (nodeSelector), or use another runtimeClassName, in {owner}',
  sandboxNoClass: 'There is no RuntimeClass {runtimeClass}.',
  sandboxClasses: 'See which ones exist',
  sandboxPause: 'Node {node} can’t pull the image of the sandbox itself ({image}).',
  sandboxPauseTry: 'Pull it on {node}; set a reachable sandbox image in the runtime’s configuration',
  sandboxSpace: 'The disk of node {node} is full.',
  sandboxReserved: 'An earlier sandbox of the pod is still there in the runtime of {node}, which is slow or stuck.',
  sandboxCgroup:
    'Node {node} can’t create the pod’s cgroup: systemd or the cgroup driver of kubelet and runtime don’t agree ' +
    'or are stuck.',
  sandboxCni: 'The network plugin ({plugin}) on node {node} fails to set up the pod’s network.',
  sandboxCniAgent:
    'The network plugin ({plugin}) on node {node} can’t reach its own agent: its DaemonSet pod there doesn’t ' +
    'run or isn’t ready.',
  sandboxCniDenied:
    'The network plugin ({plugin}) on node {node} is not authorized at the API server: its token has expired, ' +
    'or its role is missing. A restart of its pod renews the token.',
  sandboxTimeout: 'The runtime or the network plugin of node {node} didn’t answer in time.',
  sandboxOther: 'The runtime of node {node} can’t create the sandbox, which holds the pod’s network and namespaces.',
  // Waiting for others
  gatesTitle: 'The pod waits for its readiness gate',
  gatesCause:
    'All containers are ready. The readiness gate {names} is not set: the controller behind it ({by}) has not ' +
    'set the condition to True.',
  gatesLoadBalancer:
    'All containers are ready. The readiness gate {names} is not set: {by} has not seen the pod healthy at the ' +
    'load balancer.',
  gatesOutlook: 'The pod stays not ready until the controller sets that condition; it is not restarted.',
  gatesCodes:
    'The health check of the load balancer gets the answer {codes}: it asks a path that the program doesn’t serve.',
  gatesCodesPath:
    'The health check of the load balancer gets the answer {codes}, although the readiness probe succeeds: it asks ' +
    'another path than {path}.',
  gatesPath: 'Let the load balancer ask the path that works, in the Ingress of the pod’s Service',
  gatesBinding: 'See whether a TargetGroupBinding selects the pod, and its health checks',
  gatesController: 'See whether the controller runs, and read its log',
  initRunsTitle: 'Init container {container} has not finished',
  initWaits: 'Init container {container} has been waiting for {target} since {time}.',
  initRuns:
    'Init container {container} has been running since {time}; nothing here says what it waits for, but its log ' +
    'does.',
  initWaitsOutlook: 'It waits without limit, until {target} answers; then the pod starts by itself.',
  initRunsOutlook: 'The other containers wait until {container} ends; there is no time limit.',
  initEndpoints: 'See whether it has ready endpoints',
  jobSidecarTitle: '{container} keeps the finished pod running',
  jobSidecar:
    '{done} is done (exit code 0), but the proxy or helper {container} runs on, so the pod never completes, and ' +
    'neither does {work}.',
  jobSidecarOutlook: 'The pod stays Running until {container} ends; {work} is never complete.',
  jobSidecarQuit: 'End the proxy of this pod now (quitquitquit)',
  jobSidecarFix:
    'Make {container} a native sidecar (an init container with restartPolicy: Always), which ends with the ' +
    'others, or let the work call quitquitquit at its end (cloud-sql-proxy needs its flag --quitquitquit), in {owner}',
  jobSidecarDelete:
    'The work of {work} is done, and nothing ends it: delete it; the next run uses the changed template',
  startingTitle: 'The pod is starting',
  startingPullTitle: 'The pod is starting: an image is being pulled',
  startingPull: 'The image {image} of {container} is being pulled on {node}. Nothing has failed.',
  startingPullLong:
    'The image {image} of {container} has been pulled on {node} for {waited}. Nothing has failed; it is large, ' +
    'or the connection is slow.',
  startingPullOutlook: '{container} starts when the pull is done.',
  starting: 'Nothing has failed so far; nothing here says what it waits for.',
  startingLong:
    'It has been starting for {waited}, and nothing here says what it waits for. Its events do; they expire ' +
    'after an hour.',
  startingOutlook: 'Normally its containers start within seconds.',
  finalizerOwner: 'See what the controller says in the resource that owns the pod',
  gatesSaid: 'The controller says: {said}',
  gatesTimeout:
    'The controller says: {said}. A health check that times out doesn’t reach the pod: a security group, firewall ' +
    'or network policy, or the wrong health check port.',
  deletingUnmountTitle: 'The pod is being deleted, and a volume can’t be unmounted',
  deletingEnded: 'Its containers have ended.',
  resizeAbove: 'Resize {container} to a limit above what it uses',
  deletingHookLook: 'See whether the preStop hook of {container} still runs, and what it waits for',
  deletingDay: 'That is on {day} (UTC).',
  nodeGoneTitle: 'Node {node} no longer exists',
  nodeGone:
    'Node {node} was removed from the cluster (scaled down, a spot machine reclaimed, or deleted) while the pod was ' +
    'on it. The pod garbage collector then ended the pod; the program was not the reason.',
  nodeGoneLook: 'See which nodes are left, and whether the machine was meant to go',
  killRemote:
    'Volume {volume} comes from {server}: if that server doesn’t answer, processes that use the volume can’t ' +
    'be killed. That is the most likely reason.',
  killRemoteFix:
    'Bring {server} back if it doesn’t answer; else unmount the volume on {node} (umount -f -l). These are ' +
    'the remote mounts of the node',
  refusePinnedLook: 'See whether the template of {owner} sets nodeName',
  refusePinnedIf: 'If so, remove nodeName from {owner}, so that the scheduler chooses a node',
  resizeMemoryOutlook:
    'The kubelet retries, and succeeds only once the program uses less than {wanted}; until then the ' +
    'container runs on with {has}.',
  resizeAboveSize: 'Resize {container} to a limit above the {usage} that it uses',
  resizeBack: 'Set the limit of {container} back to {size}, which still applies; it uses {usage}',
  resizeUseLessThan:
    'For the smaller limit, the program must use less: lower {setting} while it runs, if it can; the resize then ' +
    'succeeds by itself. Else lower both in {owner}',
  resizeUseLess: 'Or let the program use less (cache size, heap) and set the smaller limit in {owner}',
  jobSidecarIstio:
    'For the next runs, use native sidecars (ENABLE_NATIVE_SIDECARS of istiod, the default since Istio 1.27), ' +
    'or set the annotation sidecar.istio.io/inject: "false" on the pod template, or call quitquitquit at the ' +
    'end of the work, in {owner}',
  jobSidecarLinkerd:
    'For the next runs, set the annotation config.alpha.linkerd.io/proxy-enable-native-sidecar: "true" (or ' +
    'linkerd.io/inject: disabled) on the pod template, or let linkerd-await end the proxy, in {owner}',
  evictInodesTitle: 'Node {node} ran out of inodes, and the pod was evicted',
  evictInodes:
    'The file systems of node {node} hold too many files: it ran short of {resource}, not of bytes, and its ' +
    'kubelet evicted the pod to free some.',
  evictInodesBy: 'Container {container} has the largest local files ({used}), so it probably has the most of them.',
  evictInodesFix:
    'Let {container} keep fewer files (clean up its cache, pack small files), or put them on a volume ' +
    '(PersistentVolumeClaim), in {owner}',
  evictInodesFewer: 'Let the containers keep fewer files, or put them on a volume (PersistentVolumeClaim), in {owner}',
  evictInodesDf: 'See how many inodes the disks of {node} have left',
  lostUntouched: 'The kubelet has never reported anything about this pod: none of its containers has started.',
  lostUntouchedBack: 'When the node returns, its kubelet starts the pod.',
  refuseOther: 'A check of the kubelet on {node} doesn’t admit the pod: {message}',
  refuseTaintShow: 'See the taints of {node}',
  refuseTaintAlone:
    'Nothing brings this pod back: create it again without nodeName, or with a toleration for that taint, in ' +
    '{owner}',
  killDeniedTitle: 'The runtime on {node} may not send signals to {names}',
  killDenied:
    'The runtime tried to stop {names} ({times} times), and the kernel refuses its signals (permission ' +
    'denied): a security profile of node {node} forbids them, usually AppArmor with a profile for runc that ' +
    'doesn’t match the containers’ (known from Ubuntu 23.10 and 24.04). The program isn’t the reason, and ' +
    'runs on.',
  killDeniedOutlook:
    'The kubelet tries again; the pod stays Terminating, and its containers run on, until the node allows ' +
    'the signal.',
  killDeniedLook: 'See which profile denies the signal',
  killDeniedProfiles:
    'See the loaded profiles; update the packages apparmor and containerd (runc) of {node}, or unload the ' +
    'profile of runc (aa-disable). The deletion then continues by itself',
  refuseOsLabel:
    'The pod asks for a node with the label kubernetes.io/os={system}, and node {node} has another one. The ' +
    'scheduler wouldn’t have chosen it.',
  refuseOsNodes: 'See which nodes run {system}, and whether {node} has the right label',
  nodeGoneStale: 'The status of its containers is the last one that the node reported: they don’t run any more.',
  nodeGoneCounted: 'The Job controller counts the pod and removes its finalizer; then it disappears within seconds.',
  nodeGoneSoon: 'The pod disappears within seconds, unless a finalizer keeps it.',
  nodeGoneJob:
    'Nothing to fix in this pod. So that lost nodes don’t count against backoffLimit, add a podFailurePolicy ' +
    '(action Ignore on the pod condition DisruptionTarget) for the next run, in {owner}',
} as const satisfies Readonly<Record<string, string>>;
