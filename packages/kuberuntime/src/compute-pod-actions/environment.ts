/** Defines the inputs of computePodActions besides the pod and its status. */
import type { Container } from '@podscope/k8s';
import type { HashContainer } from '../container/container-hash.ts';
import type { RuntimeGates } from '../profiles/gates.ts';
import type { ActuatedResources } from '../resize/actuated-resources.ts';
import type { ProbeResults, Status } from '../runtime.ts';

export interface ComputeEnvironment {
  readonly gates: RuntimeGates;
  readonly liveness: ProbeResults;
  readonly startup: ProbeResults;
  readonly actuated: ActuatedResources;
  readonly hashContainer: HashContainer;
}

/** Returns true if the container's definition has changed since it was created. Upstream: containerChanged. */
export const containerChanged = (
  { hashContainer }: ComputeEnvironment,
  container: Container,
  status: Status,
): boolean => hashContainer(container) !== status.hash;
