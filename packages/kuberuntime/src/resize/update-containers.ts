/**
 * Updates the resources of running containers, one resource at a time. Upstream: updatePodContainersResources (v1.36).
 */
import {
  type Container,
  formatQuantity,
  type Pod,
  quantityOf,
  quantityOfMilli,
  type ResourceRequirements,
} from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ContainerToUpdate, ResizedResource } from '../compute-pod-actions/pod-actions.ts';
import type { ContainerID } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import type { ResourceNumbers } from './container-resources.ts';

const requirementsOf = ({
  cpuRequest,
  cpuLimit,
  memoryRequest,
  memoryLimit,
}: ResourceNumbers): ResourceRequirements => ({
  limits: {
    cpu: formatQuantity(quantityOfMilli(cpuLimit)),
    memory: formatQuantity(quantityOf(memoryLimit, 'BinarySI')),
  },
  requests: {
    cpu: formatQuantity(quantityOfMilli(cpuRequest)),
    memory: formatQuantity(quantityOf(memoryRequest, 'BinarySI')),
  },
});

/**
 * The current resources of containers, by name. The update of cpu starts from the values that the update of memory has
 * written.
 */
export type CurrentResources = Map<string, ResourceNumbers>;

/**
 * Updates containers in order.
 * @throws the error of the first failed update; the containers before it keep their new values
 */
export async function updatePodContainersResources(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  resource: ResizedResource,
  updates: readonly ContainerToUpdate[],
  currents: CurrentResources,
): Promise<void> {
  for (const { id, container, desired, current } of updates) {
    const before = currents.get(id.id) ?? current;
    const next: ResourceNumbers =
      resource === 'memory'
        ? { ...before, memoryRequest: desired.memoryRequest, memoryLimit: desired.memoryLimit }
        : { ...before, cpuRequest: desired.cpuRequest, cpuLimit: desired.cpuLimit };
    await updateContainerResources(ctx, dependencies, pod, { ...container, resources: requirementsOf(next) }, id);
    currents.set(id.id, next);
  }
}

/** Updates the resources of one container. Upstream: updateContainerResources. */
async function updateContainerResources(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  container: Container,
  id: ContainerID,
): Promise<void> {
  const linux = dependencies.profile.linuxResources(dependencies, pod, container);
  await dependencies.runtime.updateContainerResources(ctx, { containerId: id.id, linux });
  dependencies.actuated.setContainer(pod.metadata.uid, container.name, container.resources ?? {});
}
