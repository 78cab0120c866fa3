/** What pods may have of the node. */
import type { ResourceList } from '@podscope/k8s';
import type { NodeConfiguration } from './dependencies.ts';

/** Nothing is set aside for the system: what is there may be used. */
export const nodeAllocatable = ({ cpus, memoryBytes, maxPods, ephemeralStorageBytes }: NodeConfiguration): ResourceList => ({
  cpu: `${cpus}`,
  memory: `${memoryBytes}`,
  pods: `${maxPods}`,
  ...(ephemeralStorageBytes === undefined ? {} : { 'ephemeral-storage': `${ephemeralStorageBytes}` }),
});
