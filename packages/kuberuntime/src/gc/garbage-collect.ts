/** Removes dead containers, sandboxes and log directories. Upstream: kuberuntime_gc.go (v1.36). */
import { asError, errorText } from '@podscope/base';
import type { Container as CriContainer, PodSandbox } from '@podscope/cri';
import { kuberuntimePoints } from '@podscope/flow';
import { type Context, fromNanoseconds, type Instant } from '@podscope/trace';
import { removeContainer } from '../container/remove-container.ts';
import { killContainer } from '../kill/kill-container.ts';
import { containerInfoFromLabels } from '../labels.ts';
import { containerIDFromLegacyLogSymlink, podUIDFromLogsDirectory } from '../log-paths.ts';
import type { GCPolicy } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { toState } from '../status/convert.ts';
import { aggregateErrors } from '../util/errors.ts';

export interface GarbageCollection {
  readonly policy: GCPolicy;
  /** True if every source has delivered its pods. If so, a pod that the kubelet doesn't know has been deleted. */
  readonly allSourcesReady: boolean;
  /** True to also remove the containers and sandboxes of finished pods that aren't deleted. */
  readonly evictNonDeletedPods: boolean;
}

/**
 * Collects containers, sandboxes and logs.
 * @throws AggregateError with the errors of the parts that failed; the other parts still run
 */
export async function garbageCollect(
  ctx: Context,
  dependencies: RuntimeDependencies,
  collection: GarbageCollection,
): Promise<void> {
  const { allSourcesReady, evictNonDeletedPods } = collection;
  await ctx.tracer.span(
    ctx,
    kuberuntimePoints.garbageCollect,
    { allSourcesReady, evictNonDeletedPods },
    async (inner) => {
      const errors: Error[] = [];
      for (const part of [evictContainers, evictSandboxes, evictPodLogsDirectories]) {
        try {
          await part(inner, dependencies, collection);
        } catch (error) {
          errors.push(asError(error));
        }
      }
      const all = aggregateErrors(errors);
      if (all) throw all;
    },
  );
}

/** Logs a failed removal. The collection continues, and the next garbage collection retries the removal. */
const warn = (ctx: Context, message: string): void =>
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });

interface DeadContainer {
  readonly id: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: Instant;
  readonly isUnknown: boolean;
}

/**
 * Returns the dead containers that may be removed, by pod and container name, in the runtime's order. Upstream:
 * evictableContainers.
 */
async function evictableContainers(
  ctx: Context,
  dependencies: RuntimeDependencies,
  minAge: number,
): Promise<Map<string, readonly DeadContainer[]>> {
  const { containers } = await dependencies.runtime.listContainers(ctx, { filter: {} });
  const newestAllowed = ctx.clock.now() - minAge * 1000;
  const dead = containers
    .filter(({ state, createdAt }) => state !== 'CONTAINER_RUNNING' && fromNanoseconds(createdAt) <= newestAllowed)
    .map((container: CriContainer): DeadContainer => {
      const { podUID, containerName } = containerInfoFromLabels(container.labels);
      const createdAt = fromNanoseconds(container.createdAt);
      return {
        id: container.id,
        name: containerName,
        uid: podUID,
        createdAt,
        isUnknown: toState(container.state) === 'unknown',
      };
    });
  return new Map(Map.groupBy(dead, ({ uid, name }) => `${uid}/${name}`));
}

/**
 * Removes all containers except the newest `keep` ones, the oldest first. If none is kept, the list is only walked
 * backwards. Returns the others, even if a removal failed. Upstream: removeOldestN.
 */
async function removeOldest(
  ctx: Context,
  dependencies: RuntimeDependencies,
  containers: readonly DeadContainer[],
  keep: number,
): Promise<readonly DeadContainer[]> {
  if (containers.length <= keep) return containers;
  const ordered = keep > 0 ? containers.toSorted((a, b) => b.createdAt - a.createdAt) : containers;
  for (const { id, name, isUnknown } of ordered.slice(keep).toReversed()) {
    try {
      // A container in the state unknown may still be running. It is killed first, because its processes would survive
      // the removal.
      const message = 'Container is in unknown state, try killing it before removal';
      if (isUnknown)
        await killContainer(ctx, dependencies, {
          pod: undefined,
          id: { type: dependencies.runtimeName, id },
          name,
          message,
          reason: 'Unknown',
        });
      await removeContainer(ctx, dependencies, id);
    } catch (error) {
      warn(ctx, `dead container ${name} (${id}) can't be removed: ${errorText(error)}`);
    }
  }
  return ordered.slice(0, keep);
}

/** Removes dead containers beyond the limits of the policy. Upstream: evictContainers. */
async function evictContainers(
  ctx: Context,
  dependencies: RuntimeDependencies,
  { policy, allSourcesReady, evictNonDeletedPods }: GarbageCollection,
): Promise<void> {
  const { podState } = dependencies;
  const units = await evictableContainers(ctx, dependencies, policy.minAge);
  const keepNewest = async (key: string, unit: readonly DeadContainer[], keep: number): Promise<void> =>
    void units.set(key, await removeOldest(ctx, dependencies, unit, keep));
  if (allSourcesReady) {
    for (const [key, unit] of units) {
      const uid = unit[0]?.uid ?? '';
      if (podState.shouldPodContentBeRemoved(uid) || (evictNonDeletedPods && podState.shouldPodRuntimeBeRemoved(uid)))
        await keepNewest(key, unit, 0);
    }
  }
  if (policy.maxPerPodContainer >= 0)
    for (const [key, unit] of units) await keepNewest(key, unit, policy.maxPerPodContainer);
  const count = (): number => [...units.values()].reduce((sum, unit) => sum + unit.length, 0);
  if (policy.maxContainers < 0 || count() <= policy.maxContainers) return;
  const groups = [...units.values()].filter((unit) => unit.length > 0).length;
  const perGroup = Math.max(1, Math.floor(policy.maxContainers / groups));
  for (const [key, unit] of units) await keepNewest(key, unit, perGroup);
  await removeOldest(ctx, dependencies, [...units.values()].flat(), policy.maxContainers);
}

/** Removes sandboxes that are no longer needed, the oldest of an existing pod first. Upstream: evictSandboxes. */
async function evictSandboxes(
  ctx: Context,
  dependencies: RuntimeDependencies,
  { evictNonDeletedPods }: GarbageCollection,
): Promise<void> {
  const { runtime, podState, profile } = dependencies;
  const { containers } = await runtime.listContainers(ctx, { filter: {} });
  const { items } = await runtime.listPodSandbox(ctx, profile.listAllSandboxes);
  const used = new Set(containers.map(({ podSandboxId }) => podSandboxId));
  const isActive = ({ id, state }: PodSandbox): boolean => state === 'SANDBOX_READY' || used.has(id);
  for (const [uid, sandboxes] of Map.groupBy(items, ({ metadata }) => metadata.uid)) {
    const gone =
      podState.shouldPodContentBeRemoved(uid) || (evictNonDeletedPods && podState.shouldPodRuntimeBeRemoved(uid));
    // If no sandbox is kept, the list of the runtime is only walked backwards.
    const removed = gone ? sandboxes : sandboxes.toSorted((a, b) => Number(b.createdAt - a.createdAt)).slice(1);
    for (const sandbox of removed.toReversed())
      if (!isActive(sandbox)) await removeSandbox(ctx, dependencies, sandbox.id);
  }
}

/** Stops a sandbox again and removes it. An earlier stop may have failed halfway, with the network still set up. */
async function removeSandbox(ctx: Context, { runtime }: RuntimeDependencies, podSandboxId: string): Promise<void> {
  try {
    await runtime.stopPodSandbox(ctx, { podSandboxId });
    await runtime.removePodSandbox(ctx, { podSandboxId });
  } catch (error) {
    warn(ctx, `dead sandbox ${podSandboxId} can't be removed: ${errorText(error)}`);
  }
}

/**
 * Removes log directories of deleted pods, and dangling links. Links in an unreadable directory stay. Upstream:
 * evictPodLogsDirectories.
 * @throws Error when the directory of logs can't be read
 */
async function evictPodLogsDirectories(
  ctx: Context,
  dependencies: RuntimeDependencies,
  { allSourcesReady }: GarbageCollection,
): Promise<void> {
  const { os, podLogsDir, podState, legacyLogDir, profile } = dependencies;
  if (allSourcesReady) {
    const unreadable = (error: unknown): never => {
      throw new Error(profile.texts.podLogsUnreadable(podLogsDir, errorText(error)), { cause: error });
    };
    const names = await os.readDir(podLogsDir).catch(unreadable);
    if (names.length === 0 && !(await os.exists(podLogsDir)))
      unreadable(`open ${podLogsDir}: no such file or directory`);
    for (const name of names) {
      if (podState.shouldPodContentBeRemoved(podUIDFromLogsDirectory(name)))
        await tryTo(ctx, `log directory ${name}`, () => os.removeAll(`${podLogsDir}/${name}`));
    }
  }
  if (legacyLogDir === undefined) return;
  for (const name of await os.readDir(legacyLogDir).catch(() => [])) {
    const link = `${legacyLogDir}/${name}`;
    await tryTo(ctx, `log link ${name}`, async () => {
      if (name.endsWith('.log') && !(await os.exists(link)) && !(await isStillRunning(ctx, dependencies, name)))
        await os.remove(link);
    });
  }
}

/** Runs `remove` and logs an error, so that the other paths are still removed. */
async function tryTo(ctx: Context, what: string, remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    warn(ctx, `${what} can't be removed: ${errorText(error)}`);
  }
}

/**
 * Returns true if the container of a link is running. During a rotation, a running container has no log file for a
 * moment.
 */
async function isStillRunning(ctx: Context, { runtime }: RuntimeDependencies, linkName: string): Promise<boolean> {
  const id = containerIDFromLegacyLogSymlink(linkName);
  if (id === undefined) return false;
  try {
    return (await runtime.containerStatus(ctx, { containerId: id })).status.state !== 'CONTAINER_EXITED';
  } catch {
    return false;
  }
}
