/** StopContainer. */
import type { StopContainerRequest, StopContainerResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { Shim } from '../shim.ts';

/** Stops within the timeout, else kills. One that is stopped, or gone, is success. Upstream: StopContainer (dockershim, v1.20). */
export async function stopContainer(shim: Shim, ctx: Context, { containerId, timeout }: StopContainerRequest): Promise<StopContainerResponse> {
  try {
    const id = await shim.objects.resolve(ctx, containerId, 'container');
    await shim.docker.stopContainer(ctx, { id, timeout: Math.max(0, Math.floor(timeout)) });
    await shim.logWriters.drained(ctx, id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return {};
}
