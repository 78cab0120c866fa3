/** Emits decisions that explain a generated status. Has no upstream counterpart. */
import type { PodStatus as ApiPodStatus, ContainerStatus, PodPhase } from '@podscope/k8s';
import { findContainerStatusByName } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { StatusInput } from './status-input.ts';

const inParentheses = (reason: string | undefined): string => (reason ? ` (${reason})` : '');

/** Formats a state, for example `waiting (CrashLoopBackOff)`. */
function stateInWords({ state }: ContainerStatus): string {
  if (state?.running) return 'running';
  if (state?.terminated) return `terminated with ${state.terminated.exitCode}${inParentheses(state.terminated.reason)}`;
  return `waiting${inParentheses(state?.waiting?.reason)}`;
}

/**
 * Emits a decision per container. Its facts are the runtime state, the previous status and the reason of the last
 * failed start.
 */
export function recordContainerStatuses(
  ctx: Context,
  { pod, podStatus, reasons }: StatusInput,
  old: ApiPodStatus | undefined,
  status: ApiPodStatus,
): void {
  if (!ctx.tracer.enabled) return;
  const before = [
    ...(old?.initContainerStatuses ?? []),
    ...(old?.containerStatuses ?? []),
    ...(old?.ephemeralContainerStatuses ?? []),
  ];
  const now = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  for (const container of now) {
    const shown = findContainerStatusByName(podStatus, container.name);
    const previous = before.find(({ name }) => name === container.name);
    const failure = reasons.get(pod.metadata.uid, container.name);
    const facts = {
      container: container.name,
      runtime: shown ? `${shown.state}${shown.state === 'exited' ? ` with ${shown.exitCode}` : ''}` : 'nothing',
      before: previous ? stateInWords(previous) : 'nothing',
      ...(failure ? { lastStart: failure.error } : {}),
      lastState: container.lastState?.terminated ? stateInWords({ ...container, state: container.lastState }) : 'none',
      ready: container.ready,
      restartCount: container.restartCount,
    };
    ctx.tracer.decide(ctx, 'generateAPIPodStatus.container', facts, stateInWords(container));
  }
}

/**
 * Emits a decision with the phase in the status. This phase can differ from the one computed from the containers,
 * because a terminal phase is final.
 */
export function recordPodPhase(
  ctx: Context,
  { pod }: StatusInput,
  old: ApiPodStatus | undefined,
  computed: PodPhase,
  shown: PodPhase,
): void {
  const facts = { ofContainers: computed, before: old?.phase ?? 'none', api: pod.status?.phase ?? 'none' };
  ctx.tracer.decide(ctx, 'generateAPIPodStatus.podPhase', facts, shown, shown !== computed);
}

/** Emits a decision per condition that the kubelet generates. */
export function recordConditions(ctx: Context, status: ApiPodStatus, ofKubelet: ReadonlySet<string>): void {
  if (!ctx.tracer.enabled) return;
  for (const { type, status: value, reason, message } of status.conditions ?? []) {
    if (!ofKubelet.has(type)) continue;
    const facts = { type, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
    ctx.tracer.decide(ctx, 'generateAPIPodStatus.condition', facts, `${type} is ${value}`);
  }
}
