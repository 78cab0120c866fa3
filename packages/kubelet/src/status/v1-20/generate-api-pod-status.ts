/**
 * Generates the API's pod status as in v1.20. Upstream: generateAPIPodStatus, getPhase (pkg/kubelet/kubelet_pods.go,
 * v1.20).
 */
import { type PodStatus as ApiPodStatus, computePodQOS, type PodCondition } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { updatePodStatusV120 } from '../../prober/v1-20/update-pod-status.ts';
import { kubeletConditionTypes, podReadyCondition, podScheduledCondition } from '../conditions.ts';
import { containerStatuses } from '../generate-api-pod-status.ts';
import { isTerminalPhase } from '../manager/merge-pod-status.ts';
import { countStates, getPhase } from '../phase.ts';
import type { StatusInput } from '../status-input.ts';
import { containersReadyConditionV120, podInitializedConditionV120 } from './conditions.ts';
import { containerStatusV120 } from './container-statuses.ts';

/**
 * Returns the API's status of the pod. Emits decisions and has no other side effects. The status has a reason and a
 * message only while their cause exists.
 */
export function generateAPIPodStatusV120(ctx: Context, input: StatusInput): ApiPodStatus {
  const { pod, podStatus, cached, gates } = input;
  const statuses = containerStatuses(input, cached ?? pod.status, containerStatusV120);
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !kubeletConditionTypes.has(type));
  const base: ApiPodStatus = {
    ...statuses,
    conditions: foreign,
    qosClass: computePodQOS(pod, false),
    ...(podStatus.ips.length > 0 ? { podIP: podStatus.ips[0], podIPs: podStatus.ips.map((ip) => ({ ip })) } : {}),
  };
  const verdict = input.shouldEvict(pod);
  // For an evicted pod, upstream returns the status without probe results and conditions.
  if (verdict) return { ...base, phase: 'Failed', ...verdict };

  const phaseInput = {
    pod,
    initStatuses: statuses.initContainerStatuses ?? [],
    containerStatuses: statuses.containerStatuses ?? [],
    podIsTerminal: false,
    podHasInitialized: true,
    gates,
  };
  const counters = countStates(phaseInput);
  const { phase: computed, rule } = getPhase(phaseInput, counters);
  ctx.tracer.decide(ctx, 'generateAPIPodStatus.phase', () => ({ ...counters, rule }), computed);
  // A terminal phase in the API is final.
  const phase = isTerminalPhase(pod.status?.phase) ? (pod.status?.phase ?? computed) : computed;
  const status = updatePodStatusV120(pod, { ...base, phase }, input.probes);
  return { ...status, conditions: conditions(input, status, foreign), ...addresses(input) };
}

function conditions(
  input: StatusInput,
  status: ApiPodStatus,
  foreign: readonly PodCondition[],
): readonly PodCondition[] {
  const context = { pod: input.pod, status, phase: status.phase ?? 'Pending', old: input.cached, gates: input.gates };
  return [
    ...foreign,
    podInitializedConditionV120(context),
    podReadyCondition(context, foreign, containersReadyConditionV120),
    containersReadyConditionV120(context),
    podScheduledCondition(context),
  ];
}

/**
 * Returns the node's and the pod's addresses; no addresses without an API server. A pod on the host network gets only
 * the node's first address, because the gate IPv6DualStack is off by default.
 */
function addresses({ pod, podStatus, nodeIPs }: StatusInput): Pick<ApiPodStatus, 'hostIP' | 'podIP' | 'podIPs'> {
  const [hostIP] = nodeIPs;
  if (hostIP === undefined) return {};
  if (!pod.spec.hostNetwork || podStatus.ips.length > 0) return { hostIP };
  return { hostIP, podIP: hostIP, podIPs: [{ ip: hostIP }] };
}
