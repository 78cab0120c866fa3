/** Tells the tracer what a generated status says, and of what it was made. */
import type { PodStatus as ApiPodStatus, ContainerStatus, PodPhase } from '@podscope/k8s';
import { findContainerStatusByName } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { StatusInput } from './generate-api-pod-status.ts';

/** A state in words: `waiting (CrashLoopBackOff)`. */
function stateInWords({ state }: ContainerStatus): string {
  if (state?.running) return 'running';
  if (state?.terminated) return `terminated with ${state.terminated.exitCode}${state.terminated.reason ? ` (${state.terminated.reason})` : ''}`;
  return `waiting${state?.waiting?.reason ? ` (${state.waiting.reason})` : ''}`;
}

/** Each container: what the runtime shows, what was shown before, why its last start failed. */
export function tellContainerStatuses(ctx: Context, { pod, podStatus, reasons }: StatusInput, old: ApiPodStatus | undefined, status: ApiPodStatus): void {
  if (!ctx.tracer.enabled) return;
  const before = [...(old?.initContainerStatuses ?? []), ...(old?.containerStatuses ?? []), ...(old?.ephemeralContainerStatuses ?? [])];
  const now = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])];
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

/** The phase that is shown may be another than that of the containers: an end stays the end. */
export function tellPodPhase(ctx: Context, { pod }: StatusInput, old: ApiPodStatus | undefined, computed: PodPhase, shown: PodPhase): void {
  const facts = { ofContainers: computed, before: old?.phase ?? 'none', api: pod.status?.phase ?? 'none' };
  ctx.tracer.decide(ctx, 'generateAPIPodStatus.podPhase', facts, shown, shown !== computed);
}

/** Each condition that the kubelet generates. */
export function tellConditions(ctx: Context, status: ApiPodStatus, ofKubelet: ReadonlySet<string>): void {
  if (!ctx.tracer.enabled) return;
  for (const { type, status: value, reason, message } of status.conditions ?? []) {
    if (!ofKubelet.has(type)) continue;
    const facts = { type, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
    ctx.tracer.decide(ctx, 'generateAPIPodStatus.condition', facts, `${type} is ${value}`);
  }
}
