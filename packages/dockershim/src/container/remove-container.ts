/** RemoveContainer. */
import type { RemoveContainerRequest, RemoveContainerResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { isNotFound, wrapError } from '../docker/error.ts';
import { removeContainerForGood } from '../remove-container.ts';
import type { Shim } from '../shim.ts';

/** Removes a container, running or not. One that is gone is success. Upstream: RemoveContainer (dockershim, v1.20). */
export async function removeContainer(shim: Shim, ctx: Context, { containerId }: RemoveContainerRequest): Promise<RemoveContainerResponse> {
  try {
    await removeContainerForGood(shim, ctx, await shim.objects.resolve(ctx, containerId, 'container'));
  } catch (error) {
    if (!isNotFound(error)) throw wrapError(`failed to remove container ${goQuote(containerId)}`, error);
  }
  return {};
}
