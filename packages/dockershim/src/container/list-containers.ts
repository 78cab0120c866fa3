/** ListContainers. */
import type { Container, ContainerMetadata, ContainerState, ListContainersRequest, ListContainersResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ContainerSummary } from '../docker/schemas.ts';
import { extractLabels, labelFilters, labelKeys } from '../labels.ts';
import { containerMetadataOf } from '../metadata.ts';
import type { Shim } from '../shim.ts';
import { secondsToNanoseconds } from '../timestamps.ts';

/** Upstream: ListContainers (dockershim docker_container.go, v1.20). */
export async function listContainers(shim: Shim, ctx: Context, { filter }: ListContainersRequest): Promise<ListContainersResponse> {
  const label = [
    ...shim.objects.labelFilter('container'),
    ...(filter?.podSandboxId ? [`${labelKeys.sandboxId}=${await sandboxIdOf(shim, ctx, filter.podSandboxId)}`] : []),
    ...labelFilters(filter?.labelSelector ?? {}),
  ];
  const summaries = await shim.docker.listContainers(ctx, { all: true, filters: { label, ...(filter?.id ? { id: [filter.id] } : {}) } });
  const state = filter?.state?.state;
  return { containers: summaries.flatMap((summary) => toContainer(shim, summary)).filter((container) => !state || container.state === state) };
}

/** The label holds the full id; the filter may hold the beginning of one. */
async function sandboxIdOf(shim: Shim, ctx: Context, id: string): Promise<string> {
  return shim.objects.resolve(ctx, id, 'podsandbox').catch(() => id);
}

function toContainer(shim: Shim, summary: ContainerSummary): Container[] {
  const metadata = containerMetadata(summary);
  if (!metadata) return [];
  shim.objects.remember(summary.Id, 'container');
  return [
    {
      id: summary.Id,
      podSandboxId: summary.Labels[labelKeys.sandboxId] ?? '',
      metadata,
      image: { image: summary.Image },
      imageRef: summary.ImageID,
      imageId: summary.ImageID,
      state: stateOfStatus(summary.Status),
      createdAt: secondsToNanoseconds(summary.Created),
      ...extractLabels(summary.Labels),
    },
  ];
}

function containerMetadata({ Names: [name], Labels }: ContainerSummary): ContainerMetadata | undefined {
  try {
    return name === undefined ? undefined : containerMetadataOf(name, Labels);
  } catch {
    return undefined;
  }
}

/** Upstream: toRuntimeAPIContainerState (dockershim convert.go, v1.20). */
function stateOfStatus(status: string): ContainerState {
  if (status.startsWith('Up')) return 'CONTAINER_RUNNING';
  if (status.startsWith('Exited')) return 'CONTAINER_EXITED';
  return status.startsWith('Created') ? 'CONTAINER_CREATED' : 'CONTAINER_UNKNOWN';
}
