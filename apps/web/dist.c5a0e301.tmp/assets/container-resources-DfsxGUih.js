var e=`/** Requests and limits as numbers, as a resize compares them. */
import { cpuMilli, memoryBytes, type ResourceRequirements } from '@podscope/k8s';
import type { ContainerResources } from '../runtime.ts';

/** milli-CPUs and bytes; 0 for what is not set. */
export type ResourceNumbers = Required<ContainerResources>;

const none: ResourceNumbers = { cpuRequest: 0, cpuLimit: 0, memoryRequest: 0, memoryLimit: 0 };

const seen = new WeakMap<ResourceRequirements, ResourceNumbers>();

/** Remembered for each object, as objects of the spec never change. */
export function resourceNumbers(resources: ResourceRequirements | undefined): ResourceNumbers {
  if (!resources || (!resources.limits && !resources.requests)) return none;
  let numbers = seen.get(resources);
  if (!numbers) {
    const { requests, limits } = resources;
    numbers = { cpuRequest: cpuMilli(requests), cpuLimit: cpuMilli(limits), memoryRequest: memoryBytes(requests), memoryLimit: memoryBytes(limits) };
    seen.set(resources, numbers);
  }
  return numbers;
}

/** A container without a limit of its own has the pod's. */
export const withPodLimits = (numbers: ResourceNumbers, pod: ResourceNumbers): ResourceNumbers =>
  numbers.cpuLimit !== 0 && numbers.memoryLimit !== 0
    ? numbers
    : { ...numbers, cpuLimit: numbers.cpuLimit || pod.cpuLimit, memoryLimit: numbers.memoryLimit || pod.memoryLimit };

export const sameNumbers = (a: ResourceNumbers, b: ResourceNumbers): boolean =>
  a === b || (a.cpuRequest === b.cpuRequest && a.cpuLimit === b.cpuLimit && a.memoryRequest === b.memoryRequest && a.memoryLimit === b.memoryLimit);
`;export{e as default};
//# sourceMappingURL=container-resources-DfsxGUih.js.map