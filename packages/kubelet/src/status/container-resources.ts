/**
 * Computes the resources in a container's status. Upstream: convertContainerStatusResources
 * (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import {
  type Container,
  type ContainerStatus,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityOf,
  quantityOfMilli,
  type ResourceList,
  type ResourceRequirements,
} from '@podscope/k8s';
import type { Status } from '@podscope/kuberuntime';

/** The smallest limit and request of cpu that the kernel can represent, in milli-CPUs. */
const minMilliCPU = { limits: 10, requests: 2 } as const;

const milli = (value: string | number): number => quantityMilliValue(parseQuantity(value));

/** Returns the limits or the requests of a running container or pod. */
export function actualResources(
  side: 'limits' | 'requests',
  allocated: ResourceList,
  runtime: Status['resources'],
  old: ResourceList | undefined,
): ResourceList {
  const result: Record<string, string | number> = { ...allocated };
  const [cpu, memory] =
    side === 'limits' ? [runtime?.cpuLimit, runtime?.memoryLimit] : [runtime?.cpuRequest, runtime?.memoryRequest];
  if (cpu === undefined) keepOld(result, old, 'cpu');
  else if (cpu > minMilliCPU[side] || (allocated['cpu'] !== undefined && milli(allocated['cpu']) > minMilliCPU[side])) {
    result['cpu'] = formatQuantity(quantityOfMilli(cpu));
  }
  if (memory === undefined) keepOld(result, old, 'memory');
  else result['memory'] = formatQuantity(quantityOf(memory, memory % 1024 === 0 ? 'BinarySI' : 'DecimalSI'));
  return result;
}

function keepOld(result: Record<string, string | number>, old: ResourceList | undefined, resource: string): void {
  const value = old?.[resource];
  if (value !== undefined) result[resource] = value;
}

/**
 * Returns the resources to show in a container's status. A container that isn't running has its allocated resources.
 * For a running one, each value comes from the runtime, otherwise from the old status, otherwise from the allocation.
 */
export function containerStatusResources(
  container: Container,
  runtime: Status,
  status: ContainerStatus,
  old: ContainerStatus | undefined,
): ResourceRequirements {
  const allocated = container.resources ?? {};
  if (!status.state?.running) return allocated;
  const before = old?.state?.running && old.containerID === status.containerID ? old.resources : undefined;
  const { limits, requests } = allocated;
  return {
    ...allocated,
    ...(limits && Object.keys(limits).length > 0
      ? { limits: actualResources('limits', limits, runtime.resources, before?.limits) }
      : {}),
    ...(requests && Object.keys(requests).length > 0
      ? { requests: actualResources('requests', requests, runtime.resources, before?.requests) }
      : {}),
  };
}
