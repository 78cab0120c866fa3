var e=`/** ContainerStatus and ListContainers of v1.20. */
import type { Container, ContainerState, ContainerStatusRequest, ContainerStatusResponse, ListContainersRequest, ListContainersResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { wrapError } from '../docker/error.ts';
import type { ContainerInspect, ContainerSummary, ImageInspect } from '../docker/schemas.ts';
import { extractLabels, labelFilters, labelKeys } from '../labels.ts';
import { parseContainerName } from '../names.ts';
import { secondsToNanoseconds } from '../timestamps.ts';
import { ImageNotFoundError } from './image-lookups.ts';
import type { ShimV120 } from './shim.ts';
import { goNanoseconds, isZeroTime } from './timestamps.ts';

interface Life {
  readonly state: ContainerState;
  readonly reason: string;
  readonly message: string;
  readonly createdAt: bigint;
  readonly startedAt: bigint;
  readonly finishedAt: bigint;
}

/** A start that failed leaves an exit code and no finish time. */
function lifeOf({ Id, Created, State }: ContainerInspect): Life {
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
  return { state: 'CONTAINER_EXITED', reason: 'ContainerCannotRun', message, createdAt, startedAt: createdAt, finishedAt: createdAt };
}

/** Upstream: toPullableImageID (dockershim convert.go, v1.20). */
const imageRefOf = (id: string, image: ImageInspect | undefined): string => {
  const [digest] = image?.RepoDigests ?? [];
  return digest === undefined ? \`docker://\${id}\` : \`docker-pullable://\${digest}\`;
};

/** Upstream: ContainerStatus (dockershim docker_container.go, v1.20). */
export async function containerStatus(shim: ShimV120, ctx: Context, { containerId }: ContainerStatusRequest): Promise<ContainerStatusResponse> {
  const container = await shim.objects.inspect(ctx, containerId, 'container');
  const { Id: id, Config: config, State } = container;
  const life = lifeOf(container);
  const { Running, OOMKilled, ExitCode, FinishedAt } = State;
  ctx.tracer.decide(ctx, 'containerStatus.state', { Running, OOMKilled, ExitCode, FinishedAt }, \`\${life.state}\${life.reason ? \` (\${life.reason})\` : ''}\`);
  const image = await shim.images.byID(ctx, container.Image).catch((error: unknown) => {
    if (error instanceof ImageNotFoundError) return undefined;
    throw wrapError(\`unable to inspect docker image \${goQuote(container.Image)} while inspecting docker container \${goQuote(id)}\`, error);
  });
  return {
    status: {
      id,
      metadata: parseContainerName(container.Name),
      ...life,
      exitCode: State.ExitCode,
      image: { image: image?.RepoTags[0] ?? config.Image },
      imageRef: imageRefOf(container.Image, image),
      ...extractLabels(config.Labels),
      // Propagation was not told.
      mounts: container.Mounts.map(({ Source, Destination, RW }) => ({ hostPath: Source, containerPath: Destination, readonly: !RW })),
      logPath: config.Labels[labelKeys.logPath] ?? '',
    },
  };
}

const statusFilters = { CONTAINER_CREATED: 'created', CONTAINER_RUNNING: 'running', CONTAINER_EXITED: 'exited', CONTAINER_UNKNOWN: 'unknown' } as const;

/** Upstream: ListContainers (dockershim docker_container.go, v1.20). */
export async function listContainers(shim: ShimV120, ctx: Context, { filter }: ListContainersRequest): Promise<ListContainersResponse> {
  const label = [
    ...shim.objects.labelFilter('container'),
    ...(filter?.podSandboxId ? [\`\${labelKeys.sandboxId}=\${filter.podSandboxId}\`] : []),
    ...labelFilters(filter?.labelSelector ?? {}),
  ];
  const filters = { label, ...(filter?.id ? { id: [filter.id] } : {}), ...(filter?.state ? { status: [statusFilters[filter.state.state]] } : {}) };
  return { containers: (await shim.docker.listContainers(ctx, { all: true, filters })).flatMap(toContainer) };
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

/** Upstream: toRuntimeAPIContainerState (dockershim convert.go, v1.20). */
function stateOfStatus(status: string): ContainerState {
  if (status.startsWith('Up')) return 'CONTAINER_RUNNING';
  if (status.startsWith('Exited')) return 'CONTAINER_EXITED';
  return status.startsWith('Created') ? 'CONTAINER_CREATED' : 'CONTAINER_UNKNOWN';
}
`;export{e as default};
//# sourceMappingURL=container-status-D6Kf86-S.js.map