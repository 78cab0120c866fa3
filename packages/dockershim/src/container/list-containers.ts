/** Implements ListContainers. Upstream: dockershim docker_container.go (v1.20). */
import type {
  Container,
  ContainerMetadata,
  ContainerState,
  ListContainersRequest,
  ListContainersResponse,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerSummary } from '../docker/schemas.ts';
import { extractLabels, labelFilters, labelKeys } from '../objects/labels.ts';
import { containerMetadataOf } from '../objects/metadata.ts';
import { secondsToNanoseconds } from '../objects/timestamps.ts';

/** Returns the containers of this instance that match the filter. */
export async function listContainers(
  ctx: Context,
  dependencies: DockershimDependencies,
  { filter }: ListContainersRequest,
): Promise<ListContainersResponse> {
  const label = [
    ...dependencies.objects.labelFilter('container'),
    ...(filter?.podSandboxId
      ? [`${labelKeys.sandboxId}=${await sandboxIdOf(ctx, dependencies, filter.podSandboxId)}`]
      : []),
    ...labelFilters(filter?.labelSelector ?? {}),
  ];
  const summaries = await dependencies.docker.listContainers(ctx, {
    all: true,
    filters: { label, ...(filter?.id ? { id: [filter.id] } : {}) },
  });
  const state = filter?.state?.state;
  return {
    containers: summaries
      .flatMap((summary) => toContainer(dependencies, summary))
      .filter((container) => !state || container.state === state),
  };
}

/** Returns the full sandbox id, which is the value of the label. The id in the filter may be abbreviated. */
async function sandboxIdOf(ctx: Context, dependencies: DockershimDependencies, id: string): Promise<string> {
  return dependencies.objects.resolve(ctx, id, 'podsandbox').catch(() => id);
}

function toContainer(dependencies: DockershimDependencies, summary: ContainerSummary): Container[] {
  const metadata = containerMetadata(summary);
  if (!metadata) return [];
  dependencies.objects.remember(summary.Id, 'container');
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

/**
 * Returns the state for a status text like `Up 2 minutes`. Upstream: toRuntimeAPIContainerState (convert.go, v1.20).
 */
function stateOfStatus(status: string): ContainerState {
  if (status.startsWith('Up')) return 'CONTAINER_RUNNING';
  if (status.startsWith('Exited')) return 'CONTAINER_EXITED';
  return status.startsWith('Created') ? 'CONTAINER_CREATED' : 'CONTAINER_UNKNOWN';
}
