/** Implements ContainerStatus and ListContainers of v1.20. Upstream: dockershim docker_container.go (v1.20). */
import type {
  Container,
  ContainerState,
  ContainerStatusRequest,
  ContainerStatusResponse,
  ListContainersRequest,
  ListContainersResponse,
} from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { wrapError } from '../../docker/error.ts';
import type { ContainerInspect, ContainerSummary, ImageInspect } from '../../docker/schemas.ts';
import { ImageNotFoundError } from '../../image/v1-20/image-lookups.ts';
import { extractLabels, labelFilters, labelKeys } from '../../objects/labels.ts';
import { parseContainerName } from '../../objects/names.ts';
import { secondsToNanoseconds } from '../../objects/timestamps.ts';
import { goNanoseconds, isZeroTime } from '../../objects/v1-20/timestamps.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';

interface StateFields {
  readonly state: ContainerState;
  readonly reason: string;
  readonly message: string;
  readonly createdAt: bigint;
  readonly startedAt: bigint;
  readonly finishedAt: bigint;
}

/** Returns state, reason and times. After a failed start, the engine reports an exit code and no finish time. */
function stateFieldsOf({ Id, Created, State }: ContainerInspect): StateFields {
  const createdAt = goNanoseconds(Id, Created);
  const startedAt = goNanoseconds(Id, State.StartedAt);
  const finishedAt = goNanoseconds(Id, State.FinishedAt);
  const times = { createdAt, startedAt, finishedAt };
  if (State.Running) return { state: 'CONTAINER_RUNNING', reason: '', message: '', ...times };
  const message = State.Error;
  if (!isZeroTime(State.FinishedAt)) {
    const reason = State.OOMKilled ? 'OOMKilled' : State.ExitCode === 0 ? 'Completed' : 'Error';
    return { state: 'CONTAINER_EXITED', reason, message, ...times };
  }
  if (State.ExitCode === 0) return { state: 'CONTAINER_CREATED', reason: '', message, ...times };
  return {
    state: 'CONTAINER_EXITED',
    reason: 'ContainerCannotRun',
    message,
    createdAt,
    startedAt: createdAt,
    finishedAt: createdAt,
  };
}

/** Returns the image id with dockershim's prefix. Upstream: toPullableImageID (dockershim convert.go, v1.20). */
const imageRefOf = (id: string, image: ImageInspect | undefined): string => {
  const [digest] = image?.RepoDigests ?? [];
  return digest === undefined ? `docker://${id}` : `docker-pullable://${digest}`;
};

/**
 * Returns the status of a container as v1.20 did.
 * @throws CriError NotFound
 */
export async function containerStatus(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { containerId }: ContainerStatusRequest,
): Promise<ContainerStatusResponse> {
  const container = await dependencies.objects.inspect(ctx, containerId, 'container');
  const { Id: id, Config: config, State } = container;
  const stateFields = stateFieldsOf(container);
  const { Running, OOMKilled, ExitCode, FinishedAt } = State;
  ctx.tracer.decide(
    ctx,
    'containerStatus.state',
    { Running, OOMKilled, ExitCode, FinishedAt },
    `${stateFields.state}${stateFields.reason ? ` (${stateFields.reason})` : ''}`,
  );
  const image = await dependencies.images.byID(ctx, container.Image).catch((error: unknown) => {
    if (error instanceof ImageNotFoundError) return undefined;
    throw wrapError(
      `unable to inspect docker image ${goQuote(container.Image)} while inspecting docker container ${goQuote(id)}`,
      error,
    );
  });
  return {
    status: {
      id,
      metadata: parseContainerName(container.Name),
      ...stateFields,
      exitCode: State.ExitCode,
      image: { image: image?.RepoTags[0] ?? config.Image },
      imageRef: imageRefOf(container.Image, image),
      ...extractLabels(config.Labels),
      // v1.20 doesn't report the propagation of mounts.
      mounts: container.Mounts.map(({ Source, Destination, RW }) => ({
        hostPath: Source,
        containerPath: Destination,
        readonly: !RW,
      })),
      logPath: config.Labels[labelKeys.logPath] ?? '',
    },
  };
}

const statusFilters = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
} as const;

/** Returns the containers of this instance that match the filter. */
export async function listContainers(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { filter }: ListContainersRequest,
): Promise<ListContainersResponse> {
  const label = [
    ...dependencies.objects.labelFilter('container'),
    ...(filter?.podSandboxId ? [`${labelKeys.sandboxId}=${filter.podSandboxId}`] : []),
    ...labelFilters(filter?.labelSelector ?? {}),
  ];
  const filters = {
    label,
    ...(filter?.id ? { id: [filter.id] } : {}),
    ...(filter?.state ? { status: [statusFilters[filter.state.state]] } : {}),
  };
  return { containers: (await dependencies.docker.listContainers(ctx, { all: true, filters })).flatMap(toContainer) };
}

function toContainer(summary: ContainerSummary): Container[] {
  const [name] = summary.Names;
  if (name === undefined) return [];
  try {
    return [
      {
        id: summary.Id,
        podSandboxId: summary.Labels[labelKeys.sandboxId] ?? '',
        metadata: parseContainerName(name),
        image: { image: summary.Image },
        imageRef: summary.ImageID,
        state: stateOfStatus(summary.Status),
        createdAt: secondsToNanoseconds(summary.Created),
        ...extractLabels(summary.Labels),
      },
    ];
  } catch {
    return [];
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
