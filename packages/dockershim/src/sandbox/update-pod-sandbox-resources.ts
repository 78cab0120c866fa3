/** UpdatePodSandboxResources. */
import type { UpdatePodSandboxResourcesRequest, UpdatePodSandboxResourcesResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { Shim } from '../shim.ts';

/**
 * Hears that a pod's resources changed. The pod's control group is the kubelet's, which has changed it already, and the sandbox container has no
 * limits of its own: there is nothing left to do. Upstream: UpdatePodSandboxResources (containerd, 2.1), which tells its plugins and no more.
 * @throws CriError NotFound
 */
export async function updatePodSandboxResources(
  shim: Shim,
  ctx: Context,
  { podSandboxId }: UpdatePodSandboxResourcesRequest,
): Promise<UpdatePodSandboxResourcesResponse> {
  await shim.objects.inspect(ctx, podSandboxId, 'podsandbox');
  return {};
}
