/** The API's status of a pod as v1.20 made it. Upstream: generateAPIPodStatus, getPhase (pkg/kubelet/kubelet_pods.go, v1.20). */
import { type PodStatus as ApiPodStatus, computePodQOS, type PodCondition } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { updatePodStatusV120 } from '../prober/update-pod-status-v1-20.ts';
import { kubeletConditionTypes, podReadyCondition, podScheduledCondition } from './conditions.ts';
import { containersReadyConditionV120, podInitializedConditionV120 } from './conditions-v1-20.ts';
import { containerStatusV120 } from './container-statuses.ts';
import { containerStatuses, type StatusInput } from './generate-api-pod-status.ts';
import { isTerminalPhase } from './merge-pod-status.ts';
import { countStates, getPhase } from './phase.ts';

/** Generates the status. Pure, but for decisions told to the tracer. Reason and message live only as long as what causes them. */
export function generateAPIPodStatusV120(ctx: Context, input: StatusInput): ApiPodStatus {
  const { pod, podStatus, cached, gates } = input;
  const statuses = containerStatuses(input, cached ?? pod.status, containerStatusV120);
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !kubeletConditionTypes.has(type));
  const base: ApiPodStatus = {
    ...statuses,
    conditions: foreign,
    qosClass: computePodQOS(pod),
    ...(podStatus.ips.length > 0 ? { podIP: podStatus.ips[0], podIPs: podStatus.ips.map((ip) => ({ ip })) } : {}),
  };
  const verdict = input.shouldEvict(pod);
  // Upstream returns here: neither probes nor conditions are looked at again.
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
  // What the API once called the end stays the end.
  const phase = isTerminalPhase(pod.status?.phase) ? (pod.status?.phase ?? computed) : computed;
  const status = updatePodStatusV120(pod, { ...base, phase }, input.probes);
  return { ...status, conditions: conditions(input, status, foreign), ...addresses(input) };
}

function conditions(input: StatusInput, status: ApiPodStatus, foreign: readonly PodCondition[]): readonly PodCondition[] {
  const context = { pod: input.pod, status, phase: status.phase ?? 'Pending', old: input.cached, gates: input.gates };
  return [
    ...foreign,
    podInitializedConditionV120(context),
    podReadyCondition(context, foreign, containersReadyConditionV120),
    containersReadyConditionV120(context),
    podScheduledCondition(context),
  ];
}

/** Without an API server nobody asks where the node is. */
function addresses({ pod, podStatus, nodeIPs }: StatusInput): Pick<ApiPodStatus, 'hostIP' | 'podIP' | 'podIPs'> {
  const [hostIP] = nodeIPs;
  if (hostIP === undefined) return {};
  if (!pod.spec.hostNetwork || podStatus.ips.length > 0) return { hostIP };
  return { hostIP, podIP: hostIP, podIPs: nodeIPs.map((ip) => ({ ip })) };
}
