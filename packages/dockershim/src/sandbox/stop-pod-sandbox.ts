/** Implements StopPodSandbox. Upstream: dockershim docker_sandbox.go (v1.20). */
import type { StopPodSandboxRequest, StopPodSandboxResponse } from '@podscope/cri';
import type { SandboxCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { aggregateErrors, isNotFound, wrapError } from '../docker/error.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { sandboxMetadataOf } from '../objects/metadata.ts';
import { containersOfSandbox } from './containers-of-sandbox.ts';

/** The grace period of a sandbox's own container, in seconds. */
const stopGraceSeconds = 10;

/**
 * Kills the containers of a sandbox, tears down its network and stops the sandbox. Succeeds if the sandbox doesn't
 * exist.
 */
export async function stopPodSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  { podSandboxId }: StopPodSandboxRequest,
): Promise<StopPodSandboxResponse> {
  const sandbox = await dependencies.objects.inspect(ctx, podSandboxId, 'podsandbox').catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw wrapError('failed to get sandbox status', error);
  });
  const failure = aggregateErrors(
    sandbox ? await stopExisting(ctx, dependencies, sandbox) : await tearDownLost(ctx, dependencies, podSandboxId),
  );
  if (failure) throw failure;
  return {};
}

async function stopExisting(
  ctx: Context,
  dependencies: DockershimDependencies,
  sandbox: ContainerInspect,
): Promise<unknown[]> {
  const { Id: id } = sandbox;
  const failures: unknown[] = [];
  const collect = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      if (!isNotFound(error)) failures.push(error);
    });
  };
  const containers = await containersOfSandbox(ctx, dependencies, id, { running: true });
  // CRI requires that running containers are killed. The kubelet has already stopped its containers with a grace
  // period.
  await Promise.all(
    containers.map((container) => collect(dependencies.docker.stopContainer(ctx, { id: container.Id, timeout: 0 }))),
  );
  dependencies.dialers.release(id);
  const { name, namespace } = sandboxMetadataOf(sandbox.Name, sandbox.Config.Labels);
  if (sandbox.HostConfig.NetworkMode !== 'host') await collect(tearDown(ctx, dependencies, id, { name, namespace }));
  await collect(dependencies.docker.stopContainer(ctx, { id, timeout: stopGraceSeconds }));
  return failures;
}

/** Matches the id of a sandbox. */
const dockerId = /^[0-9a-f]{64}$/;

/**
 * Tears down the network of a sandbox whose container another client removed. The checkpoint contains the pod's name.
 */
async function tearDownLost(ctx: Context, dependencies: DockershimDependencies, id: string): Promise<unknown[]> {
  let checkpoint: SandboxCheckpoint | undefined;
  try {
    checkpoint = await dependencies.checkpoints.get(id);
  } catch (error) {
    ctx.tracer.emit(ctx, {
      type: 'output',
      level: 'warning',
      message: `Checkpoint of sandbox ${id} is removed: ${(error as Error).message}`,
    });
    await dependencies.checkpoints.remove(id);
  }
  try {
    // Plugins don't need the pod's name, so the network is also torn down without a checkpoint, as upstream does.
    if (checkpoint ? !checkpoint.hostNetwork : dockerId.test(id))
      await tearDown(ctx, dependencies, id, checkpoint ?? { name: '', namespace: '' });
    await dependencies.checkpoints.remove(id);
    return [];
  } catch (error) {
    return [error];
  }
}

async function tearDown(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  { name, namespace }: { name: string; namespace: string },
): Promise<void> {
  const state = dependencies.networkStates.get(id);
  if (state === 'none' || state === 'tornDown') return;
  await dependencies.network.tearDownPod(ctx, { namespace, name, sandboxId: id });
  dependencies.networkStates.set(id, 'tornDown');
}
