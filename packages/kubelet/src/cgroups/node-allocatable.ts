/**
 * Computes the resources that pods may use on the node. Upstream: GetNodeAllocatableReservation (pkg/kubelet/cm,
 * v1.36).
 */
import type { ResourceList } from '@podscope/k8s';
import type { NodeConfiguration } from '../dependencies.ts';

/** Returns the whole capacity, because nothing is reserved for the system. */
export const nodeAllocatable = ({
  cpus,
  memoryBytes,
  maxPods,
  ephemeralStorageBytes,
}: NodeConfiguration): ResourceList => ({
  cpu: `${cpus}`,
  memory: `${memoryBytes}`,
  pods: `${maxPods}`,
  ...(ephemeralStorageBytes === undefined ? {} : { 'ephemeral-storage': `${ephemeralStorageBytes}` }),
});
