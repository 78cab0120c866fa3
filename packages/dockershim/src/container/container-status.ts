/** Implements ContainerStatus. Upstream: dockershim docker_container.go (v1.20). */
import type {
  ContainerState,
  ContainerStatus,
  ContainerStatusRequest,
  ContainerStatusResponse,
  Mount,
  MountPropagation,
} from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { wrapError } from '../docker/error.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { extractLabels, labelKeys } from '../objects/labels.ts';
import { containerMetadataOf } from '../objects/metadata.ts';
import { containerTimestamp } from '../objects/timestamps.ts';
import { recursiveMountsOf } from './create/recursive-readonly.ts';
import { criSignal } from './create/stop-signal.ts';

/**
 * Returns the status of a container; with `verbose` also its sandbox and pid.
 * @throws CriError NotFound
 */
export async function containerStatus(
  ctx: Context,
  dependencies: DockershimDependencies,
  request: ContainerStatusRequest,
): Promise<ContainerStatusResponse> {
  const container = await dependencies.objects.inspect(ctx, request.containerId, 'container');
  // A client that has seen the exit reads the log next, so the last lines must have been written.
  if (!container.State.Running) await dependencies.logWriters.drained(ctx, container.Id);
  const status = await containerStatusOf(ctx, dependencies, container);
  if (!request.verbose) return { status };
  const info = { sandboxID: container.Config.Labels[labelKeys.sandboxId] ?? '', pid: container.State.Pid };
  return { status, info: { info: JSON.stringify(info) } };
}

interface StateFields {
  readonly state: ContainerState;
  readonly reason: string;
  readonly createdAt: bigint;
  readonly startedAt: bigint;
  readonly finishedAt: bigint;
}

/** Returns state, reason and times. After a failed start, the engine reports an exit code and no finish time. */
export function stateFieldsOf({ Id, Created, State }: ContainerInspect): StateFields {
  const createdAt = containerTimestamp(Id, Created);
  const startedAt = containerTimestamp(Id, State.StartedAt);
  const finishedAt = containerTimestamp(Id, State.FinishedAt);
  if (State.Running) return { state: 'CONTAINER_RUNNING', reason: '', createdAt, startedAt, finishedAt: 0n };
  if (finishedAt !== 0n) {
    const reason = State.OOMKilled ? 'OOMKilled' : State.ExitCode === 0 ? 'Completed' : 'Error';
    return { state: 'CONTAINER_EXITED', reason, createdAt, startedAt, finishedAt };
  }
  if (State.ExitCode !== 0)
    return {
      state: 'CONTAINER_EXITED',
      reason: 'ContainerCannotRun',
      createdAt,
      startedAt: createdAt,
      finishedAt: createdAt,
    };
  return { state: 'CONTAINER_CREATED', reason: '', createdAt, startedAt, finishedAt };
}

/** Returns the CRI status of an inspected container. */
export async function containerStatusOf(
  ctx: Context,
  dependencies: DockershimDependencies,
  container: ContainerInspect,
): Promise<ContainerStatus> {
  const { Id: id, Config: config, HostConfig: host, State } = container;
  const stateFields = stateFieldsOf(container);
  const name = await dependencies.imageNames.lookUp(ctx, container.Image).catch((error: unknown) => {
    throw wrapError(
      `unable to inspect docker image ${goQuote(container.Image)} while inspecting docker container ${goQuote(id)}`,
      error,
    );
  });
  const user = await dependencies.processUsers.userOf(container);
  return {
    id,
    metadata: containerMetadataOf(container.Name, config.Labels),
    ...stateFields,
    exitCode: State.ExitCode,
    image: { image: name ?? config.Image },
    imageRef: container.Image,
    imageId: container.Image,
    message: State.Running ? '' : State.Error,
    ...extractLabels(config.Labels),
    mounts: mountsOf(dependencies, container),
    logPath: config.Labels[labelKeys.logPath] ?? '',
    resources: {
      linux: {
        cpuPeriod: host.CpuPeriod,
        cpuQuota: host.CpuQuota,
        cpuShares: host.CpuShares,
        cpusetCpus: host.CpusetCpus,
        cpusetMems: host.CpusetMems,
        memoryLimitInBytes: host.Memory,
        memorySwapLimitInBytes: host.MemorySwap,
        oomScoreAdj: host.OomScoreAdj,
      },
    },
    ...(user ? { user } : {}),
    stopSignal: criSignal(config.StopSignal),
  };
}

/** Returns the bind mounts and image mounts, sorted by path because the engine lists them in no fixed order. */
function mountsOf(dependencies: DockershimDependencies, { Mounts, Config, HostConfig }: ContainerInspect): Mount[] {
  const recursive = recursiveMountsOf(Config.Labels);
  const asked = new Map(HostConfig.Mounts.map((mount) => [mount.Target, mount]));
  const hidden = new Set(Object.values(recursive).flat());
  return Mounts.filter(({ Type, Destination }) => (Type === 'bind' || Type === 'image') && !hidden.has(Destination))
    .map((mount) =>
      mount.Type === 'image' ? imageMountOf(mount, asked.get(mount.Destination)) : mountOf(dependencies, mount),
    )
    .map((mount) => (recursive[mount.containerPath] ? { ...mount, recursiveReadOnly: true } : mount))
    .toSorted((a, b) => (a.containerPath < b.containerPath ? -1 : 1));
}

/**
 * Returns an image mount that the engine itself made (Docker 28 and newer). The mount's source is a directory of the
 * engine; only the create request contains the image's name.
 */
function imageMountOf(
  { Source, Destination }: ContainerInspect['Mounts'][number],
  asked: ContainerInspect['HostConfig']['Mounts'][number] | undefined,
): Mount {
  const id = asked?.Source || Source;
  const subPath = asked?.ImageOptions?.Subpath;
  return {
    hostPath: '',
    containerPath: Destination,
    readonly: true,
    propagation: 'PROPAGATION_PRIVATE',
    image: { image: id, imageRef: id },
    ...(subPath ? { imageSubPath: subPath } : {}),
  };
}

function mountOf(
  dependencies: DockershimDependencies,
  { Source, Destination, RW, Propagation }: ContainerInspect['Mounts'][number],
): Mount {
  const image = dependencies.imageVolumes.mountOf(Source);
  if (image)
    return { hostPath: '', containerPath: Destination, readonly: true, propagation: 'PROPAGATION_PRIVATE', ...image };
  const propagation: MountPropagation = Propagation.endsWith('shared')
    ? 'PROPAGATION_BIDIRECTIONAL'
    : Propagation.endsWith('slave')
      ? 'PROPAGATION_HOST_TO_CONTAINER'
      : 'PROPAGATION_PRIVATE';
  return { hostPath: Source, containerPath: Destination, readonly: !RW, propagation };
}
