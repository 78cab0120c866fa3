/** RemovePodSandbox: everything of the pod that is left. Success when there is nothing. */
import type { RemovePodSandboxRequest, RemovePodSandboxResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { aggregateErrors, isNotFound } from '../docker/error.ts';
import { removeContainerForGood } from '../remove-container.ts';
import type { Shim } from '../shim.ts';
import { containersOfSandbox } from './containers-of-sandbox.ts';
import { stopPodSandbox } from './stop-pod-sandbox.ts';

/** Upstream: RemovePodSandbox (dockershim docker_sandbox.go, v1.20); a sandbox that still runs is stopped first. */
export async function removePodSandbox(shim: Shim, ctx: Context, { podSandboxId }: RemovePodSandboxRequest): Promise<RemovePodSandboxResponse> {
  const sandbox = await shim.objects.inspect(ctx, podSandboxId, 'podsandbox').catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const id = sandbox?.Id ?? podSandboxId;
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => failures.push(error));
  };
  if (sandbox?.State.Running || (shim.networkStates.get(id) ?? 'setUp') === 'setUp') await attempt(() => stopPodSandbox(shim, ctx, { podSandboxId: id }));
  await attempt(async () => {
    const containers = await containersOfSandbox(shim, ctx, id);
    await Promise.all(containers.map((container) => attempt(() => removeContainerForGood(shim, ctx, container.Id))));
  });
  if (sandbox) await attempt(() => removeContainerForGood(shim, ctx, id));
  // Where anything failed the sandbox is listed on, if only from its checkpoint, so that the caller tries again.
  if (failures.length === 0) {
    shim.networkStates.delete(id);
    await shim.startingSandboxes.end(id);
    // An id that cannot be one has no checkpoint.
    if (/^[0-9a-f]+$/.test(id)) await attempt(() => shim.checkpoints.remove(id));
  }
  const failure = aggregateErrors(failures);
  if (failure) throw failure;
  return {};
}
