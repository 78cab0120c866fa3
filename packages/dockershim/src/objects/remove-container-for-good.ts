/** Removes a container and waits until the engine no longer has it. */
import { CriError } from '@podscope/cri';
import { type Context, sleep } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound, isRemovalInProgress } from '../docker/error.ts';

const pollMs = 100;
const timeoutMs = 30_000;

/**
 * Kills a container and removes it with its anonymous volumes. Succeeds if the container doesn't exist or is already
 * being removed.
 */
export async function removeContainerForGood(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
): Promise<void> {
  try {
    await dependencies.docker.removeContainer(ctx, { id, force: true });
  } catch (error) {
    if (isRemovalInProgress(error)) await waitUntilGone(ctx, dependencies, id);
    else if (!isNotFound(error)) throw error;
  }
  dependencies.objects.forget(id);
  dependencies.cgroupSettings.delete(id);
  dependencies.processUsers.forget(id);
  await dependencies.logWriters.forget(id);
}

async function waitUntilGone(ctx: Context, dependencies: DockershimDependencies, id: string): Promise<void> {
  const deadline = ctx.clock.now() + timeoutMs;
  while (ctx.clock.now() < deadline) {
    const isGone = await dependencies.docker.inspectContainer(ctx, { id }).then(
      () => false,
      (error: unknown) => {
        if (isNotFound(error)) return true;
        throw error;
      },
    );
    if (isGone) return;
    await sleep(ctx.clock, pollMs, ctx.signal);
  }
  throw new CriError('DeadlineExceeded', `removal of container ${id} is still in progress after ${timeoutMs / 1000} s`);
}
