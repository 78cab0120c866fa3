/** UpdateContainerResources. */
import { CriError, type UpdateContainerResourcesRequest, type UpdateContainerResourcesResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ContainerUpdateBody } from '../docker/create-body.ts';
import { wrapError } from '../docker/error.ts';
import type { Shim } from '../shim.ts';
import { applyCgroupSettings, cgroupSettings, settableOf } from './cgroup-settings.ts';

/**
 * Changes a container's resources while it runs; zero leaves a value as it is.
 * Upstream: UpdateContainerResources (dockershim docker_container_unix.go, v1.20). The swap limit goes along, since a memory limit above it is refused.
 */
export async function updateContainerResources(
  shim: Shim,
  ctx: Context,
  { containerId, linux }: UpdateContainerResourcesRequest,
): Promise<UpdateContainerResourcesResponse> {
  if (!linux) throw new CriError('InvalidArgument', `no linux resources to update container ${goQuote(containerId)} with`);
  const id = await shim.objects.resolve(ctx, containerId, 'container');
  const settings = await settableOf(shim, cgroupSettings(linux));
  const memory = linux.memoryLimitInBytes ?? 0;
  const body: ContainerUpdateBody = {
    CpuPeriod: linux.cpuPeriod ?? 0,
    CpuQuota: linux.cpuQuota ?? 0,
    CpuShares: linux.cpuShares ?? 0,
    CpusetCpus: linux.cpusetCpus ?? '',
    CpusetMems: linux.cpusetMems ?? '',
    Memory: memory,
    MemorySwap: linux.memorySwapLimitInBytes || memory,
    RestartPolicy: { Name: '', MaximumRetryCount: 0 },
  };
  try {
    await shim.docker.updateContainer(ctx, { id, body });
  } catch (error) {
    throw wrapError(`failed to update container ${goQuote(containerId)}`, error);
  }
  await applyCgroupSettings(shim, ctx, id, settings);
  return {};
}
