/**
 * Contains the English texts of diagnoses of containers that run although something in them fails, and of what a node
 * or a registry needs.
 */
export const runningMessages = {
  // Processes that are killed inside a container that continues
  workersTitle: 'Processes in {container} are killed, and the container continues to run',
  workers:
    'The log of {container} reports {count} killed processes (SIGKILL). Its main process survives and starts new ' +
    'ones, so the container isn’t restarted and its status shows nothing.',
  workersLimit:
    'Most likely the processes together reach the memory limit of {limit}, and the kernel kills one of them each time.',
  workersLimitCount:
    'Most likely {workers} processes ({place}) together reach the memory limit of {limit}, and the kernel kills one ' +
    'of them each time.',
  workersNode: '{container} has no memory limit, so most likely node {node} runs out of memory.',
  workersProbe: 'Its {kind} probe failed {failures} times in the last hour: a killed process answers no request.',
  workersOutlook:
    'It continues: each kill ends the requests or tasks of that process. The container isn’t restarted, and no ' +
    'back-off applies.',
  workersFewer: 'Or let fewer processes share the limit ({place}) in {owner}',
  workersFewerAny: 'Or run fewer processes at a time in {owner}',
  // Probes that fail now and then
  probeFlapsTitle: '{container} is ready only at times: its {kind} probe fails now and then',
  probeFlaps:
    '{container} is ready at this moment, but its {kind} probe failed {failures} times between {first} and {last}.',
  probeFlapsOutlook: 'It continues to fail now and then, and gets no traffic while it isn’t ready.',
  // Init containers that run
  initSince: 'Init container {container} has been running since {time} and doesn’t end.',
  initRunsSaid: 'Init container {container} has been running since {time}. The last thing it reported: “{line}”.',
  initRunsLogOutlook:
    '{container} runs until that is solved; there is no time limit. The other containers start only after it.',
  // Logins
  runDeniedVault:
    'See whether role {role} of Vault’s {mount} login exists, and names service account {account} ' +
    '(bound_service_account_names) and namespace {namespace}; if not, add them with vault write',
  // Credentials of registries that expire
  imgTokenTitle: '{registry} doesn’t accept the credentials in {secret}',
  imgToken:
    '{registry} refuses {repository} with the credentials in pull secret {secret}. Credentials of {cloud} are valid ' +
    'for {hours} h only, so those in {secret} have most likely expired.',
  imgTokenExpired:
    '{registry} refuses the credentials in pull secret {secret} because they have expired: credentials of {cloud} ' +
    'are valid for {hours} h.',
  imgTokenElse:
    'If they are new: their identity lacks the right to pull ({right}), or the repository is not in this registry.',
  imgTokenNone:
    'Pull secret {secret} contains no credentials for {registry} (the registry got none). Credentials of {cloud} are ' +
    'valid for {hours} h.',
  imgTokenOutside:
    'Node {node} is not a machine of {cloud}, so it gets no credentials by itself; those of a pull secret are valid ' +
    'for {hours} h only.',
  imgTokenRenew: 'Put a new token into {secret}',
  imgTokenAlways:
    'So that it doesn’t expire again: let the nodes get tokens themselves (credential provider, node role with ' +
    '{right}), or renew {secret} regularly with a CronJob. See what the kubelet of {node} uses',
  // Programs of the node that mount file systems
  mountHelperPackage:
    'Node {node} lacks the program that mounts file system {type}: mount.{type}, of package {package}. The node is ' +
    'most likely new, or its image was made without it.',
  mountHelperTool:
    'Node {node} lacks the program {type}, of package {package}, which the storage driver runs there. The node is ' +
    'most likely new, or its image was made without it.',
  mountHelperModule: 'The kernel of node {node} doesn’t know file system {type}: package {package} contains it.',
  mountHelperAdd: 'Install {package} on {node}, and add it to the image or setup of the nodes',
  mountHelperElse: 'Until then, keep pods with this volume away from {node}',
  mountHelperMove: 'Then delete the pod, so that its replacement goes to another node',
  // Pulls that the kubelet itself limits
  imgQpsTitle: 'The kubelet on {node} limits its own pulls',
  imgQps:
    'The kubelet on {node} was asked for more pulls at once than registryPullQPS and registryBurst allow (5 per ' +
    'second, 10 at once by default), and refused this one. The registry and the image aren’t the cause.',
  imgQpsWait: 'Wait: the next attempts are spread over time and succeed',
  imgQpsFix: 'If many pods start on {node} at a time, raise registryPullQPS and registryBurst in its configuration',
  // Command lines
  runWordsTitle: 'The command of {container} is one word with spaces',
  runWords:
    'The first word of {field} is “{whole}”. No shell splits it: the runtime looks for one program with that whole ' +
    'name, spaces included.',
  runWordsFix: 'Write it as a list of words, {words}, in {owner}',
  // Ownership of files
  runOwnerTitle: '{container} may not change the owner or mode of {path}',
  runOwner:
    'Only root with the capability to do so, or the owner, may change {path}; the program runs as another user.',
  runOwnerUser:
    'Only root or its owner may change the owner or mode of {path}; the program runs as user {user}, and the ' +
    'directory belongs to another. Write access (fsGroup) alone doesn’t suffice for that.',
  runOwnerDropped:
    'The program runs as root without the capabilities CHOWN and FOWNER, which the security context drops.',
  runOwnerData: 'Let PostgreSQL make its data directory itself, below the volume: PGDATA={value} in {owner}',
  runOwnerGroup: 'Set fsGroup {user}, so that it may write to the volume, in {owner}',
  runOwnerInit:
    'Or let an init container that runs as root change the owner once (chown), or use an image that runs without ' +
    'chown, in {owner}',
  runOwnerCapability: 'Add the capabilities CHOWN and FOWNER again, or set runAsUser and fsGroup, in {owner}',
  runChangelogUnlock: 'If none is, release the lock (“{unlock}”); migrate in one Job instead of in each pod of {owner}',
  // Probes and the ports of the program
  probeElsewhere:
    'Nothing listens on port {port}, which the {kind} probe asks: according to its log, the program listens on ' +
    '{ports}.',
  probeElsewhereFix:
    'Let the program listen on port {port} for its health (for many programs, an option turns that on), or correct ' +
    'the port of {field}, in {owner}',
  probeLoopback:
    'According to its log, the program listens on port {port} only for its own pod (127.0.0.1). The kubelet connects ' +
    'to the address of the pod.',
  probeLoopbackFix: 'Let the program listen on all addresses (0.0.0.0) in {owner}',
  // Files in memory
  oomFiles: 'Files in {files} count as memory: the volume is an emptyDir with medium Memory.',
  oomFilesFix: 'If large files are written to {files}, remove medium: Memory from that volume in {owner}',
  // Tokens, arguments and roles
  tokenFieldTitle: 'The token volume {name} has an invalid {field}',
  tokenField: 'The API server refuses the token that volume {name} asks for: {field}: {what}.',
  tokenFieldFix: 'Correct {field} of volume {name} in {owner}',
  runFlagsTitle: '{container} lacks the argument {flags}',
  runFlags: 'The program requires the argument {flags}, and its command line doesn’t have it.',
  runFlagsFix: 'Add {flags} with a value to args in {owner}',
  runRole: 'AWS role {role}, with which the program works, may not do {action} on {object}.',
  runRoleNode:
    'This is the role of the node, so service account {account} most likely has no role of its own (annotation ' +
    'eks.amazonaws.com/role-arn, or a Pod Identity association).',
  runRoleAccount: 'Give service account {account} a role that may do {action} on {object}',
  runRoleRestart: 'Then make new pods; if another service account has the role, set serviceAccountName in {owner}',
  profileTool:
    'The runtime on node {node} loads the security profile of {container} with the program {tool}, and the node ' +
    'doesn’t have it.',
  profileToolAdd: 'Install AppArmor’s tools on {node} ({tool}), and restart its runtime',
  profileToolElse: 'Or let the pod run only on nodes with AppArmor, or remove the profile of {container}, in {owner}',
  // Secret stores
  vaultAws: 'Allow role {role} the action {action} on {object}',
  vaultGoogle: 'Grant service account {account} the role with {right} on secret {secret}',
  // postStart hooks
  hookMissing: 'Image {image} has no program {program} that may be executed, so the hook can’t run.',
  hookSaid: 'The hook’s output: “{output}”.',
  hookAfter: 'It fails after {ran}.',
  hookSilent: 'Its output isn’t in the log of the container: only the kubelet logs it.',
  hookOutput: 'Read the hook’s output in the kubelet’s log on {node}',
  hookBash: 'The hook needs bash, which images based on Alpine usually don’t contain.',
  hookBashFix: 'Use /bin/sh in the postStart hook of {container} in {owner}, or an image with bash',
  hookCorrect: 'Correct the command of the postStart hook of {container} in {owner}, or let it end with || true',
  runAboutSecret: 'Correct key {key} of Secret {name} (its values are base64)',
  runReadOnlySomeTitle: '{container} writes to a read-only file system',
  runReadOnlySome: 'The program writes to a file system that is read-only in the container: “{line}”.',
  runReadOnlySomeFix:
    'Find out which path it writes; then mount a writable volume there, or let the program write elsewhere, ' +
    'in {owner}',
} as const satisfies Readonly<Record<string, string>>;
