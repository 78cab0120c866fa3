/** Implements UpdatePodSandboxResources. Upstream: containerd 2.1; no dockershim had this RPC. */
import type { UpdatePodSandboxResourcesRequest, UpdatePodSandboxResourcesResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';

/**
 * Checks that the sandbox exists, and changes nothing. The kubelet has already changed the pod's cgroup, and the
 * sandbox's container has no limits of its own. containerd doesn't change the cgroup either; it only notifies its
 * plugins.
 * @throws CriError NotFound
 */
export async function updatePodSandboxResources(
  ctx: Context,
  dependencies: DockershimDependencies,
  { podSandboxId }: UpdatePodSandboxResourcesRequest,
): Promise<UpdatePodSandboxResourcesResponse> {
  await dependencies.objects.inspect(ctx, podSandboxId, 'podsandbox');
  return {};
}
