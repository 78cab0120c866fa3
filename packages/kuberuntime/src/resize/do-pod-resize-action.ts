/**
 * Resizes the cgroup and the containers of a running pod. Upstream: kuberuntime_manager.go doPodResizeAction (v1.36).
 */
import { aggregateText, errorMessage, errorText } from '@podscope/base';
import { CriError, isCriError } from '@podscope/cri';
import { goQuote, type Pod, type ResourceRequirements } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodActions, ResizedResource } from '../compute-pod-actions/pod-actions.ts';
import { formatPod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { noPodCgroups } from './no-pod-cgroups.ts';
import type { PodCgroupConfig, PodCgroups } from './pod-cgroups.ts';
import { mergeResourceConfig, resourceConfigForPod, sandboxUpdate } from './pod-resource-config.ts';
import { type CurrentResources, updatePodContainersResources } from './update-containers.ts';

/** The state of one resize. */
interface Resize {
  readonly dependencies: RuntimeDependencies;
  readonly cgroups: PodCgroups;
  readonly pod: Pod;
  readonly actions: PodActions;
  /** The desired configuration of the pod's cgroup. */
  readonly wanted: PodCgroupConfig;
  /** The current configuration of the pod's cgroup. */
  current: PodCgroupConfig;
  readonly containers: CurrentResources;
}

/** The value to write to the pod's cgroup. */
type PodValue = 'limit' | 'request';

/**
 * Resizes a pod. If a part fails, a later sync continues with the remaining parts.
 * @throws Error with the message of the failed result
 */
export async function doPodResizeAction(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  actions: PodActions,
): Promise<void> {
  const cgroups = dependencies.cgroups ?? noPodCgroups(dependencies);
  const name = goQuote(formatPod(pod));
  const wanted = resourceConfigForPod(pod, dependencies);
  const memory = await readConfig(ctx, cgroups, pod, 'memory', name);
  const cpu = await readConfig(ctx, cgroups, pod, 'cpu', name);
  const current = mergeResourceConfig(mergeResourceConfig(wanted, memory), cpu);
  const resize: Resize = { dependencies, cgroups, pod, actions, wanted, current, containers: new Map() };
  await validateMemoryDecrease(ctx, resize);
  try {
    const all = actions.updatePodResources || actions.updatePodLevelResources;
    if (all || actions.containersToUpdate?.memory.length) await resizeResource(ctx, resize, 'memory');
    if (all || actions.containersToUpdate?.cpu.length) await resizeResource(ctx, resize, 'cpu');
  } finally {
    dependencies.requestReinspect(pod.metadata.uid);
  }
}

async function readConfig(
  ctx: Context,
  cgroups: PodCgroups,
  pod: Pod,
  resource: ResizedResource,
  name: string,
): Promise<PodCgroupConfig> {
  try {
    return await cgroups.getPodCgroupConfig(ctx, pod, resource);
  } catch (cause) {
    throw new Error(`unable to get pod cgroup ${resource} config for pod ${name}`, { cause });
  }
}

/**
 * Rejects a memory limit below the current usage, because the kernel would kill the container. Upstream:
 * validateMemoryResizeAction.
 */
async function validateMemoryDecrease(ctx: Context, { cgroups, pod, actions, wanted, current }: Resize): Promise<void> {
  const updates = actions.containersToUpdate?.memory ?? [];
  if (updates.length === 0 && !actions.updatePodResources) return;
  const podDecreases = wanted.memory !== undefined && (current.memory === undefined || wanted.memory < current.memory);
  const decreasing = updates.filter(
    ({ desired, current: now }) =>
      desired.memoryLimit !== 0 && (now.memoryLimit === 0 || desired.memoryLimit < now.memoryLimit),
  );
  if (!podDecreases && decreasing.length === 0) return;
  const usage = await readUsage(ctx, cgroups, pod);
  const faults: string[] = [];
  if (podDecreases && wanted.memory !== undefined) {
    if (usage.pod === undefined) faults.push('missing pod memory usage');
    else if (usage.pod >= wanted.memory)
      faults.push(`attempting to set pod memory limit (${wanted.memory}) below current usage (${usage.pod})`);
  }
  const limits = new Map(decreasing.map(({ container, desired }) => [container.name, desired.memoryLimit]));
  for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    const limit = limits.get(name);
    if (limit === undefined) continue;
    const used = usage.containers[name];
    if (used === undefined) faults.push(`missing container ${goQuote(name)} memory usage`);
    else if (used >= limit) {
      // Upstream's message also contains the usage of the pod.
      const printed = usage.pod ?? used;
      faults.push(
        `attempting to set container ${goQuote(name)} memory limit (${limit}) below current usage (${printed})`,
      );
    }
  }
  const outcome = faults.length > 0 ? 'refused: it would use more than it may' : 'fine';
  ctx.tracer.decide(
    ctx,
    'doPodResizeAction.memoryDecrease',
    () => ({ podLimit: wanted.memory, containerLimits: Object.fromEntries(limits), usage }),
    outcome,
  );
  if (faults.length > 0) throw new Error(`cannot decrease memory limits: ${aggregateText(faults)}`);
}

async function readUsage(ctx: Context, cgroups: PodCgroups, pod: Pod): ReturnType<PodCgroups['memoryUsage']> {
  try {
    return await cgroups.memoryUsage(ctx, pod);
  } catch (cause) {
    throw new Error(`unable to read memory usage for pod ${goQuote(formatPod(pod))}`, { cause });
  }
}

/**
 * Resizes one resource. An increase changes the pod first and a decrease changes the containers first, so that the
 * containers never exceed their pod.
 */
async function resizeResource(ctx: Context, resize: Resize, resource: ResizedResource): Promise<void> {
  const { dependencies, pod, actions, wanted, current } = resize;
  // A limit can't be removed, so a pod without a limit keeps the limit of its cgroup.
  const [limitNow, limitNext] =
    resource === 'memory'
      ? [current.memory ?? 0, wanted.memory ?? current.memory ?? 0]
      : [current.cpuQuota ?? 0, wanted.cpuQuota ?? current.cpuQuota ?? 0];
  const [requestNow, requestNext] = resource === 'memory' ? [0, 0] : [current.cpuShares ?? 0, wanted.cpuShares ?? 0];
  if (limitNext > limitNow) await setPodValue(ctx, resize, resource, 'limit');
  if (requestNext > requestNow) await setPodValue(ctx, resize, resource, 'request');
  const updates = actions.containersToUpdate?.[resource] ?? [];
  await updatePodContainersResources(ctx, dependencies, pod, resource, updates, resize.containers);
  if (requestNext < requestNow) await setPodValue(ctx, resize, resource, 'request');
  if (limitNext < limitNow) await setPodValue(ctx, resize, resource, 'limit');
  if (actions.updatePodLevelResources) recordPodLevelResources(dependencies, pod, resource);
}

/**
 * Records one resource of the pod as applied. If the resize of the other resource fails, only the other resource still
 * differs from the record. Upstream: updateActuatedPodLevelResources in doPodResizeAction.
 */
function recordPodLevelResources({ actuated }: RuntimeDependencies, pod: Pod, resource: ResizedResource): void {
  const { uid } = pod.metadata;
  const { resources: allocated } = pod.spec;
  if (!allocated) return;
  const before = actuated.pod(uid) ?? {};
  const merged = (list: 'limits' | 'requests'): ResourceRequirements => {
    const { [resource]: value } = allocated[list] ?? {};
    const { [resource]: _replaced, ...others } = before[list] ?? {};
    if (allocated[list] === undefined) return before[list] ? { [list]: before[list] } : {};
    return { [list]: value === undefined ? others : { ...others, [resource]: value } };
  };
  actuated.setPod(uid, { ...before, ...merged('limits'), ...merged('requests') });
}

function valuesOf({ wanted }: Resize, resource: ResizedResource, value: PodValue): PodCgroupConfig {
  if (resource === 'memory') return { memory: wanted.memory };
  return value === 'limit'
    ? { cpuPeriod: wanted.cpuPeriod, cpuQuota: wanted.cpuQuota }
    : { cpuShares: wanted.cpuShares };
}

/**
 * Writes one value of the pod's cgroup. Before that, notifies the runtime, which may reject the value. If the write
 * fails, notifies the runtime again with the previous values. Upstream: setPodCgroupConfig in doPodResizeAction.
 */
async function setPodValue(ctx: Context, resize: Resize, resource: ResizedResource, value: PodValue): Promise<void> {
  const { cgroups, pod } = resize;
  const change = valuesOf(resize, resource, value);
  const next = mergeResourceConfig(resize.current, change);
  try {
    await updatePodSandboxResources(ctx, resize, next);
  } catch (error) {
    const what = `failed to notify runtime for UpdatePodSandboxResources (resource=${resource})`;
    throw new Error(`${what}; resize rejected: ${errorText(error)}`, { cause: error });
  }
  try {
    await cgroups.setPodCgroupConfig(ctx, pod, change);
  } catch (error) {
    await updatePodSandboxResources(ctx, resize, resize.current).catch((again: unknown) => {
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'warning',
        message: `the runtime could not restore the previous resources of ${formatPod(pod)}: ${errorText(again)}`,
      });
    });
    throw error;
  }
  resize.current = next;
}

/**
 * Notifies the runtime of a pod's resources. If a runtime doesn't implement the call, the resources count as accepted.
 */
async function updatePodSandboxResources(
  ctx: Context,
  { dependencies, pod, actions }: Resize,
  config: PodCgroupConfig,
): Promise<void> {
  try {
    await dependencies.runtime.updatePodSandboxResources(ctx, {
      podSandboxId: actions.sandboxID,
      ...sandboxUpdate(dependencies, pod, config),
    });
  } catch (error) {
    if (isUnimplemented(error)) return;
    throw new Error(
      `updatePodSandboxResources failed for sanboxID ${goQuote(actions.sandboxID)}: ${errorText(error)}`,
      { cause: error },
    );
  }
}

/**
 * Returns true if the runtime doesn't implement the call. As upstream, an error without a gRPC status has the code
 * Unknown.
 */
function isUnimplemented(error: unknown): boolean {
  if (isCriError(error, 'Unimplemented')) return true;
  const isUnknown = !(error instanceof CriError) || error.code === 'Unknown';
  return isUnknown && errorMessage(error).includes('not implemented');
}
