/** Removing any container of ours, so that it is gone afterwards. */
import { CriError } from '@podscope/cri';
import { type Context, sleep } from '@podscope/trace';
import { isNotFound, isRemovalInProgress } from './docker/error.ts';
import type { Shim } from './shim.ts';

const pollMs = 100;
const patienceMs = 30_000;

/** Kills and removes a container with its anonymous volumes. One that is gone, or being removed by somebody else, is success. */
export async function removeContainerForGood(shim: Shim, ctx: Context, id: string): Promise<void> {
  try {
    await shim.docker.removeContainer(ctx, { id, force: true });
  } catch (error) {
    if (isRemovalInProgress(error)) await waitUntilGone(shim, ctx, id);
    else if (!isNotFound(error)) throw error;
  }
  shim.objects.forget(id);
  shim.cgroupSettings.delete(id);
  shim.processUsers.forget(id);
  await shim.logWriters.forget(id);
}

async function waitUntilGone(shim: Shim, ctx: Context, id: string): Promise<void> {
  const deadline = ctx.clock.now() + patienceMs;
  while (ctx.clock.now() < deadline) {
    const isGone = await shim.docker.inspectContainer(ctx, { id }).then(
      () => false,
      (error: unknown) => {
        if (isNotFound(error)) return true;
        throw error;
      },
    );
    if (isGone) return;
    await sleep(ctx.clock, pollMs, ctx.signal);
  }
  throw new CriError('DeadlineExceeded', `removal of container ${id} is still in progress after ${patienceMs / 1000} s`);
}
