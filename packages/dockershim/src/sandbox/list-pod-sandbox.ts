/** Implements ListPodSandbox. Upstream: dockershim docker_sandbox.go (v1.20). */
import type { ListPodSandboxRequest, ListPodSandboxResponse, PodSandbox, PodSandboxMetadata } from '@podscope/cri';
import { CorruptCheckpointError } from '@podscope/cri/sandbox-checkpoint';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerSummary } from '../docker/schemas.ts';
import { extractLabels, labelFilters, labelKeys } from '../objects/labels.ts';
import { sandboxMetadataOf } from '../objects/metadata.ts';
import { secondsToNanoseconds } from '../objects/timestamps.ts';
import { sandboxState } from './sandbox-state.ts';

/**
 * Returns the sandboxes of this instance. Without a filter, the list includes sandboxes of which only a checkpoint
 * exists.
 */
export async function listPodSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  { filter }: ListPodSandboxRequest,
): Promise<ListPodSandboxResponse> {
  const isFiltered = Boolean(filter?.id || filter?.state || Object.keys(filter?.labelSelector ?? {}).length > 0);
  // Checkpoints are read before the containers. In the other order, a sandbox that is created in between would have a
  // checkpoint and no container.
  const checkpointIds = isFiltered ? [] : await dependencies.checkpoints.list();
  const label = [...dependencies.objects.labelFilter('podsandbox'), ...labelFilters(filter?.labelSelector ?? {})];
  const filters = { label, ...(filter?.id ? { id: [filter.id] } : {}) };
  const state = filter?.state?.state;
  const summaries = await dependencies.docker.listContainers(ctx, { all: state !== 'SANDBOX_READY', filters });
  const items = summaries
    .flatMap((summary) => toSandbox(dependencies, summary))
    .filter((item) => !state || item.state === state);
  const seen = new Set(summaries.map(({ Id }) => Id));
  const lost = await Promise.all(
    checkpointIds.filter((id) => !seen.has(id)).map((id) => lostSandbox(ctx, dependencies, id)),
  );
  return { items: [...items, ...lost.flatMap((item) => item ?? [])] };
}

function toSandbox(dependencies: DockershimDependencies, summary: ContainerSummary): PodSandbox[] {
  const metadata = sandboxMetadata(summary);
  if (!metadata) return [];
  dependencies.objects.remember(summary.Id, 'podsandbox');
  const runtimeHandler = summary.Labels[labelKeys.runtimeHandler];
  return [
    {
      id: summary.Id,
      metadata,
      state: sandboxState(dependencies, summary.Id, summary.Status.startsWith('Up')),
      createdAt: secondsToNanoseconds(summary.Created),
      ...extractLabels(summary.Labels),
      ...(runtimeHandler ? { runtimeHandler } : {}),
    },
  ];
}

function sandboxMetadata({ Names: [name], Labels }: ContainerSummary): PodSandboxMetadata | undefined {
  try {
    return name === undefined ? undefined : sandboxMetadataOf(name, Labels);
  } catch {
    return undefined;
  }
}

/**
 * Returns a sandbox whose container is missing. The caller then stops and removes it. Upstream:
 * checkpointToRuntimeAPISandbox (v1.20).
 */
async function lostSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
): Promise<PodSandbox | undefined> {
  try {
    const checkpoint = await dependencies.checkpoints.get(id);
    if (!checkpoint) return undefined;
    const metadata = { name: checkpoint.name, namespace: checkpoint.namespace, uid: '', attempt: 0 };
    return { id, metadata, state: 'SANDBOX_NOTREADY', createdAt: 0n, labels: {}, annotations: {} };
  } catch (error) {
    if (!(error instanceof CorruptCheckpointError)) return undefined;
    ctx.tracer.emit(ctx, {
      type: 'output',
      level: 'warning',
      message: `Checkpoint of sandbox ${id} is removed: ${error.message}`,
    });
    await dependencies.checkpoints.remove(id);
    return undefined;
  }
}
