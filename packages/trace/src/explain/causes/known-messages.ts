/**
 * Contains the English texts of failures of known programs, runtimes, storage drivers and network plugins.
 */
export const knownMessages = {
  knownBuildTitle: 'The image of {container} isn’t built as its program needs',
  knownBuild:
    'Image {image} lacks something that the program needs, or parts of it don’t fit together (runtime, ' +
    'libraries, code): “{what}”. Nothing in the cluster changes that.',
  knownBuildFix:
    'Build the image again with what the message names (base image, packages, start command), push it, and set ' +
    'it in {owner}',
  knownSchemaTitle: 'The database of {container} doesn’t have the schema that it expects',
  knownSchema: 'Migrations of the database haven’t run for this version of the program: “{what}”.',
  knownSchemaFix:
    'Run the migrations with this image before the program starts: as a Job of the release, or as an init ' +
    'container in {owner}',
  knownUpgradeTitle: '{container} can’t be upgraded to this version directly',
  knownUpgrade: 'The data of an older version lacks a step that must come before this version: “{what}”.',
  knownUpgradeFix:
    'Set the image of the version before in {owner}, do the step that the message names there, then upgrade again',
  knownOpenTitle: 'A file of {container} is readable or writable by too many users',
  knownOpen:
    'The program refuses a file or directory that other users than its owner can access: “{what}”. An fsGroup, ' +
    'or the default mode 0644 of mounted files, gives such rights.',
  knownOpenFix:
    'In {owner}, set defaultMode: 0400 for a mounted Secret or ConfigMap (0440 with fsGroup); for a directory ' +
    'of a volume, remove fsGroup or set the mode in an init container (chmod)',
  knownHomeTitle: 'The user of {container} can’t write to its home directory',
  knownHome:
    'The program writes to a directory in the home of its user, which doesn’t exist or belongs to another user: ' +
    '“{what}”. A numeric user without an entry in the image has / as its home.',
  knownHomeFix:
    'Set HOME (or the directory that it names) to a writable directory, for example HOME=/tmp or an emptyDir, ' +
    'in {owner}',
  knownSysctlTitle: '{container} may not change a setting of the kernel',
  knownSysctl:
    'The program writes a setting of the node’s kernel, and /proc/sys and /sys are read-only in a container ' +
    'without privileges: “{what}”.',
  knownSysctlFix:
    'Set it on the nodes, or let it be (an option of the program); a component of the node itself needs ' +
    'securityContext.privileged, in {owner}',
  knownTablesTitle: 'The kernel of {node} lacks what {container} needs for iptables',
  knownTables:
    '{container} sets rules for network traffic, and node {node} has not loaded the tables or modules for them: ' +
    '“{what}”. Rights aren’t the reason.',
  knownTablesFix: 'Load the modules on the node, and name them in /etc/modules-load.d for the next boot',
  knownTablesPlugin: 'Or let the network plugin of the mesh set the rules in place of {container}; see whether it runs',
  knownLoopTitle: 'CoreDNS forwards queries to itself',
  knownLoop:
    'CoreDNS found a loop and ends itself: it forwards to the name server in /etc/resolv.conf of node {node}, ' +
    'which is a local one (127.0.0.53 of systemd-resolved, or 127.0.0.1), so in the pod to itself.',
  knownLoopMap: 'Replace /etc/resolv.conf in “forward .” by the addresses of the real name servers',
  knownLoopFix:
    'Or let the kubelets use the real file, resolvConf: /run/systemd/resolve/resolv.conf, then make the pods of ' +
    '{owner} again',
  knownKubeletTitle: '{container} doesn’t trust the certificates of the kubelets',
  knownKubelet:
    'The kubelets serve port 10250 with certificates that they made themselves, without the address that the ' +
    'program uses: “{what}”.',
  knownKubeletRequests:
    'See whether certificates for the kubelets wait for approval; with serverTLSBootstrap: true in their ' +
    'configuration, approve them (kubectl certificate approve)',
  knownKubeletFix: 'Or don’t verify them (in tests; --kubelet-insecure-tls of metrics-server), in args of {owner}',
  knownEtcdTitle: 'The database of etcd has reached its quota',
  knownEtcd: 'etcd takes no more writes, because its database has reached --quota-backend-bytes: “{what}”.',
  knownEtcdList: 'See which members report it',
  knownEtcdDefrag: 'Free the space of old revisions, after a compaction (etcdctl compact REVISION)',
  knownEtcdDisarm: 'Then end the alarm, so that it takes writes again',
  knownEtcdFix:
    'If it fills again, raise --quota-backend-bytes (up to 8 GiB) and set --auto-compaction-retention in {owner}',
  knownVmTitle: 'The Java VM of {container} doesn’t accept its options',
  knownVm:
    'The Java VM ends before the program starts: “{what}”. Its options come from JAVA_TOOL_OPTIONS, JAVA_OPTS ' +
    'or the command line.',
  knownVmFix:
    'Correct that option (a heap below the memory limit, -Xms up to -Xmx; options that this release of Java ' +
    'has) in {owner}',
  knownFoundTitle: 'lost+found in the volume disturbs {container}',
  knownFound:
    'A new file system contains the directory lost+found, and the program expects only its own files there: ' +
    '“{what}”.',
  knownFoundFix:
    'Mount a directory below the root of volume {volume} (subPath: data), or let the program use a subdirectory (for ' +
    'PostgreSQL, PGDATA below the mount point), in {owner}',
  crashAtOnce: '{container} is started again at once: the first restart has no back-off, the second has one of 10 s.',
  mountUuidTitle: 'The file system of {volume} has the UUID of another one on {node}',
  mountUuid:
    'The disk is a copy (restored snapshot, clone) of a disk that node {node} has mounted, and XFS mounts no ' +
    'two file systems with the same UUID. The file system isn’t damaged.',
  mountUuidLook:
    'Mount it without this check (nouuid; also in mountOptions of its StorageClass), or let the pod run on ' +
    'another node',
  mountTargetTitle: 'The file system {what} has no address in the network of {node}',
  mountTarget:
    'DNS on node {node} doesn’t know {what}: the id is wrong, or the file system has no mount target in the VPC ' +
    'and zone of the node.',
  mountTargetLook:
    'See the mount targets of the file system; make one in the zone of the node, with a security group that ' +
    'allows port 2049',
  mountUsedTitle: 'The volume of {claim} is still in use elsewhere',
  mountUsed:
    'Another machine has {volume} mapped or mounted, and hasn’t let it go: most likely the node of the pod ' +
    'before, which was lost or couldn’t unmount it.',
  mountUsedLook: 'See which node has it; if that node is dead, shut it down for sure before you remove its attachment',
  mountProtocolTitle: 'Server and node {node} don’t share a version of NFS',
  mountProtocol: 'The NFS server of {volume} refuses the version of NFS with which node {node} mounts ({what}).',
  mountProtocolLook:
    'See its server and mountOptions; set a version that the server has (nfsvers=4.1), or enable that version ' +
    'on the server',
  mountUnwatchedTitle: 'The kubelet of {node} doesn’t watch {what} at the moment',
  mountUnwatched:
    '{what} needn’t be missing: the kubelet reads only the objects of the pods that it knows, and this pod ' +
    'isn’t among them yet or any more (it has restarted, or the pod ends).',
  mountUnwatchedLook: 'If it lasts for minutes, see what the kubelet says',
  mountDetachedTitle: 'The storage system has no healthy copy of volume {what}',
  mountDetached:
    'Longhorn doesn’t attach {what}, because the volume is faulted, restoring or has no replica that works.',
  mountDetachedLook: 'See its state, robustness and replicas',
  sandboxMemory:
    'The memory limit of the pod is too small even for its sandbox: the kernel killed the first process for ' +
    'lack of memory (OOM). A wrong unit is likely (m instead of Mi, or a plain number of bytes).',
  sandboxMemoryFix: 'Raise resources.limits.memory in {owner}, and look at its unit',
  sandboxProcesses:
    'Node {node} has no processes, files or memory left for a new sandbox ({what}): a pod without a limit of ' +
    'processes, or too many pods.',
  sandboxProcessesLook: 'See how many processes {node} has and may have, and its memory',
  sandboxCordon: 'Meanwhile, keep new pods away from {node}',
  sandboxCgroups:
    'The kernel of {node} makes no more control groups (cgroups). The disk isn’t full: old kernels keep the ' +
    'groups of ended containers.',
  sandboxCgroupsLook: 'See how many groups exist (num_cgroups)',
  sandboxDrain: 'Empty {node}, restart it, and update its kernel',
  sandboxNetwork:
    'The pod asks for the additional network {name}, and namespace {space} has no NetworkAttachmentDefinition ' +
    'of that name.',
  sandboxNetworkLook: 'See which ones exist, and where; make {name} in namespace {space}',
  sandboxNetworkFix: 'Or correct the annotation k8s.v1.cni.cncf.io/networks (NAMESPACE/NAME) in {owner}',
  sandboxBridge:
    'The bridge {bridge} of node {node} has an address of an earlier pod network, and the network plugin wants ' +
    '{range}: the node kept it from another cluster or another podCIDR.',
  sandboxBridgeDelete:
    'Delete the bridge on {node}; the network plugin makes it again, and the node’s pods must be made again, too',
  knownSharedTitle: '{container} has too little shared memory',
  knownShared: '/dev/shm of a container has 64 MiB, and the program needs more: “{what}”. The disk isn’t full.',
  knownSharedFix: 'Mount an emptyDir in memory at /dev/shm in {owner}; it counts against the memory limit',
  knownGpuTitle: 'The memory of the GPU isn’t enough for {container}',
  knownGpu:
    'The program needs more memory of the GPU than is free: “{what}”. The memory limit of the container has no ' +
    'effect on that.',
  knownGpuFix:
    'Use a smaller model, batch or context (max_model_len), more of the GPU (gpu_memory_utilization), or nodes ' +
    'with a larger one, in {owner}; see that no other pod shares the GPU',
  knownRedisTitle: 'The Redis server of {container} refuses the command',
  knownRedis:
    'Redis answers, but its own state forbids the command (memory or disk full, or members of its cluster are ' +
    'missing): “{what}”.',
  knownRedisLook: 'See its pods and volumes; free or raise what it lacks (maxmemory, volume, replicas)',
  knownRedisFix: 'If it is the wrong server, correct its address in {owner}',
  knownMovedTitle: '{container} uses a Redis Cluster like a single server',
  knownMoved:
    'The server is part of a Redis Cluster and sends the program to another member: “{what}”. The client ' +
    'doesn’t follow.',
  knownMovedFix: 'Turn on the cluster mode of the client, or give it the address of a single Redis, in {owner}',
  knownSealedTitle: 'The Vault of {container} is sealed',
  knownSealed: 'Vault has restarted and needs its unseal keys (or its auto-unseal) before it answers: “{what}”.',
  knownSealedLook: 'Find its pods, and unseal each of them: kubectl exec POD -- vault operator unseal',
  knownSealedFix: 'If another Vault is meant, correct its address in {owner}',
  knownTrustTitle: 'The AWS role doesn’t trust the service account of {container}',
  knownTrust:
    'AWS refuses to give service account {account} of namespace {namespace} its role: the trust policy of the ' +
    'role doesn’t name this OIDC provider or this account.',
  knownTrustLook:
    'Compare the role in its annotation eks.amazonaws.com/role-arn with the trust policy: sub must be ' +
    'system:serviceaccount:{namespace}:{account}',
  knownTrustFix: 'If another service account has the role, set serviceAccountName in {owner}',
  knownGatedTitle: '{container} may not download the model',
  knownGated: 'Hugging Face wants a token of a user who has accepted the conditions of the model: “{what}”.',
  knownGatedLook: 'See whether a Secret with a token exists in the namespace',
  knownGatedFix: 'Set HF_TOKEN from a Secret in {owner}, after its user has access to the model',
  knownObjectTitle: '{container} doesn’t find {resource} {name} in the cluster',
  knownObject:
    'The program asks the API server for {resource} {name}, which doesn’t exist in the namespace that it asks: ' +
    '“{what}”.',
  knownObjectLook: 'See whether it exists, and in which namespace; create it if it is missing',
  knownObjectFix: 'Or correct its name or namespace in {owner}',
  knownConfigTitle: '{container} doesn’t accept its configuration',
  knownConfig: 'The program rejects its configuration file or doesn’t find it, and exits: “{what}”.',
  knownConfigFix: 'Correct that file or its path in {owner}, or in the ConfigMap that it comes from',
  knownTargetTitle: '{container} is started with an application that its image doesn’t have',
  knownTarget: 'The server doesn’t find the application (module:attribute) that its command names: “{what}”.',
  knownTargetAttribute: 'The server finds module {module}, but no attribute {attribute} in it: “{what}”.',
  knownTargetSet: 'The command names {target}.',
  knownTargetFix:
    'Correct module and attribute of the application in command or args of {owner} (or in the start command ' +
    'of the image), or use the image that has it',
  knownSysctlInit:
    'If this init container is meant to set up the node, let it run privileged (the namespace must allow ' +
    'that), in {owner}',
  knownApiTitle: '{container} uses an API that this cluster doesn’t serve',
  knownApi:
    'The program asks the API server for a resource in a version that it doesn’t have: “{what}”. Usually a ' +
    'newer Kubernetes has removed an old version (v1beta1), so image {image} is too old for this cluster; ' +
    'else a CRD isn’t installed.',
  knownApiLook: 'See which API versions the cluster serves',
  knownApiFix: 'Use a release of the program (and of its chart) that supports this release of Kubernetes, in {owner}',
} as const satisfies Readonly<Record<string, string>>;
