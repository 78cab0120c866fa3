/** Brings everything the kubelet holds in line with the pods that should be. Upstream: HandlePodCleanups (pkg/kubelet/kubelet_pods.go, v1.36). */
import { isStaticPod, type Pod, podFullName } from '@podscope/k8s';
import type { RuntimePod } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { kubeletPoints } from '../points.ts';
import { isTerminalPhase } from '../status/merge-pod-status.ts';
import { errorText } from '../util/error-text.ts';
import { quiet } from '../util/quiet.ts';
import { activePods } from './handlers.ts';
import type { LoopParts } from './parts.ts';

/** One thing to clean up. */
interface Cleanup {
  readonly what: string;
  readonly run: (ctx: Context) => void | Promise<void>;
}

/** Looks for leftovers, and tells (as a span) only when there are any. */
export async function handlePodCleanups(parts: LoopParts, ctx: Context): Promise<void> {
  const { podManager, podWorkers, probeManager, statusManager, resizeConditions, runtime } = parts;
  const pods = podManager.getPods();
  const workers = podWorkers.syncKnownPods(ctx, pods);
  // Without knowing what runs nothing can be called an orphan.
  const running = await runtime.getPods(quiet(ctx), false);
  const possiblyRunning = new Set([...workers].filter(([, { state }]) => state !== 'terminated').map(([uid]) => uid));
  probeManager.cleanupPods(possiblyRunning);
  const known = podManager.allUIDs();
  statusManager.removeOrphanedStatuses(known);
  resizeConditions.retain(known);
  parts.allocation.retain(known);
  await parts.allocation.retryPeriodically(ctx);
  parts.collectBackOffs();

  const cgroups = await parts.podContainers.pods();
  const cleanups = [
    ...(await orphanedDirectories(parts, new Set([...known, ...workers.keys(), ...running.map(({ id }) => id)]))),
    ...orphanedMirrorPods(parts),
    ...unknownPods(parts, workers, new Set(running.map(({ id }) => id))),
    ...orphanedRuntimePods(parts, running, new Set(workers.keys())),
    ...orphanedCgroups(parts, cgroups, possiblyRunning),
  ];
  if (cleanups.length === 0) return;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodCleanups, { cleanups: cleanups.map(({ what }) => what) }, async (inner) => {
    for (const { run } of cleanups) await run(inner);
  });
}

/** Upstream: cleanupOrphanedPodDirs. */
async function orphanedDirectories({ directories }: LoopParts, keep: ReadonlySet<string>): Promise<readonly Cleanup[]> {
  const uids = await directories.listPodsFromDisk();
  return uids.filter((uid) => !keep.has(uid)).map((uid) => ({ what: `directory of pod ${uid}`, run: () => directories.removePodDir(uid) }));
}

/** Upstream: cleanupOrphanedMirrorPods, through the deletion of mirrors without static pod. */
const orphanedMirrorPods = ({ podManager, podWorkers, mirrorPods }: LoopParts): readonly Cleanup[] =>
  podManager
    .orphanedMirrorPods()
    .filter((pod) => !podWorkers.isPodForMirrorPodTerminatingByFullName(podFullName(pod)))
    .map((pod) => ({ what: `mirror pod ${pod.metadata.name}`, run: () => mirrorPods.delete(pod) }));

/** Pods that should have a worker and have none. */
function unknownPods(parts: LoopParts, workers: ReadonlyMap<string, unknown>, running: ReadonlySet<string>): readonly Cleanup[] {
  const { podManager, podWorkers } = parts;
  const start = (pod: Pod, updateType: 'create' | 'kill', what: string): Cleanup => ({
    what: `${what} ${pod.metadata.name}`,
    run: (ctx) => podWorkers.updatePod(ctx, { updateType, startTime: ctx.clock.now(), pod, mirrorPod: podManager.getPodAndMirrorPod(pod).mirrorPod }),
  });
  const restarted = activePods(parts).filter(({ metadata }) => !workers.has(metadata.uid));
  const deleted = podManager
    .getPods()
    .filter(({ metadata, status }) => metadata.deletionTimestamp !== undefined && isTerminalPhase(status?.phase) && !workers.has(metadata.uid))
    .filter(({ metadata }) => !running.has(metadata.uid));
  return [
    ...restarted.map((pod) => start(pod, 'create', isStaticPod(pod) ? 'restarted static pod' : 'restarted pod')),
    ...deleted.map((pod) => start(pod, 'kill', 'rejected pod')),
  ];
}

/** Pods of ours that run although nobody wants them. */
const orphanedRuntimePods = ({ podWorkers }: LoopParts, running: readonly RuntimePod[], workers: ReadonlySet<string>): readonly Cleanup[] =>
  running
    .filter(({ id }) => !workers.has(id))
    .map((runningPod) => ({
      what: `orphaned running pod ${runningPod.name}`,
      run: (ctx) =>
        podWorkers.updatePod(ctx, {
          updateType: 'kill',
          startTime: ctx.clock.now(),
          runningPod,
          killPodOptions: { gracePeriodSecondsOverride: 1 },
        }),
    }));

/** Cgroups of pods of which nothing can run any more. Upstream: cleanupOrphanedPodCgroups (v1.36). */
const orphanedCgroups = ({ podContainers, tasks }: LoopParts, cgroups: ReadonlyMap<string, string>, keep: ReadonlySet<string>): readonly Cleanup[] =>
  [...cgroups]
    .filter(([uid]) => !keep.has(uid))
    .map(([uid, path]) => ({
      what: `cgroup of pod ${uid}`,
      // In the background, as it waits for processes to die; what fails is tried again at the next housekeeping.
      run: (ctx) =>
        tasks.start(() =>
          podContainers.destroy(path).catch((error: unknown) => {
            ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `cgroup ${path} can't be removed: ${errorText(error)}` });
          }),
        ),
    }));
