/** Implements UpdateContainerResources. Upstream: dockershim docker_container_unix.go (v1.20). */
import { CriError, type UpdateContainerResourcesRequest, type UpdateContainerResourcesResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerUpdateBody } from '../docker/create-body.ts';
import { wrapError } from '../docker/error.ts';
import { applyCgroupSettings, cgroupSettings, settableOf } from './create/cgroup-settings.ts';

/**
 * Changes the resources of a container. A value of zero means no change. The swap limit changes together with the
 * memory limit, because the engine rejects a memory limit above the swap limit.
 */
export async function updateContainerResources(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId, linux }: UpdateContainerResourcesRequest,
): Promise<UpdateContainerResourcesResponse> {
  if (!linux)
    throw new CriError('InvalidArgument', `no linux resources to update container ${goQuote(containerId)} with`);
  const id = await dependencies.objects.resolve(ctx, containerId, 'container');
  const settings = await settableOf(dependencies, cgroupSettings(linux));
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
    await dependencies.docker.updateContainer(ctx, { id, body });
  } catch (error) {
    throw wrapError(`failed to update container ${goQuote(containerId)}`, error);
  }
  await applyCgroupSettings(ctx, dependencies, id, settings);
  return {};
}
