/** The status of one pod, as the runtime has it now. Upstream: kuberuntime_manager.go GetPodStatus (v1.36 and v1.20). */
import { type ContainerStatus, isCriError, type PodSandboxStatus } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { podUIDLabel } from '../labels.ts';
import type { PodStatus, RuntimePod, Status } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { toStatus } from './convert.ts';
import { gatherPods } from './get-pods.ts';
import { determinePodSandboxIPs } from './pod-ips.ts';
import { terminationMessage } from './termination-message.ts';

/** Undefined when `ask` finds nothing: it went between the listing and the question. */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isCriError(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function containerStatus(ctx: Context, parts: RuntimeParts, status: ContainerStatus): Promise<Status> {
  const converted = toStatus(parts.runtimeName, status);
  return converted.state === 'exited' ? { ...converted, message: await terminationMessage(ctx, parts, status) } : converted;
}

const filterOf = (uid: string): { readonly filter: { readonly labelSelector: Readonly<Record<string, string>> } } => ({
  filter: { labelSelector: { [podUIDLabel]: uid } },
});

/** Of the newest sandbox, when it is ready. */
const ipsOf = (ctx: Context, newest: PodSandboxStatus | undefined): readonly string[] =>
  newest?.state === 'SANDBOX_READY' ? determinePodSandboxIPs(ctx, newest) : [];

const newestFirst = (a: Status, b: Status): number => b.createdAt - a.createdAt;

/** From the record a listing gave; what has gone since is left out. @throws Error for any other failure */
export async function getPodStatusV136(ctx: Context, parts: RuntimeParts, pod: RuntimePod): Promise<PodStatus> {
  const { runtime } = parts;
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
    const status = await containerStatus(ctx, parts, response.status);
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

/** The listing of one pod, then its status. Upstream: GetPod and GetPodStatus (v1.36). */
export async function getPodStatusByUIDV136(ctx: Context, parts: RuntimeParts, { metadata }: Pod): Promise<PodStatus> {
  const { uid, name, namespace = '' } = metadata;
  const { items } = await parts.runtime.listPodSandbox(ctx, filterOf(uid));
  const { containers } = await parts.runtime.listContainers(ctx, filterOf(uid));
  const [pod] = gatherPods(parts.runtimeName, items, containers);
  return getPodStatusV136(ctx, parts, pod ?? { id: uid, name, namespace, createdAt: ctx.clock.now(), containers: [], sandboxes: [] });
}

/** Asks the runtime anew what belongs to the pod. Upstream: GetPodStatus (v1.20). @throws Error for any failure */
async function readPodStatusV120(
  ctx: Context,
  parts: RuntimeParts,
  { id, name, namespace }: Pick<RuntimePod, 'id' | 'name' | 'namespace'>,
): Promise<PodStatus> {
  const { runtime } = parts;
  const timestamp = ctx.clock.now();
  const { items } = await runtime.listPodSandbox(ctx, filterOf(id));
  const sandboxes = items.toSorted((a, b) => Number(b.createdAt - a.createdAt));
  const sandboxStatuses: PodSandboxStatus[] = [];
  for (const sandbox of sandboxes) sandboxStatuses.push((await runtime.podSandboxStatus(ctx, { podSandboxId: sandbox.id })).status);
  const { containers } = await runtime.listContainers(ctx, filterOf(id));
  const statuses: { readonly status: Status; readonly sandbox: string }[] = [];
  for (const container of containers) {
    const response = await runtime.containerStatus(ctx, { containerId: container.id });
    statuses.push({ status: await containerStatus(ctx, parts, response.status), sandbox: container.podSandboxId });
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

export const getPodStatusV120 = (ctx: Context, parts: RuntimeParts, pod: RuntimePod): Promise<PodStatus> => readPodStatusV120(ctx, parts, pod);

export const getPodStatusByUIDV120 = (ctx: Context, parts: RuntimeParts, { metadata }: Pod): Promise<PodStatus> =>
  readPodStatusV120(ctx, parts, { id: metadata.uid, name: metadata.name, namespace: metadata.namespace ?? '' });
