/** Generates the pod conditions that v1.20 computes differently. Upstream: pkg/kubelet/status/generate.go (v1.20). */
import type { Container, ContainerStatus, PodCondition } from '@podscope/k8s';
import { type ConditionInput, condition, find, join, list } from '../conditions.ts';

interface Judged {
  readonly unknown: readonly string[];
  readonly unready: readonly string[];
}

function judge(containers: readonly Container[], statuses: readonly ContainerStatus[]): Judged {
  const names = (wanted: (status: ContainerStatus | undefined) => boolean): string[] =>
    containers.filter((container) => wanted(find(statuses, container))).map(({ name }) => name);
  return { unknown: names((status) => !status), unready: names((status) => status?.ready === false) };
}

/** Returns the condition Initialized. Upstream: GeneratePodInitializedCondition (v1.20). */
export function podInitializedConditionV120({ pod, status, phase }: ConditionInput): PodCondition {
  const containers = pod.spec.initContainers ?? [];
  const statuses = status.initContainerStatuses;
  if (!statuses && containers.length > 0)
    return condition('Initialized', 'False', undefined, 'UnknownContainerStatuses');
  const { unknown, unready } = judge(containers, statuses ?? []);
  if (phase === 'Succeeded' && unknown.length === 0) return condition('Initialized', 'True', undefined, 'PodCompleted');
  if (unknown.length + unready.length === 0) return condition('Initialized', 'True', undefined);
  const message = join(
    list('containers with unknown status', unknown),
    list('containers with incomplete status', unready),
  );
  return condition('Initialized', 'False', undefined, 'ContainersNotInitialized', message);
}

/** Returns the condition ContainersReady. Upstream: GenerateContainersReadyCondition (v1.20). */
export function containersReadyConditionV120({ pod, status, phase }: ConditionInput): PodCondition {
  if (!status.containerStatuses) return condition('ContainersReady', 'False', undefined, 'UnknownContainerStatuses');
  const { unknown, unready } = judge(pod.spec.containers, status.containerStatuses);
  if (phase === 'Succeeded' && unknown.length === 0)
    return condition('ContainersReady', 'False', undefined, 'PodCompleted');
  if (unknown.length + unready.length === 0) return condition('ContainersReady', 'True', undefined);
  const message = join(
    list('containers with unknown status', unknown),
    list('containers with unready status', unready),
  );
  return condition('ContainersReady', 'False', undefined, 'ContainersNotReady', message);
}
