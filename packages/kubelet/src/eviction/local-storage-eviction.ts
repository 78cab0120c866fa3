/**
 * Evicts pods whose emptyDir volumes exceed their size limits; checks every ten seconds. The kubelet here has no other
 * eviction: node pressure evicts no pods. Upstream: localStorageEviction (pkg/kubelet/eviction/eviction_manager.go,
 * v1.36).
 */
import { errorText } from '@podscope/base';
import {
  formatQuantity,
  goQuote,
  isCriticalPod,
  type Pod,
  parseQuantity,
  quantityValue,
  type Volume,
} from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { type Context, type Milliseconds, withPod } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import type { MountedVolume } from '../volumes/actual-state-of-world.ts';

const monitoringInterval: Milliseconds = 10_000;

/** The reason in the event and status of an evicted pod. */
const evicted = 'Evicted';

export interface LocalStorageEvictionDependencies {
  readonly os: Pick<OSInterface, 'diskUsage'>;
  readonly recorder: EventRecorder;
  readonly activePods: () => readonly Pod[];
  readonly mountedVolumes: (uid: string) => ReadonlyMap<string, MountedVolume>;
  /** Terminates a pod now, sets a status that contains the reason, and waits until the pod has ended. */
  readonly evict: (
    ctx: Context,
    pod: Pod,
    status: { readonly phase: 'Failed'; readonly reason: string; readonly message: string },
  ) => Promise<void>;
}

/** Returns the size limit of a volume on disk; undefined for a volume in memory, whose limit the kernel enforces. */
const limited = (volume: Volume): string | number | undefined =>
  volume.emptyDir?.medium ? undefined : volume.emptyDir?.sizeLimit;

/** Returns why the pod has to be evicted; undefined when it may continue. Upstream: emptyDirLimitEviction. */
async function outgrown(
  { os, mountedVolumes }: LocalStorageEvictionDependencies,
  pod: Pod,
): Promise<string | undefined> {
  for (const volume of pod.spec.volumes ?? []) {
    const sizeLimit = limited(volume);
    const path = mountedVolumes(pod.metadata.uid).get(volume.name)?.hostPath;
    if (sizeLimit === undefined || path === undefined) continue;
    const limit = parseQuantity(sizeLimit);
    const bytes = quantityValue(limit);
    const used = await os.diskUsage?.(path);
    if (used === undefined || bytes <= 0 || used <= bytes) continue;
    return `Usage of EmptyDir volume ${goQuote(volume.name)} exceeds the limit ${goQuote(formatQuantity(limit))}. `;
  }
  return undefined;
}

/** Measures volumes and evicts pods until the context is aborted. Critical pods are never evicted. */
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
