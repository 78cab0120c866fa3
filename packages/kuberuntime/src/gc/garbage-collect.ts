/** Removes what is dead: containers, sandboxes, log directories. Upstream: kuberuntime_gc.go (v1.36). */
import type { Container as CriContainer, PodSandbox } from '@podscope/cri';
import { type Context, fromNanoseconds, type Instant } from '@podscope/trace';
import { removeContainer } from '../container/remove-container.ts';
import { killContainer } from '../kill/kill-container.ts';
import { containerInfoFromLabels } from '../labels.ts';
import { containerIDFromLegacyLogSymlink, podUIDFromLogsDirectory } from '../log-paths.ts';
import { kuberuntimePoints } from '../points.ts';
import type { GCPolicy } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { toState } from '../status/convert.ts';
import { aggregateErrors, asError, errorText } from '../util/errors.ts';

export interface GarbageCollection {
  readonly policy: GCPolicy;
  /** Every source of pods has delivered: what is not known is gone. */
  readonly allSourcesReady: boolean;
  /** Also what belongs to pods that are finished but not deleted. */
  readonly evictNonDeletedPods: boolean;
}

/** @throws AggregateError of the parts that failed; the others are done all the same */
export async function garbageCollect(ctx: Context, parts: RuntimeParts, collection: GarbageCollection): Promise<void> {
  const { allSourcesReady, evictNonDeletedPods } = collection;
  await ctx.tracer.span(ctx, kuberuntimePoints.garbageCollect, { allSourcesReady, evictNonDeletedPods }, async (inner) => {
    const errors: Error[] = [];
    for (const part of [evictContainers, evictSandboxes, evictPodLogsDirectories]) {
      try {
        await part(inner, parts, collection);
      } catch (error) {
        errors.push(asError(error));
      }
    }
    const all = aggregateErrors(errors);
    if (all) throw all;
  });
}

/** Removal goes on past what can't be removed; the next collection tries again. */
const warn = (ctx: Context, message: string): void => ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });

interface DeadContainer {
  readonly id: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: Instant;
  readonly isUnknown: boolean;
}

/** Newest first, by pod and name. Upstream: evictableContainers. */
async function evictableContainers(ctx: Context, parts: RuntimeParts, minAge: number): Promise<Map<string, readonly DeadContainer[]>> {
  const { containers } = await parts.runtime.listContainers(ctx, {});
  const newestAllowed = ctx.clock.now() - minAge * 1000;
  const dead = containers
    .filter(({ state, createdAt }) => state !== 'CONTAINER_RUNNING' && fromNanoseconds(createdAt) <= newestAllowed)
    .map((container: CriContainer): DeadContainer => {
      const { podUID, containerName } = containerInfoFromLabels(container.labels);
      const createdAt = fromNanoseconds(container.createdAt);
      return { id: container.id, name: containerName, uid: podUID, createdAt, isUnknown: toState(container.state) === 'unknown' };
    })
    .toSorted((a, b) => b.createdAt - a.createdAt);
  return new Map(Map.groupBy(dead, ({ uid, name }) => `${uid}/${name}`));
}

/** Keeps the newest `keep`; of the others the oldest goes first. Upstream: removeOldestN. */
async function removeOldest(ctx: Context, parts: RuntimeParts, newestFirst: readonly DeadContainer[], keep: number): Promise<void> {
  for (const { id, name, isUnknown } of newestFirst.slice(keep).toReversed()) {
    try {
      // It may still run: removing it would leave its processes behind.
      const message = 'Container is in unknown state, try killing it before removal';
      if (isUnknown) await killContainer(ctx, parts, { pod: undefined, id: { type: parts.runtimeName, id }, name, message, reason: 'Unknown' });
      await removeContainer(ctx, parts, id);
    } catch (error) {
      warn(ctx, `dead container ${name} (${id}) can't be removed: ${errorText(error)}`);
    }
  }
}

/** Upstream: evictContainers. */
async function evictContainers(ctx: Context, parts: RuntimeParts, { policy, allSourcesReady, evictNonDeletedPods }: GarbageCollection): Promise<void> {
  const { podState } = parts;
  const units = await evictableContainers(ctx, parts, policy.minAge);
  const keepNewest = async (key: string, unit: readonly DeadContainer[], keep: number): Promise<void> => {
    await removeOldest(ctx, parts, unit, keep);
    units.set(key, unit.slice(0, keep));
  };
  if (allSourcesReady) {
    for (const [key, unit] of units) {
      const uid = unit[0]?.uid ?? '';
      if (podState.shouldPodContentBeRemoved(uid) || (evictNonDeletedPods && podState.shouldPodRuntimeBeRemoved(uid))) await keepNewest(key, unit, 0);
    }
  }
  if (policy.maxPerPodContainer >= 0) for (const [key, unit] of units) await keepNewest(key, unit, policy.maxPerPodContainer);
  const count = (): number => [...units.values()].reduce((sum, unit) => sum + unit.length, 0);
  if (policy.maxContainers < 0 || count() <= policy.maxContainers) return;
  const groups = [...units.values()].filter((unit) => unit.length > 0).length;
  const perGroup = Math.max(1, Math.floor(policy.maxContainers / groups));
  for (const [key, unit] of units) await keepNewest(key, unit, perGroup);
  const rest = [...units.values()].flat().toSorted((a, b) => b.createdAt - a.createdAt);
  await removeOldest(ctx, parts, rest, policy.maxContainers);
}

/** Upstream: evictSandboxes. */
async function evictSandboxes(ctx: Context, parts: RuntimeParts, { evictNonDeletedPods }: GarbageCollection): Promise<void> {
  const { runtime, podState } = parts;
  const { containers } = await runtime.listContainers(ctx, {});
  const { items } = await runtime.listPodSandbox(ctx, {});
  const used = new Set(containers.map(({ podSandboxId }) => podSandboxId));
  const isActive = ({ id, state }: PodSandbox): boolean => state === 'SANDBOX_READY' || used.has(id);
  const byPod = Map.groupBy(
    items.toSorted((a, b) => Number(b.createdAt - a.createdAt)),
    ({ metadata }) => metadata.uid,
  );
  for (const [uid, sandboxes] of byPod) {
    const gone = podState.shouldPodContentBeRemoved(uid) || (evictNonDeletedPods && podState.shouldPodRuntimeBeRemoved(uid));
    for (const sandbox of gone ? sandboxes : sandboxes.slice(1)) if (!isActive(sandbox)) await removeSandbox(ctx, parts, sandbox.id);
  }
}

/** Stopped again before, as a stop may have failed half-way and left its network behind. */
async function removeSandbox(ctx: Context, { runtime }: RuntimeParts, podSandboxId: string): Promise<void> {
  try {
    await runtime.stopPodSandbox(ctx, { podSandboxId });
    await runtime.removePodSandbox(ctx, { podSandboxId });
  } catch (error) {
    warn(ctx, `dead sandbox ${podSandboxId} can't be removed: ${errorText(error)}`);
  }
}

/** Upstream: evictPodLogsDirectories. */
async function evictPodLogsDirectories(ctx: Context, parts: RuntimeParts, { allSourcesReady }: GarbageCollection): Promise<void> {
  const { os, podLogsDir, podState, legacyLogDir } = parts;
  if (allSourcesReady) {
    for (const name of await os.readDir(podLogsDir)) {
      if (podState.shouldPodContentBeRemoved(podUIDFromLogsDirectory(name)))
        await tryTo(ctx, `log directory ${name}`, () => os.removeAll(`${podLogsDir}/${name}`));
    }
  }
  if (legacyLogDir === undefined) return;
  for (const name of await os.readDir(legacyLogDir)) {
    const link = `${legacyLogDir}/${name}`;
    await tryTo(ctx, `log link ${name}`, async () => {
      if (name.endsWith('.log') && !(await os.exists(link)) && !(await isStillRunning(ctx, parts, name))) await os.remove(link);
    });
  }
}

/** One path that can't be removed does not keep the others. */
async function tryTo(ctx: Context, what: string, remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    warn(ctx, `${what} can't be removed: ${errorText(error)}`);
  }
}

/** A log that is being rotated is gone for a moment while its container runs on. */
async function isStillRunning(ctx: Context, { runtime }: RuntimeParts, linkName: string): Promise<boolean> {
  const id = containerIDFromLegacyLogSymlink(linkName);
  if (id === undefined) return false;
  try {
    return (await runtime.containerStatus(ctx, { containerId: id })).status.state !== 'CONTAINER_EXITED';
  } catch {
    return false;
  }
}
