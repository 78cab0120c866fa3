/** Implements RemovePodSandbox. Upstream: dockershim docker_sandbox.go (v1.20). */
import type { RemovePodSandboxRequest, RemovePodSandboxResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { aggregateErrors, isNotFound } from '../docker/error.ts';
import { removeContainerForGood } from '../objects/remove-container-for-good.ts';
import { containersOfSandbox } from './containers-of-sandbox.ts';
import { stopPodSandbox } from './stop-pod-sandbox.ts';

/**
 * Removes a sandbox with its containers, network and checkpoint. A running sandbox is stopped first. Succeeds if the
 * sandbox doesn't exist.
 */
export async function removePodSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  { podSandboxId }: RemovePodSandboxRequest,
): Promise<RemovePodSandboxResponse> {
  const sandbox = await dependencies.objects.inspect(ctx, podSandboxId, 'podsandbox').catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const id = sandbox?.Id ?? podSandboxId;
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => failures.push(error));
  };
  if (sandbox?.State.Running || (dependencies.networkStates.get(id) ?? 'setUp') === 'setUp')
    await attempt(() => stopPodSandbox(ctx, dependencies, { podSandboxId: id }));
  await attempt(async () => {
    const containers = await containersOfSandbox(ctx, dependencies, id);
    await Promise.all(
      containers.map((container) => attempt(() => removeContainerForGood(ctx, dependencies, container.Id))),
    );
  });
  if (sandbox) await attempt(() => removeContainerForGood(ctx, dependencies, id));
  // The checkpoint is removed only if nothing failed. Otherwise the sandbox must remain in the list, so that the caller
  // tries again.
  if (failures.length === 0) {
    dependencies.networkStates.delete(id);
    await dependencies.startingSandboxes.end(id);
    // Checkpoints have hexadecimal ids as keys, so no checkpoint exists for any other text.
    if (/^[0-9a-f]+$/.test(id)) await attempt(() => dependencies.checkpoints.remove(id));
  }
  const failure = aggregateErrors(failures);
  if (failure) throw failure;
  return {};
}
