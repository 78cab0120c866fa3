/**
 * Reads the current status of one pod from the runtime. Upstream: kuberuntime_manager.go GetPodStatus (v1.36 and
 * v1.20).
 */
import { type ContainerStatus, isCriError, type PodSandboxStatus } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodStatus, RuntimePod, Status } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { toStatus } from './convert.ts';
import { getPod } from './get-pods.ts';
import { determinePodSandboxIPs } from './pod-ips.ts';
import { terminationMessage } from './termination-message.ts';

/**
 * Returns the result of `ask`; undefined if the object doesn't exist, because it was removed after the list was read.
 */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isCriError(error, 'NotFound')) return undefined;
    throw error;
  }
}

export async function containerStatus(
  ctx: Context,
  dependencies: RuntimeDependencies,
  status: ContainerStatus,
): Promise<Status> {
  const converted = toStatus(dependencies.runtimeName, status, dependencies);
  return converted.state === 'exited'
    ? { ...converted, message: await terminationMessage(ctx, dependencies, status) }
    : converted;
}

/** Returns the addresses of the newest sandbox if it is ready. */
export const ipsOf = (ctx: Context, newest: PodSandboxStatus | undefined): readonly string[] =>
  newest?.state === 'SANDBOX_READY' ? determinePodSandboxIPs(ctx, newest) : [];

const newestFirst = (a: Status, b: Status): number => b.createdAt - a.createdAt;

/**
 * Returns the status of a pod from a list. Containers and sandboxes that have been removed since are omitted.
 * @throws Error when a read fails for another reason
 */
export async function getPodStatusV136(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: RuntimePod,
): Promise<PodStatus> {
  const { runtime } = dependencies;
  const timestamp = ctx.clock.now();
  const sandboxStatuses: PodSandboxStatus[] = [];
  for (const { id } of pod.sandboxes) {
    const response = await unlessGone(() => runtime.podSandboxStatus(ctx, { podSandboxId: id.id }));
    if (response && !response.status) throw new Error('pod sandbox status is nil');
    if (response) sandboxStatuses.push(response.status);
  }
  const readySandbox = sandboxStatuses.find(({ state }) => state === 'SANDBOX_READY')?.id;
  const containerStatuses: Status[] = [];
  const active: Status[] = [];
  for (const container of pod.containers) {
    const response = await unlessGone(() => runtime.containerStatus(ctx, { containerId: container.id.id }));
    if (!response) continue;
    const status = await containerStatus(ctx, dependencies, response.status);
    containerStatuses.push(status);
    if (readySandbox !== undefined && container.podSandboxID === readySandbox) active.push(status);
  }
  return {
    id: pod.id,
    name: pod.name,
    namespace: pod.namespace,
    ips: ipsOf(ctx, sandboxStatuses[0]),
    sandboxStatuses,
    containerStatuses: containerStatuses.toSorted(newestFirst),
    activeContainerStatuses: active.toSorted(newestFirst),
    timestamp,
  };
}

/** Lists one pod, then reads its status. Upstream: GetPod and GetPodStatus (v1.36). */
export async function getPodStatusByUIDV136(
  ctx: Context,
  dependencies: RuntimeDependencies,
  { metadata }: Pod,
): Promise<PodStatus> {
  const { uid, name, namespace = '' } = metadata;
  const pod = await getPod(ctx, dependencies, uid);
  return getPodStatusV136(
    ctx,
    dependencies,
    pod ?? { id: uid, name, namespace, createdAt: ctx.clock.now(), containers: [], sandboxes: [] },
  );
}
