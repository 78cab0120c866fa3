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
  probeFlaps:
    '{container} is ready at this moment, but its {kind} probe failed {failures} times between {first} and {last}.',
  probeFlapsOutlook: 'It continues to fail now and then, and gets no traffic while it isn’t ready.',
  // Init containers that run
  initSince: 'Init container {container} has been running since {time} and doesn’t end.',
  initRunsSaid:
    'Init container {container} has been running since {time}. The last thing it reported: “{line}”.',
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
  mountHelperModule: 'The kernel of node {node} doesn’t know file system {type}: package {package} contains it.',
  mountHelperAdd: 'Install {package} on {node}, and add it to the image or setup of the nodes',
  mountHelperElse: 'Until then, keep pods with this volume away from {node}',
  mountHelperMove: 'Then delete the pod, so that its replacement goes to another node',
  // postStart hooks
  hookSaid: 'The hook’s output: “{output}”.',
  hookAfter: 'It fails after {ran}.',
  hookSilent: 'Its output isn’t in the log of the container: only the kubelet logs it.',
  hookOutput: 'Read the hook’s output in the kubelet’s log on {node}',
  hookCorrect: 'Correct the command of the postStart hook of {container} in {owner}, or let it end with || true',
} as const satisfies Readonly<Record<string, string>>;
