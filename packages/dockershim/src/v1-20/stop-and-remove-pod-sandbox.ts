/** StopPodSandbox and RemovePodSandbox of v1.20. */
import type { RemovePodSandboxRequest, RemovePodSandboxResponse, StopPodSandboxRequest, StopPodSandboxResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { CorruptCheckpointError, type SandboxCheckpoint } from '../checkpoint/checkpoint.ts';
import { aggregateErrors, wrapError } from '../docker/error.ts';
import { labelKeys } from '../labels.ts';
import { parseSandboxName } from '../names.ts';
import { removeContainer } from './containers.ts';
import { isContainerNotFound } from './errors.ts';
import type { ShimV120 } from './shim.ts';

/** Seconds that a sandbox gets to end by itself. */
const stopGraceSeconds = 10;

interface KnownSandbox {
  readonly name: string;
  readonly namespace: string;
  readonly hostNetwork: boolean;
}

/** Upstream: StopPodSandbox (dockershim docker_sandbox.go, v1.20). The pod's containers are not stopped with it. */
export async function stopPodSandbox(shim: ShimV120, ctx: Context, { podSandboxId: id }: StopPodSandboxRequest): Promise<StopPodSandboxResponse> {
  const { name, namespace, hostNetwork } = await knownSandbox(shim, ctx, id);
  const failures: unknown[] = [];
  const ready = shim.networkReady.get(id);
  const tearsDown = !hostNetwork && ready !== false;
  const facts = { podSandboxId: id, hostNetwork, networkReady: ready ?? 'not known' };
  ctx.tracer.decide(ctx, 'stopPodSandbox.tearDown', facts, tearsDown ? 'tear it down' : 'no: there is none of its own, or it was torn down before', tearsDown);
  if (tearsDown) {
    await shim.network.tearDownPod(ctx, { namespace, name, sandboxId: id }).then(
      () => shim.networkReady.set(id, false),
      (error: unknown) => failures.push(error),
    );
  }
  try {
    await shim.docker.stopContainer(ctx, { id: await shim.objects.resolve(ctx, id, 'podsandbox'), timeout: stopGraceSeconds });
  } catch (error) {
    if (isContainerNotFound(error)) await shim.checkpoints.remove(id);
    else failures.push(error);
  }
  const failure = aggregateErrors(failures);
  if (failure) throw failure;
  return {};
}

/** From its container, else from its checkpoint. */
async function knownSandbox(shim: ShimV120, ctx: Context, id: string): Promise<KnownSandbox> {
  let inspectError: unknown;
  try {
    const { Name, HostConfig } = await shim.objects.inspect(ctx, id, 'podsandbox');
    return { ...parseSandboxName(Name), hostNetwork: HostConfig.NetworkMode === 'host' };
  } catch (error) {
    inspectError = error;
  }
  let checkpoint: SandboxCheckpoint | undefined;
  let checkpointError: unknown = new Error('checkpoint is not found');
  try {
    checkpoint = await shim.checkpoints.get(id);
  } catch (error) {
    // What is wrong with the file says more than that something is.
    checkpointError = error instanceof CorruptCheckpointError ? (error.cause ?? error) : error;
    await shim.checkpoints.remove(id);
  }
  if (checkpoint) return checkpoint;
  if (isContainerNotFound(inspectError)) return { name: '', namespace: '', hostNetwork: false };
  const failures = [wrapError(`failed to get checkpoint for sandbox ${goQuote(id)}`, checkpointError), wrapError('failed to get sandbox status', inspectError)];
  throw aggregateErrors(failures) ?? inspectError;
}

/** Upstream: RemovePodSandbox (dockershim docker_sandbox.go, v1.20). The network is not torn down here. */
export async function removePodSandbox(shim: ShimV120, ctx: Context, { podSandboxId: id }: RemovePodSandboxRequest): Promise<RemovePodSandboxResponse> {
  const failures: unknown[] = [];
  const label = [`${labelKeys.sandboxId}=${id}`, ...shim.objects.ownershipFilter()];
  const containers = await shim.docker.listContainers(ctx, { all: true, filters: { label } }).catch((error: unknown) => {
    failures.push(error);
    return [];
  });
  for (const { Id } of containers) {
    await removeContainer(shim, ctx, { containerId: Id }).catch((error: unknown) => {
      if (!isContainerNotFound(error)) failures.push(error);
    });
  }
  try {
    await shim.docker.removeContainer(ctx, { id: await shim.objects.resolve(ctx, id, 'podsandbox'), force: true });
    shim.networkReady.delete(id);
  } catch (error) {
    if (isContainerNotFound(error)) shim.networkReady.delete(id);
    else failures.push(error);
  }
  shim.objects.forget(id);
  await shim.checkpoints.remove(id).catch((error: unknown) => failures.push(error));
  const failure = aggregateErrors(failures);
  if (failure) throw failure;
  return {};
}
