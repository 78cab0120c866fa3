/** Contains the English texts of diagnoses before a container runs: scheduling, claims, volumes, references, images. */
export const placementMessages = {
  // Owners
  ownHelm: 'Helm manages it: make the same change in the values of release {name}, or the next upgrade undoes it',
  ownArgo: 'Argo CD manages it ({name}): make the same change in Git, or the next sync undoes it',
  ownFlux: 'Flux manages it ({name}): make the same change in Git, or the next reconciliation undoes it',
  ownOperator: 'An operator manages it ({name}): make the change in its custom resource, or the operator undoes it',
  ownCustom: 'If {owner} has an owner of its own, make the change there: an operator undoes edits of what it generates',
  ownStatic: 'The kubelet on {node} reads {file}; kubectl can’t change a static pod',
  ownJob:
    'A Job’s template can’t be changed: remove spec.selector and the controller-uid labels from {name}.yaml, ' +
    'change it, and create the Job again',
  ownPod: 'Most fields of a pod can’t be changed: change {name}.yaml and create the pod again',
  // Looking
  lookEvents: 'Read the events of the pod',
  lookLogs: 'Read the log of {container}',
  nodeDescribe: 'Read the conditions and events of the node',
  nodeAddress: 'See the address of node {node}',
  nodeDf: 'See how full the disks of {node} are',
  nodePrune: 'Remove images that no container uses from {node}',
  // Scheduling
  schedTitle: 'The scheduler finds no node for the pod',
  schedNoKubelet: 'This is a decision of the scheduler: no kubelet has seen the pod yet.',
  schedOutlook: 'The pod stays Pending. The scheduler retries whenever nodes, pods or volumes change.',
  schedInsufficient:
    'The containers request {amount} of {resource}, and {nodes} nodes don’t have that much unrequested.',
  schedShort: '{nodes} nodes have too little unrequested {resource}.',
  schedRoom: 'See how much {resource} is requested on each node',
  schedLower: 'If the program needs less, lower the {resource} request of {container} (now {request}) in {owner}',
  schedAddNode: 'Else add a node with at least {amount} of free {resource}; these are the sizes of the nodes',
  schedDevice: 'See how many {resource} each node offers; none means that the device plugin doesn’t run there',
  schedFreeDevice: 'Stop or scale down pods that hold {resource}: see which pods run where',
  schedFewerDevices: 'Request fewer {resource} in {owner}, or stop pods that hold a GPU or device',
  schedTooLarge:
    'The containers request {amount} of {resource}: more than even an empty node has (nodes that are too small: ' +
    '{nodes}), so preemption doesn’t help.',
  schedSmallHeap:
    'The heap of {container} is limited by {setting}, a small part of the request: the number may be a typing error.',
  schedUntilLarger:
    'It isn’t scheduled by itself: even an empty node is too small. It needs a smaller request, or a larger node.',
  schedLowerHeap:
    'Lower the {resource} request (now {request}) and limit of {container} to what it needs in {owner}: {fitting} is ' +
    'twice its heap',
  schedLargerNode: 'If it needs that much, add a larger node: more nodes of these sizes don’t help',
  schedUntilRoom: 'It is scheduled as soon as a node has room for it.',
  schedTooMany: '{nodes} nodes already run as many pods as they may.',
  schedMaxPods: 'See how many pods each node allows; add a node or remove pods',
  schedVolumeZone:
    'The volume of claim {claims} can be used only on certain nodes, usually those of one zone (node affinity ' +
    'of the volume); {nodes} other nodes are excluded by that.',
  schedZoneOf: 'Find the volume of claim {claims}',
  schedZonePv: 'See on which nodes or in which zone that volume can be used',
  schedZoneNodes: 'See which nodes are in that zone: one of them needs room for the pod',
  schedUntilZone: 'It is scheduled when a node that can use the volume of {claims} has room.',
  schedVolumeCount: '{nodes} nodes have as many volumes attached as they can ({claims} would be one more).',
  schedVolumeLimits: 'See how many volumes each node can attach',
  schedLabels: '{nodes} nodes don’t have the labels that nodeSelector or node affinity asks for: {wanted}.',
  schedShowLabels: 'See the labels of the nodes',
  schedAddLabel: 'If a node is meant to have it, label the node',
  schedSelector: 'Else correct nodeSelector or nodeAffinity in {owner}',
  schedUntilLabels: 'It is scheduled when a node has the labels {wanted}.',
  schedAnti: 'Required pod anti-affinity keeps it apart from pods that already run in each {key} ({nodes} nodes).',
  schedAntiOther: 'Pods that run on {nodes} nodes have an anti-affinity (by {key}) against this pod.',
  schedWhere: 'See on which nodes its siblings run',
  schedAntiFix: 'Run fewer replicas, add a node, or use preferred instead of required anti-affinity in {owner}',
  schedUntilAnti: 'It is scheduled when a {key} without such a pod is available.',
  schedAffinity: 'Required pod affinity asks for a node (by {key}) that runs certain other pods; {nodes} nodes don’t.',
  schedWhereOthers: 'See where the pods run that the affinity selects',
  schedAffinityFix: 'Correct podAffinity in {owner}',
  schedUntilAffinity: 'It is scheduled when such a pod runs on a node with room.',
  schedSpread:
    'The topology spread constraint on {key} (maxSkew {skew}, DoNotSchedule) can’t be kept: on {nodes} nodes ' +
    'the pod would make the domains too uneven.',
  schedSpreadLabel: '{nodes} nodes lack the label {key} that the topology spread constraint needs.',
  schedSpreadShow: 'See which nodes are in which {key}',
  schedSpreadFix:
    'Add nodes where {key} has too few pods, or set whenUnsatisfiable: ScheduleAnyway or a higher maxSkew in {owner}',
  schedUntilSpread: 'It is scheduled when a node in another {key} has room.',
  schedPorts: 'Its host port {ports} is already in use on {nodes} nodes: each node has a host port only once.',
  schedPortsWho: 'See which pod uses host port {ports}',
  schedPortsFix:
    'In {owner}, use a Service instead of hostPort or hostNetwork, or run no more replicas than nodes with ' +
    'maxSurge: 0 (or strategy Recreate)',
  schedUntilPorts: 'It is scheduled when host port {ports} is free on a node.',
  schedTaint: '{nodes} nodes have the taint {taint}, which the pod doesn’t tolerate.',
  schedShowTaints: 'See the taints of the nodes',
  schedTolerateMeant: 'If the pod may run there, add a toleration for {taint} to {owner}',
  schedTolerate:
    'If the pod belongs there, add a toleration for {taint} to {owner}; else provide a node without that taint',
  schedUntilTaint: 'It is scheduled when a node without the taint {taint} has room.',
  schedNodeState: '{nodes} nodes are {state} (taint {taint}): a problem or maintenance of the nodes, not of the pod.',
  schedNodes: 'See the state of the nodes {state}',
  schedUncordon: 'If the maintenance is over, make the node schedulable again',
  schedUntilNodes: 'It is scheduled when the nodes aren’t {state} any more.',
  schedClaims: 'A device that its resource claims ask for can’t be allocated: {text}.',
  schedClaimsLook: 'See what the claims ask for',
  schedSlices: 'See which devices the drivers offer',
  schedUntilClaims: 'It is scheduled when such a device is free.',
  schedOther: 'The scheduler says: {message}',
  schedScaling: 'The autoscaler is adding a node for it: {said}',
  schedNewNode: 'Watch the new node join',
  schedNotScaling: 'The cluster autoscaler adds no node for it: {said}.',
  schedGroupFull: 'The cluster autoscaler adds no node, because a node group has reached its limit (it says “{said}”).',
  schedGroup: 'See the limits of the node groups; raise the maximum of the one that fits',
  schedSilentTitle: 'The pod has not been scheduled yet',
  schedSilent:
    'Nothing says that the scheduler {scheduler} has tried (spec.schedulerName). Normally that takes a second at most.',
  schedSilentOutlook: 'Nothing happens until {scheduler} considers the pod.',
  schedSilentLook: 'See whether {scheduler} runs',
  gateTitle: 'The pod is held back by the scheduling gate {names}',
  gateCause: 'The scheduler ignores it until the controller that set {names} removes the gate.',
  gateKnown:
    '{by} set the scheduling gate {names} and has not admitted the pod yet; until then the scheduler ignores it.',
  gateQueue: 'It waits in queue {queue}.',
  gateOutlook: 'It stays gated, without limit, until {by} removes the gate; then it is scheduled.',
  gateLook: 'See what {by} says about its workload and queue',
  gateWho: 'Find out which controller set the gate {names} (managedFields names it), and see its log',
  // Claims
  claimMissingTitle: 'PersistentVolumeClaim {claim} does not exist',
  claimMissing:
    'A volume of the pod uses PersistentVolumeClaim {claim}, and there is no such claim in namespace {namespace}.',
  claimDeletedTitle: 'PersistentVolumeClaim {claim} is being deleted',
  claimDeleted: 'PersistentVolumeClaim {claim} in namespace {namespace} is being deleted, so no new pod may use it.',
  claimMissingOutlook: 'The pod stays Pending until claim {claim} exists; then it is scheduled.',
  claimList: 'See which claims exist in {namespace}',
  claimCreate: 'Create claim {claim} in {namespace}',
  claimDescribe: 'See the storage class, the volume and the events of claim {claim}',
  claimRename: 'If the name is wrong, correct claimName {claim} in {owner}',
  claimLostTitle: 'The claim’s volume {volume} is gone',
  claimLost: 'Claim {claims} is bound to the PersistentVolume {volume}, which does not exist any more.',
  claimLostOutlook:
    'The pod stays Pending: a lost claim never binds to another volume. Restore the volume before you replace ' +
    'the claim.',
  claimUnboundTitle: 'PersistentVolumeClaim {claims} is not bound to a volume',
  claimUnbound:
    'Claim {claims} has no volume yet: its storage class is missing or wrong, or the provisioner of that class ' +
    'doesn’t make one.',
  claimNoVolume:
    'Claim {claims} has no volume yet, and no existing PersistentVolume matches its size, access mode, storage ' +
    'class and node.',
  claimWarning: 'The claim’s own event says: {warning}',
  claimNotKubelet: 'Storage is at fault here; the scheduler waits, and no kubelet has seen the pod.',
  claimOutlook: 'The pod stays Pending until {claims} is bound; then it is scheduled without any further action.',
  claimClasses: 'See whether its storage class exists and which one is the default',
  claimProvisioner: 'See whether the provisioner of that class runs',
  // Volumes
  mountOutlook: 'The kubelet retries, after 2 min at most; once the mount succeeds, the pod starts by itself.',
  mountBlocks: 'No container starts before all volumes are mounted.',
  objectGoneTitle: '{kind} {name} does not exist',
  objectGone: '{kind} {name} does not exist in namespace {namespace}, and the pod refers to it.',
  objectRootCa:
    '{kind} {name}, which every namespace has, is missing in {namespace}: the controller manager has not published it.',
  objectList: 'See which ones exist in {namespace}',
  objectCreate: 'Create {kind} {name} in {namespace}',
  objectRename: 'If the name is wrong, correct it in {owner}',
  objectKeyTitle: '{kind} {name} has no key {key}',
  objectKey: '{kind} {name} exists in namespace {namespace}, but the key {key} that the pod refers to is not in it.',
  objectKeys: 'See which keys {name} has',
  objectKeyFix: 'If the key has another name, correct the reference in {owner}',
  multiAttachTitle: 'The volume of claim {claim} is still attached to another node',
  multiAttach:
    'The volume of {claim} is ReadWriteOnce: one node at a time. It is still attached to the node of pod ' +
    '{pods}, so it can’t be attached to {node}.',
  multiAttachNode: 'The volume of {claim} is ReadWriteOnce: one node at a time. It is still attached to node {other}.',
  multiAttachAny: 'The volume of {claim} is ReadWriteOnce: one node at a time. It is still attached to another node.',
  multiAttachRolling:
    'A rolling update of {owner} starts the new pod before the old one has gone, which can’t work across nodes ' +
    'with such a volume.',
  notKubeletAttach: 'Attaching is done by the attach/detach controller and the storage driver, not by the kubelet.',
  multiAttachOutlook:
    'It waits until {pods} is gone and the volume is detached; then it is attached here and the pod starts.',
  multiAttachForever: 'With a rolling update this may be never: the old pod stays until the new one is ready.',
  multiAttachDead: 'If the other node is dead, the volume is detached by force 6 min after its pod was deleted.',
  multiAttachWho:
    'See whether the pod that holds the volume still runs or is terminating, and whether its node is well',
  multiAttachLet: 'Let {pods} stop normally (without --force: two writers corrupt the volume)',
  multiAttachRecreate: 'So that it doesn’t happen again, let {owner} stop the old pod first (or use a StatefulSet)',
  csiDriverTitle: 'The storage driver {driver} is not registered on {node}',
  csiDriver:
    'The node plugin of CSI driver {driver} doesn’t run on node {node}, or has not registered with its kubelet.',
  csiNode: 'See which drivers are registered on {node}',
  csiPods: 'See whether the pod of the driver’s DaemonSet runs on {node}',
  nfsDeniedTitle: 'NFS server {server} denies access to {path}',
  nfsDenied: 'The NFS server {server} refuses node {node} the export {path}.',
  nfsExports: 'On the server, allow node {node} in the export {path}',
  nfsExportsAddress:
    'On the server, allow the address of node {node}, {address}, in the export {path} (/etc/exports), and read the ' +
    'file again',
  nfsVolume:
    'If server or path is wrong: PersistentVolume {volume} contains them and they can’t be changed there; make a ' +
    'volume and a claim with the right ones',
  nfsPath: 'If the path is wrong, correct it in {owner}',
  nfsDownTitle: 'File server {server} can’t be reached',
  nfsDown: 'Node {node} can’t mount from {server}: {said}.',
  nfsReach: 'See from node {node} whether {server} answers',
  mountHelperTitle: 'Node {node} can’t mount this kind of volume',
  mountHelper: 'Node {node} lacks the program or kernel module that mounts this file system ({helper}).',
  mountHelperInstall: 'See what {node} has; install {helper} there',
  hostPathTitle: '{path} on node {node} is not what the volume expects',
  hostPath: 'On node {node}, {path} does not exist or is not a {type}, and the hostPath volume has type {wanted}.',
  hostPathLook: 'See what {path} is on {node}; create it there if it belongs there',
  hostPathFix: 'Else let the kubelet create it (type: {type}) or correct the path in {owner}',
  badFsTitle: 'The file system of {claim} can’t be mounted',
  badFs: 'The disk of {claim} has a damaged or another file system than expected; node {node} can’t mount it.',
  badFsLook: 'See what the kernel of {node} says about the disk',
  subPathTitle: 'A subPath of a volume can’t be prepared',
  subPath: 'A subPath that the container mounts does not exist in its volume and can’t be created, or leads out of it.',
  subPathFix: 'Correct subPath in {owner}, or create the path in the volume',
  tokenTitle: 'ServiceAccount {account} gives no token',
  token:
    'The kubelet gets no token for ServiceAccount {account} in namespace {namespace}: it was deleted, or may ' +
    'not be used.',
  tokenLook: 'See which service accounts exist in {namespace}',
  attachTitle: 'The volume of {claim} can’t be attached to {node}',
  attach: 'The storage system doesn’t attach the volume {volume} of claim {claim} to node {node}.',
  attachDenied: 'The storage driver has no permission to attach the volume {volume} of claim {claim}.',
  attachLimit:
    'Node {node} has as many volumes attached as it can, or the quota is used up; {claim} would be one more.',
  attachGone: 'The storage system doesn’t find the volume {volume} of claim {claim} (or node {node}) any more.',
  attachOutlook: 'The attach/detach controller retries by itself; once the volume is attached, the pod starts.',
  attachList: 'See which volumes are attached, and errors in status.attachError',
  attachController: 'See whether the controller of the storage driver runs, and read its log',
  mountVolumeTitle: 'Volume {volume} can’t be mounted',
  mountOther: 'Mounting volume {volume} on node {node} fails.',
  mountBusy: 'An earlier operation on volume {volume} has not ended: the storage driver on {node} is slow or stuck.',
  mountTimeout:
    'Volume {volume} was not mounted on {node} in time; the events of the volume before it say why, or the ' +
    'storage driver doesn’t answer.',
  mountUnattached: 'Volume {volume} (claim {claim}) was not attached to {node} in time.',
  mountPlugin: 'See whether the storage driver’s pod runs on {node}, and read its log',
  // Configuration
  configOutlook:
    'The kubelet tries again at every sync, about every 10 to 15 s; it fails the same way until that is ' +
    'put right, then {container} starts by itself.',
  nonRootTitle: '{container} may not run as root',
  nonRoot: 'runAsNonRoot is set, and image {image} runs as root (it names no other user).',
  nonRootZero: 'runAsNonRoot is set, and runAsUser is 0, which is root.',
  nonRootNameTitle: 'The kubelet can’t verify that {container} doesn’t run as root',
  nonRootName:
    'runAsNonRoot is set, and the image names its user by the name “{user}”: the kubelet can verify only a ' +
    'numeric user id.',
  nonRootUser:
    'Set runAsUser of {container} to a user id other than 0 in {owner} (here 1000, which has to suit its files), or ' +
    'build the image with USER and a number',
  nonRootNumber:
    'Set runAsUser of {container} to the numeric id of “{user}” in {owner}, or build the image with USER and ' +
    'that number',
  nonRootKnown: 'Set runAsUser of {container} to {id}, the usual id of “{user}”, in {owner}',
  nonRootId: 'Find the id of “{user}” in the image',
  nodeCordon: 'Until then, keep new pods away from {node}',
  nameTakenTitle: 'The name of {container} is still taken in the runtime',
  nameTaken:
    'An earlier attempt to create {container} on {node} has not ended: the runtime is slow, often for lack of ' +
    'disk speed.',
  nameTakenList: 'See what the runtime of {node} has of it',
  runtimeLoad: 'Read the log of the container runtime on {node}',
  mountSourceTitle: 'A path that {container} mounts can’t be used',
  mountSource: 'A path that is mounted into {container} does not exist on {node} or can’t be mounted there: {path}',
  mountSourceFix: 'Correct volumeMounts of {container} in {owner}',
  noCommandTitle: '{container} has nothing to run',
  noCommand: 'Neither image {image} nor the spec of {container} has a command.',
  noCommandFix: 'Set command in {owner}, or use an image with an entrypoint',
  profileTitle: 'The security profile of {container} can’t be applied',
  profile: 'The seccomp or AppArmor profile {profile} of {container} is not on node {node}.',
  profileLook: 'See which profiles {node} has',
  profileFix: 'Correct the profile in {owner}, or install it on all nodes',
  createSlowTitle: 'The runtime was too slow to create {container}',
  createRelabel:
    'CRI-O doesn’t finish in time: it is setting the SELinux label of every file in the volumes ({claims}), which ' +
    'takes long with many files. “Name is reserved” only means that the first attempt still works.',
  createRelabelSkip:
    'Skip it in {owner}: annotation io.kubernetes.cri-o.TrySkipVolumeSELinuxLabel: "true" on the pod template, with ' +
    'a runtimeClass that allows the annotation',
  createRelabelType:
    'Or set seLinuxOptions type spc_t in the pod’s securityContext in {owner}, so that nothing is relabeled',
  createSlow: 'The container runtime of {node} didn’t create {container} in time: it is overloaded or stuck.',
  createOtherTitle: '{container} can’t be created',
  createOther: 'The runtime says: {message}',
  // Images
  imgTitle: 'The image of {container} can’t be pulled',
  imgUnknown: 'The pull of {image} fails; the status doesn’t say why. The events of the pod name the reason.',
  imgEvents: 'Read the events of the pod: they have the registry’s message',
  imgTry: 'Pull the same image on {node} and read the message',
  imgNext: 'The kubelet pulls again at about {time} (back-off {wait}, doubled each time up to 5 min).',
  imgDue: 'The next pull has been due since {time}; the kubelet retries with a back-off of up to 5 min.',
  imgRetry: 'The kubelet pulls again with a back-off that doubles from 10 s up to 5 min.',
  imgByItself: 'Pulls fail in the same way until that is put right; once one succeeds, {container} starts by itself.',
  imgSame: 'It will fail the same way.',
  imgCreateSecret: 'Create a pull secret for {registry} in namespace {namespace}',
  imgNameSecret: 'Name it in imagePullSecrets of {owner}',
  imgAccount: 'Or let all pods of service account {account} use {secret}',
  imgSet: 'Set an image that exists for {container} in {owner}',
  imgSecretGoneTitle: 'Pull secret {secret} does not exist',
  imgSecretGone:
    'imagePullSecrets names {secret}, which does not exist in namespace {namespace}; so the pull from ' +
    '{registry} is anonymous and refused.',
  imgLoginTitle: 'Registry {registry} refuses the pull for lack of credentials',
  imgNoSecret:
    '{registry} wants credentials for {repository}, and the pod has no imagePullSecrets. (A registry answers ' +
    'the same for a repository that doesn’t exist.)',
  imgBadSecret:
    '{registry} denies access to {repository}: the credentials in pull secret {secret} are wrong, expired, for ' +
    'another registry, or have no right to it. (A registry answers the same for a repository that doesn’t ' +
    'exist.)',
  imgSecretServers: 'See whether {secret} has credentials for {registry}, and which user',
  imgRenewSecret: 'Renew the credentials in {secret}, and give that user the right to pull {repository}',
  imgRateTitle: 'The pull limit of {registry} is used up',
  imgRateAnonymous:
    '{registry} limits anonymous pulls, and the nodes’ address has used up the limit (too many requests).',
  imgRate: '{registry} limits the pulls of this account or address, and the limit is used up (too many requests).',
  imgMirror: 'Or use a mirror or pull-through cache: see what {file} on {node} configures',
  imgPlatformTitle: 'Image {image} is not built for this node',
  imgPlatformAsked: 'The pod asks for {arch} (nodeSelector kubernetes.io/arch).',
  imgPlatform: 'The image exists, but has no variant for the CPU architecture (platform) of node {node}.',
  imgSpaceTitle: 'The disk of {node} is full',
  imgSpace: 'Image {image} can’t be unpacked: the disk of node {node} has no space left.',
  imgHttpTitle: 'Registry {registry} speaks HTTP, not HTTPS',
  imgHttp: 'The runtime asks {registry} by HTTPS, and the registry answers with plain HTTP: it has no TLS.',
  imgHosts: 'Give the registry a certificate, or declare it as plain HTTP (insecure) in {file} on each node',
  imgTlsTitle: 'The certificate of {registry} is not trusted',
  imgTls: 'The certificate of {registry} is signed by an authority (CA) that node {node} doesn’t trust.',
  imgTlsExpired: 'The certificate of {registry} has expired, or the clock of node {node} is wrong.',
  imgTlsName: 'The certificate of {registry} was issued for another name.',
  imgTlsShow: 'See the certificate of {registry}',
  imgTlsTrust: 'Install the CA on every node as {path}/ca.crt, so that its runtime trusts it; this is what is there',
  imgTlsOpenShiftMap: 'Put the CA of {registry} into a ConfigMap (add it there, if one is named already)',
  imgTlsOpenShift: 'Name the ConfigMap as additionalTrustedCA: OpenShift then installs the CA on every node',
  imgTlsRancher:
    'Name the CA file on every node in {file} (configs: {registry}: tls: ca_file), and restart {service} there; this ' +
    'is what it contains now',
  imgDnsTitle: 'Node {node} can’t resolve {host}',
  imgDns:
    'The DNS of node {node} (not that of the cluster) doesn’t resolve the name of registry {registry}: the name is ' +
    'misspelt or the resolver{server} doesn’t know it.',
  imgDnsHost:
    'The DNS of node {node} (not that of the cluster) doesn’t resolve the name {host}, which registry {registry} ' +
    'uses: the name is misspelt or the resolver{server} doesn’t know it.',
  imgDnsTry: 'Look the name up from node {node}',
  imgDnsConf: 'See which resolver {node} uses',
  imgNetTitle: 'Registry {registry} can’t be reached from {node}',
  imgNet: 'The connection from node {node} to {registry} fails ({what}): a firewall, a proxy, or the registry is down.',
  imgNetTry: 'Try the connection from {node}',
  imgDownTitle: 'Registry {registry} has errors',
  imgDown: '{registry} answers with an error of its own ({what}).',
  imgDownTry: 'See what the registry answers',
  imgTagTitle: 'Tag {version} of {repository} does not exist',
  imgTag:
    'The registry {registry} has no image {repository} with tag {version}: it is misspelt, was never pushed, ' +
    'or was removed.',
  imgDigestTitle: 'The digest of {repository} does not exist',
  imgDigest:
    'The registry {registry} has no image {repository} with digest {version}: it was deleted or is of another ' +
    'repository.',
  imgRepositoryTitle: 'Repository {repository} does not exist',
  imgRepository: 'The registry {registry} has no repository {repository} that this user can see.',
  imgTags: 'See which tags exist',
  imgSibling: 'The image of {other} in the same pod has the tag {tag}: most likely that is meant here, too.',
  imgSetSibling:
    'If tag {tag} exists, set it for {container} in {owner}; else push {version}, or set a tag that exists',
  imgSignatureTitle: 'The signature of {image} is not accepted',
  imgSignature: 'The runtime’s policy on {node} demands a signature that {image} doesn’t have.',
  imgPolicy: 'See the policy on {node}',
  imgNameTitle: 'The image name of {container} is not valid',
  imgName: '{image} is not a valid image name: {fault}',
  imgNameCase: '{image} is not valid: a repository name must be lowercase.',
  imgNameOutlook: 'Nothing is pulled until the name is changed.',
  imgNeverTitle: 'The image of {container} is not present on {node}',
  imgNever: 'imagePullPolicy is Never, and node {node} doesn’t have {image}.',
  imgNeverOutlook: 'The kubelet looks again at every sync; {container} starts once the image is on {node}.',
  imgNodeList: 'See which images {node} has',
  imgLoad: 'Load the image onto {node}',
  imgPolicyFix: 'Or set imagePullPolicy: IfNotPresent and an image from a registry in {owner}',
  archTitle: '{container}’s program is for another CPU architecture',
  arch:
    'Image {image} is built for another CPU architecture than that of node {node} (exec format error), or the ' +
    'file is a script without #!.',
  archNode: 'See the architecture of {node}',
  archBuild: 'Build and push the image for several architectures',
  archSelect: 'Or let it run only on matching nodes: nodeSelector kubernetes.io/arch in {owner}',
  schedPinned:
    'The pod is for node {node} only, and that node doesn’t have the {amount} of {resource} that it requests ' +
    'unrequested.',
  schedUntilPinned:
    'It is scheduled as soon as {node} has {amount} of {resource} unrequested; other nodes don’t count.',
  schedPinnedLook: 'See which pods on {node} request its {resource}; move one away or lower its request',
  schedPriority:
    'If every node has to run it, give it a priority class (system-node-critical) in {owner}, so that it preempts ' +
    'other pods',
  gatesTwoTitle: 'The pod is held back by the scheduling gates {names}',
  schedTaintMeant:
    '{nodes} nodes have the taint {taint}, which the pod doesn’t tolerate; most likely they are those that it asks ' +
    'for ({wanted}).',
  schedTaintSelected:
    '{nodes} nodes have the taint {taint}, which the pod doesn’t tolerate; they may be those that its nodeSelector ' +
    'or node affinity means.',
  imgRateWindow:
    'The limit counts the pulls of the last hours (6 h at Docker Hub), so that a later pull succeeds without any ' +
    'change.',
  objectKeyFor: 'Container {container} needs it for {variable}.',
  objectKeyAdd: 'Add the key {key} to {name}',
  schedInsufficientZone:
    'The containers request {amount} of {resource}, and {nodes} nodes don’t have that much unrequested. A ' +
    'suitable node that can use the volume of claim {claims} can only be among these, because the scheduler checks ' +
    'volumes after {resource}.',
  schedInsufficientLabels:
    'The containers request {amount} of {resource}, and the {nodes} nodes with the labels {wanted} don’t have that ' +
    'much unrequested.',
  schedAddNodeZone:
    'Else add a node with at least {amount} of free {resource} in the zone of the volume of {claims}; these are ' +
    'the sizes and zones of the nodes',
  schedAddNodeLabels:
    'Else add a node with at least {amount} of free {resource} and the labels {wanted}; these are the sizes of the ' +
    'nodes',
  schedUntilRoomZone: 'It is scheduled as soon as a node that can use the volume of {claims} has room for it.',
  schedUntilRoomLabels: 'It is scheduled as soon as a node with the labels {wanted} has room for it.',
  imgCloud:
    '{registry} refuses {repository} without credentials. On {cloud} the nodes bring their own: the identity of ' +
    'node {node} lacks the right to pull ({right}), and the pod has no imagePullSecrets. (A registry answers the ' +
    'same for a repository that doesn’t exist.)',
  imgCloudGrant: 'Give the identity of the nodes (the node role or node service account) the right {right}',
  imgCloudExists: 'See whether the repository and the tag exist in that account and region',
  imgCloudSecret: 'Or, outside of that cloud, create a pull secret; its token is valid for {hours} h only',
  attachLimitFix: 'Free a slot on {node}: see which of its pods have volumes, and let one of them move',
  attachLimitMove:
    'Or keep new pods off {node} and delete this pod, so that its replacement gets another node (larger machine ' +
    'types attach more)',
  schedUntilSpreadRoom:
    'It is scheduled when a node that the spread constraint on {key} allows has room: both must hold at once.',
  attachDriver: 'The attacher (external-attacher) of driver {driver} doesn’t report that it is done.',
  schedNoDevice:
    'The other nodes ({nodes}) have no free {resource}; nodes with such a device are usually those with the taint.',
  schedLabelsOne: 'One node doesn’t have the labels that nodeSelector or node affinity asks for: {wanted}.',
  schedCordonedOne:
    'One node is cordoned (SchedulingDisabled): that is maintenance of the node, not a problem of the pod.',
  schedTaintOne: 'One node has the taint {taint}, which the pod doesn’t tolerate.',
  schedNodeStateOne: 'One node is {state} (taint {taint}): a problem or maintenance of the node, not of the pod.',
  schedInsufficientOne:
    'The containers request {amount} of {resource}, and one node doesn’t have that much unrequested.',
  ownOperatorFind:
    'Operator {name} makes {owner} and would undo a change of it. See from which custom resource (kind and name)',
  schedStock: 'The autoscaler can’t add a node, because the cloud has no such machines left at the moment: “{said}”.',
  schedQuota: 'The autoscaler can’t add a node, because a quota of the cloud project is used up: “{said}”.',
  schedScaleFailed: 'The autoscaler tried to add a node and failed: “{said}”.',
  schedStockFix:
    'Offer another zone, machine type or GPU: add such a node pool, and let nodeSelector or affinity of ' +
    '{owner} accept it (or reserve capacity)',
  schedQuotaFix: 'Raise the quota in the cloud project; see what the autoscaler says',
  schedScaleFailedLook: 'See what the autoscaler says about the node group',
  schedScaleRetry:
    'The autoscaler tries again after a back-off of some minutes, and the pod is scheduled once a machine is ' +
    'available.',
  schedVolumeAdd:
    'Add a node in the zone of the volumes, or a machine type that takes more of them; or move pods with ' +
    'volumes away',
  schedVolumeAddLabels:
    'Add a node with {labels} in the zone of the volumes, or a machine type that takes more of them; or move ' +
    'pods with volumes away',
  imgCloudAccount:
    'If the nodes belong to another account than {account}, allow that account in the policy of the ' +
    'repository (ecr:BatchGetImage, ecr:GetDownloadUrlForLayer); this shows it',
  smbDeniedTitle: '{server} refuses the mount of the share',
  smbDenied:
    'The server refuses node {node} the share {share} ({said}): user or password in the driver’s Secret is ' +
    'wrong, or that user has no right to the share.',
  smbDeniedAzure:
    'Azure Files refuses node {node} the share {share} ({said}): the key of the storage account in the ' +
    'driver’s Secret is wrong (for example rotated), or the account forbids the access (firewall, access with ' +
    'keys disabled).',
  smbAzureKey: 'See the present keys of the storage account',
  smbAzureSecret:
    'Put the present key into the Secret azure-storage-account-…-secret (azurestorageaccountkey), which the ' +
    'volume names',
  smbAzureRules: 'See whether the account admits the network of the nodes, and access with keys',
  smbSecret: 'Correct user and password in the Secret that the volume names',
  smbSecretName: 'See which Secret the volume names',
  smbGoneTitle: 'Share {share} does not exist',
  smbGone: 'The server has no share or directory {share} ({said}).',
  smbGoneFix: 'Create the share on {server}, or correct its name in the volume of {owner}',
  smbDownTitle: 'File server {server} can’t be reached',
  smbDown:
    'Node {node} gets no connection to {server} on port 445 ({said}): a firewall, DNS or the server itself is ' +
    'the reason.',
  smbReach: 'See whether the node reaches port 445 of {server}',
  runPackages:
    'The packages {path} are not installed in the image: the step that installs them is missing from the ' +
    'build of the image, or doesn’t install their group.',
  runConnectionTitle: '{container} has no connection string',
  runConnection:
    'The program opens a database connection without a connection string: the setting is missing, or has ' +
    'another name than the program reads.',
  runConnectionFix:
    'Set the connection string in {owner} with the name that the program reads, for example the variable ' +
    'ConnectionStrings__{name} from a Secret',
  exitWaitedTitle: '{container} waited in vain and exits with code {code}',
  exitWaited:
    'The program ran {ran}, which is as long as its argument {setting} lets it wait: what it waits for didn’t ' +
    'happen in time. The status doesn’t say why; its log does.',
  exitWaitedCert:
    'It waits for the API of cert-manager, which its webhook answers: the pods of webhook and cainjector ' +
    'aren’t ready, or the API server doesn’t reach the webhook (port 10250; security groups, NetworkPolicy, ' +
    'CNI).',
  exitWaitedLog: 'Read in the log of {container} what it waited for',
  exitWaitedPods: 'See whether the pods in {namespace} that it may wait for are ready',
} as const satisfies Readonly<Record<string, string>>;
