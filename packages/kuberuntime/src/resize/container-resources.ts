/** Converts requests and limits to numbers for comparison during a resize. */
import { cpuMilli, memoryBytes, type ResourceRequirements } from '@podscope/k8s';
import type { ContainerResources } from '../runtime.ts';

/** CPU in milli-CPUs and memory in bytes. A value that isn't set is 0. */
export type ResourceNumbers = Required<ContainerResources>;

const none: ResourceNumbers = { cpuRequest: 0, cpuLimit: 0, memoryRequest: 0, memoryLimit: 0 };

const seen = new WeakMap<ResourceRequirements, ResourceNumbers>();

/** Converts resources to numbers. The result is cached per object, because spec objects are immutable. */
export function resourceNumbers(resources: ResourceRequirements | undefined): ResourceNumbers {
  if (!resources || (!resources.limits && !resources.requests)) return none;
  let numbers = seen.get(resources);
  if (!numbers) {
    const { requests, limits } = resources;
    numbers = {
      cpuRequest: cpuMilli(requests),
      cpuLimit: cpuMilli(limits),
      memoryRequest: memoryBytes(requests),
      memoryLimit: memoryBytes(limits),
    };
    seen.set(resources, numbers);
  }
  return numbers;
}

/** Returns the numbers, with the pod's limit wherever the container declares none. */
export const withPodLimits = (numbers: ResourceNumbers, pod: ResourceNumbers): ResourceNumbers =>
  numbers.cpuLimit !== 0 && numbers.memoryLimit !== 0
    ? numbers
    : { ...numbers, cpuLimit: numbers.cpuLimit || pod.cpuLimit, memoryLimit: numbers.memoryLimit || pod.memoryLimit };

export const sameNumbers = (a: ResourceNumbers, b: ResourceNumbers): boolean =>
  a === b ||
  (a.cpuRequest === b.cpuRequest &&
    a.cpuLimit === b.cpuLimit &&
    a.memoryRequest === b.memoryRequest &&
    a.memoryLimit === b.memoryLimit);
