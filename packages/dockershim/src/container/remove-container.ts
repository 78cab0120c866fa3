/** Implements RemoveContainer. Upstream: dockershim docker_container.go (v1.20). */
import type { RemoveContainerRequest, RemoveContainerResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound, wrapError } from '../docker/error.ts';
import { removeContainerForGood } from '../objects/remove-container-for-good.ts';

/** Removes a container, even if it is running. Succeeds if the container doesn't exist. */
export async function removeContainer(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId }: RemoveContainerRequest,
): Promise<RemoveContainerResponse> {
  try {
    await removeContainerForGood(ctx, dependencies, await dependencies.objects.resolve(ctx, containerId, 'container'));
  } catch (error) {
    if (!isNotFound(error)) throw wrapError(`failed to remove container ${goQuote(containerId)}`, error);
  }
  return {};
}
