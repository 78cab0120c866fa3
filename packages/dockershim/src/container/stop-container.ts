/** Implements StopContainer. Upstream: dockershim docker_container.go (v1.20). */
import type { StopContainerRequest, StopContainerResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound } from '../docker/error.ts';

/**
 * Sends the stop signal, and kills the container after the timeout. Succeeds if the container has already stopped or
 * doesn't exist.
 */
export async function stopContainer(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId, timeout }: StopContainerRequest,
): Promise<StopContainerResponse> {
  try {
    const id = await dependencies.objects.resolve(ctx, containerId, 'container');
    await dependencies.docker.stopContainer(ctx, { id, timeout: Math.max(0, Math.floor(timeout)) });
    await dependencies.logWriters.drained(ctx, id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return {};
}
