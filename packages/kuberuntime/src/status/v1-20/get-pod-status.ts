/** Reads the current status of one pod from the runtime. Upstream: kuberuntime_manager.go GetPodStatus (v1.20). */
import type { PodSandboxStatus } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodStatus, RuntimePod, Status } from '../../runtime.ts';
import type { RuntimeDependencies } from '../../runtime-dependencies.ts';
import { containerStatus, ipsOf } from '../get-pod-status.ts';
import { filterOf } from '../get-pods.ts';

/**
 * Reads the containers and sandboxes of a pod from the runtime again. Upstream: GetPodStatus (v1.20).
 * @throws Error when any read fails
 */
async function readPodStatusV120(
  ctx: Context,
  dependencies: RuntimeDependencies,
  { id, name, namespace }: Pick<RuntimePod, 'id' | 'name' | 'namespace'>,
): Promise<PodStatus> {
  const { runtime } = dependencies;
  const timestamp = ctx.clock.now();
  const { items } = await runtime.listPodSandbox(ctx, filterOf(id));
  const sandboxes = items.toSorted((a, b) => Number(b.createdAt - a.createdAt));
  const sandboxStatuses: PodSandboxStatus[] = [];
  for (const sandbox of sandboxes)
    sandboxStatuses.push((await runtime.podSandboxStatus(ctx, { podSandboxId: sandbox.id })).status);
  const { containers } = await runtime.listContainers(ctx, filterOf(id));
  const statuses: { readonly status: Status; readonly sandbox: string }[] = [];
  for (const container of containers) {
    const response = await runtime.containerStatus(ctx, { containerId: container.id });
    statuses.push({
      status: await containerStatus(ctx, dependencies, response.status),
      sandbox: container.podSandboxId,
    });
  }
  const sorted = statuses.toSorted((a, b) => b.status.createdAt - a.status.createdAt);
  const readySandbox = sandboxStatuses.find(({ state }) => state === 'SANDBOX_READY')?.id;
  return {
    id,
    name,
    namespace,
    ips: ipsOf(ctx, sandboxStatuses[0]),
    sandboxStatuses,
    containerStatuses: sorted.map(({ status }) => status),
    activeContainerStatuses: sorted.filter(({ sandbox }) => sandbox === readySandbox).map(({ status }) => status),
    timestamp,
  };
}

export const getPodStatusV120 = (
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: RuntimePod,
): Promise<PodStatus> => readPodStatusV120(ctx, dependencies, pod);

export const getPodStatusByUIDV120 = (
  ctx: Context,
  dependencies: RuntimeDependencies,
  { metadata }: Pod,
): Promise<PodStatus> =>
  readPodStatusV120(ctx, dependencies, { id: metadata.uid, name: metadata.name, namespace: metadata.namespace ?? '' });
