/**
 * Generates the API's pod status from the runtime's. Upstream: generateAPIPodStatus (pkg/kubelet/kubelet_pods.go,
 * v1.36).
 */
import {
  type PodStatus as ApiPodStatus,
  type ContainerStatus,
  computePodQOS,
  type PodCondition,
  type PodPhase,
} from '@podscope/k8s';
import { podSandboxChanged } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { updatePodStatus } from '../prober/update-pod-status.ts';
import { withoutTracing } from '../util/without-tracing.ts';
import {
  allContainersRestartingCondition,
  containersReadyCondition,
  disruptionTarget,
  kubeletConditionTypes,
  podInitializedCondition,
  podReadyCondition,
  podReadyToStartContainersCondition,
  podScheduledCondition,
  withCondition,
} from './conditions.ts';
import {
  type ContainerStatusProfile,
  containerStatusV136,
  convertToAPIContainerStatuses,
} from './container-statuses.ts';
import { countStates, getPhase } from './phase.ts';
import { orderPodIPs } from './pod-ips.ts';
import { podLevelResources } from './pod-level-resources.ts';
import { allContainersCouldRestart, shouldAllContainersRestart } from './restart-all-containers.ts';
import { recordConditions, recordContainerStatuses, recordPodPhase } from './status-decisions.ts';
import type { StatusInput } from './status-input.ts';

const isTerminalPhase = (phase: PodPhase | undefined): phase is 'Succeeded' | 'Failed' =>
  phase === 'Succeeded' || phase === 'Failed';

/** Returns the API's status of the pod. Emits decisions and has no other side effects. */
export function generateAPIPodStatus(ctx: Context, input: StatusInput): ApiPodStatus {
  const { pod, cached, gates } = input;
  const old = cached ?? pod.status;
  const statuses = containerStatuses(input, old, containerStatusV136);
  const base = applyPhase(ctx, input, old, statuses);
  const probed = updatePodStatus(pod, { ...statuses, ...base }, input.probes, gates);
  recordContainerStatuses(ctx, input, old, probed);
  const status: ApiPodStatus = {
    ...probed,
    conditions: conditions(ctx, input, old, probed),
    qosClass: pod.status?.qosClass ?? computePodQOS(pod, gates.PodLevelResources),
    ...addresses(input),
    ...podLevelResources(input, old),
  };
  recordConditions(ctx, status, kubeletConditionTypes);
  return status;
}

export type ContainerStatuses = Pick<
  ApiPodStatus,
  'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'
>;

/** Returns the statuses of all containers of the pod. */
export function containerStatuses(
  input: StatusInput,
  old: ApiPodStatus | undefined,
  profile: ContainerStatusProfile,
): ContainerStatuses {
  const { pod, podStatus, reasons, gates, supportsRecursiveReadOnly = false } = input;
  const restartingAll = allContainersCouldRestart(pod) && shouldAllContainersRestart(pod, podStatus, old, gates);
  const common = { pod, podStatus, profile, restartingAll, reasons, gates, supportsRecursiveReadOnly };
  const { containers, initContainers, ephemeralContainers } = pod.spec;
  const convert = (
    kind: 'container' | 'init' | 'ephemeral',
    list: Parameters<typeof convertToAPIContainerStatuses>[0]['containers'] | undefined,
    previous: readonly ContainerStatus[] | undefined,
  ): readonly ContainerStatus[] | undefined =>
    list && list.length > 0
      ? convertToAPIContainerStatuses({ ...common, kind, containers: list, previous: previous ?? [] })
      : undefined;
  const result: { -readonly [Key in keyof ContainerStatuses]: ContainerStatuses[Key] } = {
    containerStatuses: convert('container', containers, old?.containerStatuses),
  };
  const init = convert('init', initContainers, old?.initContainerStatuses);
  if (init) result.initContainerStatuses = init;
  const ephemeral = gates.EphemeralContainers
    ? convert('ephemeral', ephemeralContainers, old?.ephemeralContainerStatuses)
    : undefined;
  if (ephemeral) result.ephemeralContainerStatuses = ephemeral;
  return result;
}

/** Sets phase, reason and message of the status. */
function applyPhase(
  ctx: Context,
  input: StatusInput,
  old: ApiPodStatus | undefined,
  statuses: ContainerStatuses,
): Pick<ApiPodStatus, 'phase' | 'reason' | 'message'> {
  const { pod, podStatus, podIsTerminal, gates } = input;
  const regular = new Set(pod.spec.containers.map(({ name }) => name));
  const podHasInitialized = podStatus.activeContainerStatuses.some(({ name }) => regular.has(name));
  const phaseInput = {
    pod,
    initStatuses: statuses.initContainerStatuses ?? [],
    containerStatuses: statuses.containerStatuses ?? [],
    podIsTerminal,
    podHasInitialized,
    gates,
  };
  const counters = countStates(phaseInput);
  const { phase: computed, rule } = getPhase(phaseInput, counters);
  ctx.tracer.decide(ctx, 'generateAPIPodStatus.phase', () => ({ ...counters, podIsTerminal, rule }), computed);
  let phase: PodPhase = computed;
  let reason: string | undefined;
  let message: string | undefined;
  if (!isTerminalPhase(phase)) {
    const before = [old?.phase, pod.status?.phase].find(isTerminalPhase);
    if (before) phase = before;
  }
  if (phase === old?.phase) {
    reason = old.reason || pod.status?.reason;
    message = old.message || pod.status?.message;
  }
  const verdict = input.shouldEvict(pod);
  if (verdict) {
    phase = 'Failed';
    ({ reason, message } = verdict);
  }
  // A terminal phase in the API is final.
  if (isTerminalPhase(pod.status?.phase)) phase = pod.status.phase;
  recordPodPhase(ctx, input, old, computed, phase);
  return { phase, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
}

function conditions(
  ctx: Context,
  input: StatusInput,
  old: ApiPodStatus | undefined,
  status: ApiPodStatus,
): readonly PodCondition[] {
  const { pod, podStatus, gates } = input;
  const phase = status.phase ?? 'Pending';
  const context = { pod, status, phase, old, gates };
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !kubeletConditionTypes.has(type));
  const disruption = old?.conditions?.find(({ type }) => type === disruptionTarget);
  const kept = [...foreign, ...input.resizeConditions];
  const list: PodCondition[] = [...(disruption ? withCondition(kept, disruption) : kept)];
  if (gates.PodReadyToStartContainersCondition) {
    list.push(
      podReadyToStartContainersCondition(context, podSandboxChanged(withoutTracing(ctx), pod, podStatus).changed),
    );
  }
  list.push(
    podInitializedCondition(context),
    podReadyCondition(context, list),
    containersReadyCondition(context),
    podScheduledCondition(context),
  );
  if (gates.RestartAllContainersOnContainerExits && allContainersCouldRestart(pod)) {
    const names = new Set([...(pod.spec.initContainers ?? []), ...pod.spec.containers].map(({ name }) => name));
    const anyRuntimeStatus = podStatus.containerStatuses.some(({ name }) => names.has(name));
    list.push(
      allContainersRestartingCondition(
        context,
        shouldAllContainersRestart(pod, podStatus, old, gates),
        anyRuntimeStatus,
      ),
    );
  }
  return list;
}

function addresses({
  pod,
  podStatus,
  nodeIPs,
}: StatusInput): Pick<ApiPodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const host = nodeIPs.length > 0 ? { hostIP: nodeIPs[0], hostIPs: nodeIPs.map((ip) => ({ ip })) } : {};
  let podIPs = orderPodIPs(podStatus.ips, nodeIPs[0]);
  if (pod.spec.hostNetwork && podIPs.length === 0) podIPs = nodeIPs;
  return { ...host, ...(podIPs.length > 0 ? { podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) } : {}) };
}
