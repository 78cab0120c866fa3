/**
 * Evicts pods whose emptyDir volumes exceed their size limits, every ten seconds. It is the only eviction here:
 * pressure on the node evicts no pods. Upstream: localStorageEviction (pkg/kubelet/eviction/eviction_manager.go,
 * v1.36).
 */
import { errorText } from '@podscope/base';
import { goQuote, isCriticalPod, type Pod, parseQuantity, quantityValue, type Volume } from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { type Context, type Milliseconds, withPod } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import type { MountedVolume } from '../volumes/actual-state-of-world.ts';

const monitoringInterval: Milliseconds = 10_000;

/** The reason of an eviction in event and status. */
const evicted = 'Evicted';

export interface LocalStorageEvictionDependencies {
  readonly os: Pick<OSInterface, 'diskUsage'>;
  readonly recorder: EventRecorder;
  readonly activePods: () => readonly Pod[];
  readonly mountedVolumes: (uid: string) => ReadonlyMap<string, MountedVolume>;
  /** Terminates a pod now with a status that gives the reason, and waits for the end. */
  readonly evict: (
    ctx: Context,
    pod: Pod,
    status: { readonly phase: 'Failed'; readonly reason: string; readonly message: string },
  ) => Promise<void>;
}

/** Returns the size limit of a volume on disk. The kernel enforces the limit of a volume in memory. */
const limited = (volume: Volume): string | number | undefined =>
  volume.emptyDir?.medium ? undefined : volume.emptyDir?.sizeLimit;

/** Returns why a pod has to be evicted; undefined when it may stay. Upstream: emptyDirLimitEviction. */
async function outgrown(
  { os, mountedVolumes }: LocalStorageEvictionDependencies,
  pod: Pod,
): Promise<string | undefined> {
  for (const volume of pod.spec.volumes ?? []) {
    const sizeLimit = limited(volume);
    const path = mountedVolumes(pod.metadata.uid).get(volume.name)?.hostPath;
    if (sizeLimit === undefined || path === undefined) continue;
    const bytes = quantityValue(parseQuantity(sizeLimit));
    const used = await os.diskUsage?.(path);
    if (used === undefined || bytes <= 0 || used <= bytes) continue;
    return `Usage of EmptyDir volume ${goQuote(volume.name)} exceeds the limit ${goQuote(String(sizeLimit))}. `;
  }
  return undefined;
}

/** Measures and evicts until the context is aborted. Critical pods are never evicted. */
export async function localStorageEvictionLoop(
  ctx: Context,
  dependencies: LocalStorageEvictionDependencies,
): Promise<void> {
  const { os, recorder, activePods, evict } = dependencies;
  if (!os.diskUsage) return;
  while (await pause(ctx, monitoringInterval)) {
    for (const pod of activePods()) {
      const message = isCriticalPod(pod) ? undefined : await outgrown(dependencies, pod);
      if (message === undefined) continue;
      const { uid, name, namespace = '' } = pod.metadata;
      const podCtx = withPod(ctx, { uid, name, namespace });
      podCtx.tracer.decide(podCtx, 'eviction.localStorage', { pod: name, message }, evicted, true);
      recorder.event(podCtx, pod, 'Warning', evicted, message);
      await evict(podCtx, pod, { phase: 'Failed', reason: evicted, message }).catch((error: unknown) => {
        podCtx.tracer.emit(podCtx, {
          type: 'output',
          level: 'warning',
          message: `Pod ${name} can't be evicted: ${errorText(error)}`,
        });
      });
    }
  }
}
