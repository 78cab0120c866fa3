/** StopPodSandbox: containers, network, sandbox. Success when there is nothing left to stop. */
import type { StopPodSandboxRequest, StopPodSandboxResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { SandboxCheckpoint } from '../checkpoint/checkpoint.ts';
import { aggregateErrors, isNotFound, wrapError } from '../docker/error.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { sandboxMetadataOf } from '../metadata.ts';
import type { Shim } from '../shim.ts';
import { containersOfSandbox } from './containers-of-sandbox.ts';

/** Seconds that a sandbox gets to end by itself. */
const stopGraceSeconds = 10;

/** Upstream: StopPodSandbox (dockershim docker_sandbox.go, v1.20). */
export async function stopPodSandbox(shim: Shim, ctx: Context, { podSandboxId }: StopPodSandboxRequest): Promise<StopPodSandboxResponse> {
  const sandbox = await shim.objects.inspect(ctx, podSandboxId, 'podsandbox').catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw wrapError('failed to get sandbox status', error);
  });
  const failure = aggregateErrors(sandbox ? await stopExisting(shim, ctx, sandbox) : await tearDownLost(shim, ctx, podSandboxId));
  if (failure) throw failure;
  return {};
}

async function stopExisting(shim: Shim, ctx: Context, sandbox: ContainerInspect): Promise<unknown[]> {
  const { Id: id } = sandbox;
  const failures: unknown[] = [];
  const collect = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      if (!isNotFound(error)) failures.push(error);
    });
  };
  const containers = await containersOfSandbox(shim, ctx, id, { running: true });
  // CRI: containers that still run are terminated forcibly. Those that should end in order were stopped before.
  await Promise.all(containers.map((container) => collect(shim.docker.stopContainer(ctx, { id: container.Id, timeout: 0 }))));
  const { name, namespace } = sandboxMetadataOf(sandbox.Name, sandbox.Config.Labels);
  if (sandbox.HostConfig.NetworkMode !== 'host') await collect(tearDown(shim, ctx, id, { name, namespace }));
  await collect(shim.docker.stopContainer(ctx, { id, timeout: stopGraceSeconds }));
  return failures;
}

/** What can have been a sandbox's id. */
const dockerId = /^[0-9a-f]{64}$/;

/** The container is gone, from outside: its network may still be there, and the checkpoint knows it. */
async function tearDownLost(shim: Shim, ctx: Context, id: string): Promise<unknown[]> {
  let checkpoint: SandboxCheckpoint | undefined;
  try {
    checkpoint = await shim.checkpoints.get(id);
  } catch (error) {
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Checkpoint of sandbox ${id} is removed: ${(error as Error).message}` });
    await shim.checkpoints.remove(id);
  }
  try {
    // Without a checkpoint nobody knows the pod's name, which no plugin needs to take its network back. Upstream goes on without it, too.
    if (checkpoint ? !checkpoint.hostNetwork : dockerId.test(id)) await tearDown(shim, ctx, id, checkpoint ?? { name: '', namespace: '' });
    await shim.checkpoints.remove(id);
    return [];
  } catch (error) {
    return [error];
  }
}

async function tearDown(shim: Shim, ctx: Context, id: string, { name, namespace }: { name: string; namespace: string }): Promise<void> {
  const state = shim.networkStates.get(id);
  if (state === 'none' || state === 'tornDown') return;
  await shim.network.tearDownPod(ctx, { namespace, name, sandboxId: id });
  shim.networkStates.set(id, 'tornDown');
}
