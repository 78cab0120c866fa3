/** Implements StopPodSandbox and RemovePodSandbox of v1.20. Upstream: dockershim docker_sandbox.go (v1.20). */
import type {
  RemovePodSandboxRequest,
  RemovePodSandboxResponse,
  StopPodSandboxRequest,
  StopPodSandboxResponse,
} from '@podscope/cri';
import { CorruptCheckpointError, type SandboxCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { removeContainer } from '../../container/v1-20/containers.ts';
import { aggregateErrors, wrapError } from '../../docker/error.ts';
import { labelKeys } from '../../objects/labels.ts';
import { parseSandboxName } from '../../objects/names.ts';
import { isContainerNotFound } from '../../objects/v1-20/errors.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';

/** The grace period of a sandbox's own container, in seconds. */
const stopGraceSeconds = 10;

interface KnownSandbox {
  readonly name: string;
  readonly namespace: string;
  readonly hostNetwork: boolean;
}

/**
 * Tears down the network of a sandbox and stops the sandbox, but not its containers. Succeeds if the sandbox doesn't
 * exist.
 */
export async function stopPodSandbox(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { podSandboxId: id }: StopPodSandboxRequest,
): Promise<StopPodSandboxResponse> {
  const { name, namespace, hostNetwork } = await knownSandbox(ctx, dependencies, id);
  dependencies.dialers.release(id);
  const failures: unknown[] = [];
  const ready = dependencies.networkReady.get(id);
  const tearsDown = !hostNetwork && ready !== false;
  const facts = { podSandboxId: id, hostNetwork, networkReady: ready ?? 'not known' };
  ctx.tracer.decide(
    ctx,
    'stopPodSandbox.tearDown',
    facts,
    tearsDown ? 'tear it down' : 'no: there is none of its own, or it was torn down before',
    tearsDown,
  );
  if (tearsDown) {
    await dependencies.network.tearDownPod(ctx, { namespace, name, sandboxId: id }).then(
      () => dependencies.networkReady.set(id, false),
      (error: unknown) => failures.push(error),
    );
  }
  try {
    await dependencies.docker.stopContainer(ctx, {
      id: await dependencies.objects.resolve(ctx, id, 'podsandbox'),
      timeout: stopGraceSeconds,
    });
  } catch (error) {
    if (isContainerNotFound(error)) await dependencies.checkpoints.remove(id);
    else failures.push(error);
  }
  const failure = aggregateErrors(failures);
  if (failure) throw failure;
  return {};
}

/** Returns the properties of a sandbox from its container; if the container is missing, from its checkpoint. */
async function knownSandbox(ctx: Context, dependencies: DockershimDependenciesV120, id: string): Promise<KnownSandbox> {
  let inspectError: unknown;
  try {
    const { Name, HostConfig } = await dependencies.objects.inspect(ctx, id, 'podsandbox');
    return { ...parseSandboxName(Name), hostNetwork: HostConfig.NetworkMode === 'host' };
  } catch (error) {
    inspectError = error;
  }
  let checkpoint: SandboxCheckpoint | undefined;
  let checkpointError: unknown = new Error('checkpoint is not found');
  try {
    checkpoint = await dependencies.checkpoints.get(id);
  } catch (error) {
    // The error names the reason why the checkpoint is corrupt.
    checkpointError = error instanceof CorruptCheckpointError ? (error.cause ?? error) : error;
    await dependencies.checkpoints.remove(id);
  }
  if (checkpoint) return checkpoint;
  if (isContainerNotFound(inspectError)) return { name: '', namespace: '', hostNetwork: false };
  const failures = [
    wrapError(`failed to get checkpoint for sandbox ${goQuote(id)}`, checkpointError),
    wrapError('failed to get sandbox status', inspectError),
  ];
  throw aggregateErrors(failures) ?? inspectError;
}

/**
 * Removes a sandbox with its containers. Doesn't tear down its network. Upstream: RemovePodSandbox (dockershim
 * docker_sandbox.go, v1.20).
 */
export async function removePodSandbox(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { podSandboxId: id }: RemovePodSandboxRequest,
): Promise<RemovePodSandboxResponse> {
  const failures: unknown[] = [];
  const label = [`${labelKeys.sandboxId}=${id}`, ...dependencies.objects.ownershipFilter()];
  const containers = await dependencies.docker
    .listContainers(ctx, { all: true, filters: { label } })
    .catch((error: unknown) => {
      failures.push(error);
      return [];
    });
  for (const { Id } of containers) {
    await removeContainer(ctx, dependencies, { containerId: Id }).catch((error: unknown) => {
      if (!isContainerNotFound(error)) failures.push(error);
    });
  }
  try {
    await dependencies.docker.removeContainer(ctx, {
      id: await dependencies.objects.resolve(ctx, id, 'podsandbox'),
      force: true,
    });
    dependencies.networkReady.delete(id);
  } catch (error) {
    if (isContainerNotFound(error)) dependencies.networkReady.delete(id);
    else failures.push(error);
  }
  dependencies.objects.forget(id);
  await dependencies.checkpoints.remove(id).catch((error: unknown) => failures.push(error));
  const failure = aggregateErrors(failures);
  if (failure) throw failure;
  return {};
}
