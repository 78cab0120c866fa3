/**
 * Repeats the scheduler's checks on the node: resources, affinity, ports, taints. Upstream:
 * pkg/kubelet/lifecycle/predicate.go (v1.36).
 */
import { isCriticalPod, isStaticPod, type Node, type Pod, type Toleration } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { matchesNodeSelectorAndAffinity } from './node-affinity.ts';
import { insufficientResources } from './resources.ts';
import type { AdmissionHandler, AdmissionInput, Rejection } from './types.ts';

const operatingSystem = 'linux';

const nodeAffinity = 'NodeAffinity';

/** The differences between releases. */
interface PredicateRules {
  readonly failed: (predicate: string, detail: string) => Rejection;
  readonly checksOperatingSystem: boolean;
  readonly checksTaints: boolean;
  readonly checksSupplementalGroups: boolean;
  /** Whether the node is fetched again when the node affinity is all that rejects a pod. */
  readonly fetchesNode: boolean;
}

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const hostPorts = ({ spec }: Pod): readonly HostPort[] =>
  [...spec.containers, ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')]
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort }) => hostPort !== undefined && hostPort > 0)
    .map(({ hostPort = 0, hostIP, protocol = 'TCP' }) => ({ ip: hostIP || '0.0.0.0', protocol, port: hostPort }));

const collide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0');

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

const tolerates = ({ key, operator = 'Equal', value, effect }: Toleration, taint: Taint): boolean =>
  (!effect || effect === taint.effect) &&
  (!key || key === taint.key) &&
  (operator === 'Exists' || (value ?? '') === (taint.value ?? '')) &&
  !(operator === 'Equal' && !key);

function untoleratedTaint(pod: Pod, node: Node): boolean {
  if (isStaticPod(pod)) return false;
  const taints = (node.spec as { readonly taints?: readonly Taint[] } | undefined)?.taints ?? [];
  return taints.some(
    (taint) =>
      taint.effect === 'NoExecute' && !pod.spec.tolerations?.some((toleration) => tolerates(toleration, taint)),
  );
}

/** Returns the failed checks other than missing resources: node affinity, node name, host ports and taints. */
function generalFailures(
  { failed, checksTaints }: PredicateRules,
  { pod, others, node, nodeName }: AdmissionInput & { readonly node: Node },
): readonly Rejection[] {
  const failures: Rejection[] = [];
  if (!matchesNodeSelectorAndAffinity(pod, node))
    failures.push(failed(nodeAffinity, "node(s) didn't match Pod's node affinity/selector"));
  if (pod.spec.nodeName && pod.spec.nodeName !== nodeName)
    failures.push(failed('NodeName', "node(s) didn't match the requested node name"));
  const taken = others.flatMap(hostPorts);
  if (hostPorts(pod).some((port) => taken.some((other) => collide(port, other)))) {
    failures.push(failed('NodePorts', "node(s) didn't have free ports for the requested pod ports"));
  }
  if (checksTaints && untoleratedTaint(pod, node))
    failures.push(failed('TaintToleration', "node(s) had taints that the pod didn't tolerate"));
  return failures;
}

/** The failed checks of a pod on a node. */
interface Failures {
  readonly missing: readonly Rejection[];
  readonly general: readonly Rejection[];
}

const failuresOn = (rules: PredicateRules, input: AdmissionInput, node: Node): Failures => ({
  missing: insufficientResources(input.pod, input.others, node.status?.allocatable ?? {}, input.podLevelResources),
  general: generalFailures(rules, { ...input, node }),
});

/** Runs the checks in order and returns the first failure. */
function predicate(
  rules: PredicateRules,
  input: AdmissionInput,
  ctx: Context,
): Rejection | undefined | Promise<Rejection | undefined> {
  const { pod, node, runtimeFeatures } = input;
  if (!node) return { reason: 'InvalidNodeInfo', message: 'Kubelet cannot get node info.' };
  const { checksOperatingSystem, checksSupplementalGroups } = rules;
  const label = checksOperatingSystem ? pod.metadata.labels?.['kubernetes.io/os'] : undefined;
  if (label !== undefined && label !== operatingSystem) {
    const message = "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label";
    return { reason: 'PodOSSelectorNodeLabelDoesNotMatch', message };
  }
  if (checksOperatingSystem && pod.spec.os && pod.spec.os.name !== operatingSystem) {
    return { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
  }
  // The kubelet publishes the runtime's features in the status of the node, which upstream reads here.
  const isStrict = pod.spec.securityContext?.supplementalGroupsPolicy === 'Strict';
  if (checksSupplementalGroups && isStrict && runtimeFeatures?.supplementalGroupsPolicy !== true) {
    const message = 'SupplementalGroupsPolicy=Strict is not supported in this node';
    return { reason: 'SupplementalGroupsPolicyNotSupported', message };
  }
  const failures = failuresOn(rules, input, node);
  const isOnlyAffinity =
    failures.missing.length === 0 && failures.general.every(({ reason }) => reason === nodeAffinity);
  return rules.fetchesNode && failures.general.length > 0 && isOnlyAffinity && input.fetchNode
    ? onFetchedNode(rules, input, input.fetchNode, failures, ctx)
    : firstFailure(pod, failures);
}

/**
 * Repeats the checks with the node as the API has it now, because its labels may have changed. Emits
 * `admission.fetchNode`. Upstream: predicateAdmitHandler.generalFilter (v1.36).
 */
async function onFetchedNode(
  rules: PredicateRules,
  input: AdmissionInput,
  fetchNode: () => Promise<Node | undefined>,
  failures: Failures,
  ctx: Context,
): Promise<Rejection | undefined> {
  const node = await fetchNode();
  const rejection = firstFailure(input.pod, node ? failuresOn(rules, input, node) : failures);
  const outcome = node ? (rejection?.message ?? 'the node matches now') : "the node can't be read";
  const facts = { pod: input.pod.metadata.name, labels: node?.metadata.labels };
  ctx.tracer.decide(ctx, 'admission.fetchNode', facts, outcome, rejection !== undefined);
  return rejection;
}

/** Returns the failure that counts; undefined if every check succeeded. */
function firstFailure(pod: Pod, { missing, general }: Failures): Rejection | undefined {
  // A critical pod preempts others to get missing resources, so only the other failures count against it.
  const [first] = isCriticalPod(pod) && general.length > 0 ? general : [...missing, ...general];
  return first?.insufficient
    ? { ...first, insufficient: missing.flatMap(({ insufficient = [] }) => insufficient) }
    : first;
}

/** Returns the handler that runs the predicates with a release's rules. */
export const predicatesHandler = (rules: PredicateRules): AdmissionHandler => ({
  name: 'predicates',
  admit: (input, ctx) => predicate(rules, input, ctx),
});

export const predicatesV136 = predicatesHandler({
  failed: (name, detail) => ({ reason: name, message: `Predicate ${name} failed: ${detail}` }),
  checksOperatingSystem: true,
  checksTaints: true,
  checksSupplementalGroups: true,
  fetchesNode: true,
});
