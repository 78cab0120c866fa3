/** ListPodSandbox: our sandboxes, and without a filter also those of which only a checkpoint is left. */
import type { ListPodSandboxRequest, ListPodSandboxResponse, PodSandbox, PodSandboxMetadata } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { CorruptCheckpointError } from '../checkpoint/checkpoint.ts';
import type { ContainerSummary } from '../docker/schemas.ts';
import { extractLabels, labelFilters, labelKeys } from '../labels.ts';
import { sandboxMetadataOf } from '../metadata.ts';
import type { Shim } from '../shim.ts';
import { secondsToNanoseconds } from '../timestamps.ts';
import { sandboxState } from './sandbox-state.ts';

/** Upstream: ListPodSandbox (dockershim docker_sandbox.go, v1.20). */
export async function listPodSandbox(shim: Shim, ctx: Context, { filter }: ListPodSandboxRequest): Promise<ListPodSandboxResponse> {
  const isFiltered = Boolean(filter?.id || filter?.state || Object.keys(filter?.labelSelector ?? {}).length > 0);
  // Read before the containers: a sandbox that is being created must not look lost.
  const checkpointIds = isFiltered ? [] : await shim.checkpoints.list();
  const label = [...shim.objects.labelFilter('podsandbox'), ...labelFilters(filter?.labelSelector ?? {})];
  const filters = { label, ...(filter?.id ? { id: [filter.id] } : {}) };
  const state = filter?.state?.state;
  const summaries = await shim.docker.listContainers(ctx, { all: state !== 'SANDBOX_READY', filters });
  const items = summaries.flatMap((summary) => toSandbox(shim, summary)).filter((item) => !state || item.state === state);
  const seen = new Set(summaries.map(({ Id }) => Id));
  const lost = await Promise.all(checkpointIds.filter((id) => !seen.has(id)).map((id) => lostSandbox(shim, ctx, id)));
  return { items: [...items, ...lost.flatMap((item) => item ?? [])] };
}

function toSandbox(shim: Shim, summary: ContainerSummary): PodSandbox[] {
  const metadata = sandboxMetadata(summary);
  if (!metadata) return [];
  shim.objects.remember(summary.Id, 'podsandbox');
  const runtimeHandler = summary.Labels[labelKeys.runtimeHandler];
  return [
    {
      id: summary.Id,
      metadata,
      state: sandboxState(shim, summary.Id, summary.Status.startsWith('Up')),
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

/** A sandbox whose container is gone: shown, so that the caller stops and removes it. Upstream: checkpointToRuntimeAPISandbox (v1.20). */
async function lostSandbox(shim: Shim, ctx: Context, id: string): Promise<PodSandbox | undefined> {
  try {
    const checkpoint = await shim.checkpoints.get(id);
    if (!checkpoint) return undefined;
    const metadata = { name: checkpoint.name, namespace: checkpoint.namespace, uid: '', attempt: 0 };
    return { id, metadata, state: 'SANDBOX_NOTREADY', createdAt: 0n, labels: {}, annotations: {} };
  } catch (error) {
    if (!(error instanceof CorruptCheckpointError)) return undefined;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Checkpoint of sandbox ${id} is removed: ${error.message}` });
    await shim.checkpoints.remove(id);
    return undefined;
  }
}
