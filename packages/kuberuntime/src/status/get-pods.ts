/** Lists the pods that the runtime knows. Upstream: kuberuntime_manager.go GetPods, GetPod (v1.36). */
import type { Container as CriContainer, PodSandbox } from '@podscope/cri';
import { type Context, type Instant, instant } from '@podscope/trace';
import { containerInfoFromLabels, podUIDLabel } from '../labels.ts';
import type { RuntimeContainer, RuntimePod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { sandboxToRuntimeContainer, toRuntimeContainer } from './convert.ts';

interface Gathered {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  createdAt: Instant;
  readonly sandboxes: { readonly attempt: number; readonly container: RuntimeContainer }[];
  readonly containers: RuntimeContainer[];
}

const byID = (a: RuntimeContainer, b: RuntimeContainer): number => (a.id.id < b.id.id ? -1 : a.id.id > b.id.id ? 1 : 0);

/**
 * Groups containers and sandboxes by pod. Sandboxes are sorted by attempt and containers by age, both with the newest
 * first.
 */
function gatherPods(
  type: string,
  sandboxes: readonly PodSandbox[],
  containers: readonly CriContainer[],
): readonly RuntimePod[] {
  const pods = new Map<string, Gathered>();
  const podOf = (labels: Readonly<Record<string, string>>): Gathered => {
    const { podUID, podName, podNamespace } = containerInfoFromLabels(labels);
    let pod = pods.get(podUID);
    if (!pod) {
      pod = {
        id: podUID,
        name: podName,
        namespace: podNamespace,
        createdAt: instant(0),
        sandboxes: [],
        containers: [],
      };
      pods.set(podUID, pod);
    }
    return pod;
  };
  for (const sandbox of sandboxes) {
    const pod = podOf(sandbox.labels);
    const container = sandboxToRuntimeContainer(type, sandbox);
    pod.sandboxes.push({ attempt: sandbox.metadata.attempt, container });
    pod.createdAt = container.createdAt;
  }
  for (const container of containers) {
    // A container without a name label wasn't created by the kubelet.
    if (containerInfoFromLabels(container.labels).containerName === '') continue;
    podOf(container.labels).containers.push(toRuntimeContainer(type, container));
  }
  return [...pods.values()]
    .map(({ sandboxes: ofPod, containers: own, ...pod }) => ({
      ...pod,
      sandboxes: ofPod
        .toSorted(
          (a, b) =>
            b.attempt - a.attempt || b.container.createdAt - a.container.createdAt || byID(a.container, b.container),
        )
        .map(({ container }) => container),
      containers: own.toSorted((a, b) => b.createdAt - a.createdAt || byID(a, b)),
    }))
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

/**
 * Returns the pods of the runtime.
 * @param all whether to include containers and sandboxes that aren't running
 */
export async function getPods(
  ctx: Context,
  { runtime, runtimeName, profile: { listAllSandboxes } }: RuntimeDependencies,
  all: boolean,
): Promise<readonly RuntimePod[]> {
  const { items } = await runtime.listPodSandbox(
    ctx,
    all ? listAllSandboxes : { filter: { state: { state: 'SANDBOX_READY' } } },
  );
  const { containers } = await runtime.listContainers(ctx, {
    filter: all ? {} : { state: { state: 'CONTAINER_RUNNING' } },
  });
  return gatherPods(runtimeName, items, containers);
}

/** Returns the filter of a list for what belongs to a pod. */
export const filterOf = (
  uid: string,
): { readonly filter: { readonly labelSelector: Readonly<Record<string, string>> } } => ({
  filter: { labelSelector: { [podUIDLabel]: uid } },
});

/**
 * Returns one pod of the runtime with all its containers and sandboxes; undefined if the runtime doesn't know it.
 * Upstream: kuberuntime_manager.go GetPod (v1.36).
 */
export async function getPod(
  ctx: Context,
  { runtime, runtimeName }: RuntimeDependencies,
  uid: string,
): Promise<RuntimePod | undefined> {
  const { items } = await runtime.listPodSandbox(ctx, filterOf(uid));
  const { containers } = await runtime.listContainers(ctx, filterOf(uid));
  return gatherPods(runtimeName, items, containers).find(({ id }) => id === uid);
}
