/** Gives running containers their new values, one resource at a time. Upstream: updatePodContainersResources (v1.36). */
import { type Container, formatQuantity, type Pod, quantityOf, quantityOfMilli, type ResourceRequirements } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ContainerToUpdate, ResizedResource } from '../compute-pod-actions/pod-actions.ts';
import type { ContainerID } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import type { ResourceNumbers } from './container-resources.ts';

const requirementsOf = ({ cpuRequest, cpuLimit, memoryRequest, memoryLimit }: ResourceNumbers): ResourceRequirements => ({
  limits: { cpu: formatQuantity(quantityOfMilli(cpuLimit)), memory: formatQuantity(quantityOf(memoryLimit, 'BinarySI')) },
  requests: { cpu: formatQuantity(quantityOfMilli(cpuRequest)), memory: formatQuantity(quantityOf(memoryRequest, 'BinarySI')) },
});

/** What containers have by now: a container that got its memory keeps it when its CPU follows. */
export type CurrentResources = Map<string, ResourceNumbers>;

/** @throws Error of the first container that refuses; those before it have their new values */
export async function updatePodContainersResources(
  ctx: Context,
  parts: RuntimeParts,
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
    await updateContainerResources(ctx, parts, pod, { ...container, resources: requirementsOf(next) }, id);
    currents.set(id.id, next);
  }
}

/** Upstream: updateContainerResources. */
async function updateContainerResources(ctx: Context, parts: RuntimeParts, pod: Pod, container: Container, id: ContainerID): Promise<void> {
  const linux = parts.profile.linuxResources(parts, pod, container);
  await parts.runtime.updateContainerResources(ctx, { containerId: id.id, linux });
  parts.actuated.setContainer(pod.metadata.uid, container.name, container.resources ?? {});
}
