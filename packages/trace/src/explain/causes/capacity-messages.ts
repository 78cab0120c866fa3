/** Contains the English texts about nodes that Karpenter can’t make, and groups of pods that aren’t complete. */
export const capacityMessages = {
  schedGangFew:
    'The pods of group {group} are only scheduled together: the group needs {want} pods (minMember), and ' +
    '{have} exist.',
  schedGang: 'The pods of its group {group} are only scheduled together, and the group isn’t complete yet: {text}.',
  schedUntilGang: 'It is scheduled together with the others when all pods that the group needs exist and fit.',
  schedGangLook: 'See how many pods the group needs, and its events',
  schedGangPods: 'See which pods of the group exist, and what the others wait for (quota, a refusal, no room)',
  schedGangFix: 'Make the number of replicas and the minimum of the group match, in {owner}',
  karpenterSize:
    'Karpenter can’t make a node for it: no instance type of NodePool {pool} offers what the pod and the ' +
    'daemons of a node need ({asked}).',
  karpenterSizeOf:
    'Karpenter can’t make a node for it: no instance type of NodePool {pool} offers what the pod and the ' +
    'daemons of a node need ({asked}) and also matches the pod’s own requirement {own}.',
  karpenterLimit: 'Karpenter can’t make a node for it: NodePool {pool} has reached its limits (spec.limits).',
  karpenterLabels:
    'Karpenter can’t make a node for it: NodePool {pool} offers no node with the labels that nodeSelector or ' +
    'node affinity asks for: {text}.',
  karpenterTaint:
    'Karpenter can’t make a node for it: the pod doesn’t tolerate the taints of any NodePool ({pools}): {text}.',
  karpenterOther: 'Karpenter can’t make a node for it in NodePool {pool}: {text}.',
  karpenterUntil:
    'Karpenter tries again, and fails the same way until the pod or a NodePool changes; then it makes a node.',
  karpenterLook: 'See what the NodePool allows (requirements, limits, taints)',
  karpenterRaise: 'Raise spec.limits of the NodePool',
  karpenterLess:
    'Or lower the requests, or allow larger instance types in NodePool {pool}; the requests are in {owner}',
  karpenterRelaxOrLess: 'Remove or widen {own} (nodeSelector, node affinity), or lower the requests, in {owner}',
  karpenterRelax: 'Correct nodeSelector or node affinity in {owner} to labels that a NodePool offers',
  karpenterTolerate: 'If the pod may run on such nodes, add the toleration to {owner}',
  schedTaintUnnamed:
    '{nodes} nodes have taints that the pod doesn’t tolerate; the scheduler’s message doesn’t name the taints.',
  schedTaintUnnamedOne:
    'One node has a taint that the pod doesn’t tolerate; the scheduler’s message doesn’t name the taint.',
  schedTaintUnnamedControl:
    'Most likely they are nodes of the control plane, which aren’t for ordinary pods: nothing is to be done there.',
  schedTaintUnnamedControlOne:
    'Most likely it is the node of the control plane, which isn’t for ordinary pods: nothing is to be done there.',
  schedTaintUnnamedSelected: 'They may be those that the pod asks for ({wanted}).',
  schedTaintUnnamedSelectedOne: 'It may be the one that the pod asks for ({wanted}).',
  schedUntilUnnamed: 'It is scheduled when a node without such a taint has room.',
  schedUntilUnnamedSelected:
    'It isn’t scheduled by itself: it needs a toleration, or a node without such a taint that also matches its ' +
    'nodeSelector and node affinity.',
  schedTolerateUnnamed:
    'If the pod belongs on such a node, add a toleration for its taint to {owner}; else provide a node without it',
  schedStartupTaint:
    '{nodes} nodes still have the taint {taint}, with which they start: {agent} removes it once a node is ' +
    'set up, and hasn’t done so.',
  schedStartupTaintOne:
    'One node still has the taint {taint}, with which it starts: {agent} removes it once the node is set up, ' +
    'and hasn’t done so.',
  schedUntilStarted: 'It is scheduled when {agent} has removed the taint from a node with room.',
  schedStarterLook: 'See whether {agent} runs, and read its log; it removes the taint itself',
  schedStarterNodes: 'See which nodes still have the taint',
  schedHugePagesAre:
    'Huge pages are reserved on a node, best when it boots; the kubelet counts only what was reserved before ' +
    'it started.',
  schedHugePages: 'See how many {resource} the nodes have reserved',
  schedHugePagesFix:
    'Reserve more on the node (kernel arguments hugepagesz and hugepages) and restart its kubelet, or ' +
    'request less of {resource} in {owner}',
} as const satisfies Readonly<Record<string, string>>;
