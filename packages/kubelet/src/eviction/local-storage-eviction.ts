/**
 * Evicts pods whose volumes outgrow their limits, every ten seconds. Of the kubelet's evictions this is the one a pod's own manifest asks for;
 * pressure on the node evicts nobody here. Upstream: localStorageEviction (pkg/kubelet/eviction/eviction_manager.go, v1.36).
 */
import { goQuote, isCriticalPod, type Pod, parseQuantity, quantityValue, type Volume } from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { type Context, type Milliseconds, withPod } from '@podscope/trace';
import { errorText } from '../util/error-text.ts';
import { pause } from '../util/wait.ts';
import type { MountedVolume } from '../volumes/volume-manager.ts';

const monitoringInterval: Milliseconds = 10_000;

/** The reason of an eviction, in event and status. */
const evicted = 'Evicted';

export interface LocalStorageEvictionDependencies {
  readonly os: Pick<OSInterface, 'diskUsage'>;
  readonly recorder: EventRecorder;
  readonly activePods: () => readonly Pod[];
  readonly mountedVolumes: (uid: string) => ReadonlyMap<string, MountedVolume>;
  /** Ends a pod at once, with a status that says why, and waits for its end. */
  readonly evict: (ctx: Context, pod: Pod, status: { readonly phase: 'Failed'; readonly reason: string; readonly message: string }) => Promise<void>;
}

/** Volumes with a limit that the file system does not keep: those in memory are as large as they may be. */
const limited = (volume: Volume): string | number | undefined => (volume.emptyDir?.medium ? undefined : volume.emptyDir?.sizeLimit);

/** Why a pod has to go; undefined when it may stay. Upstream: emptyDirLimitEviction. */
async function outgrown({ os, mountedVolumes }: LocalStorageEvictionDependencies, pod: Pod): Promise<string | undefined> {
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

/** Looks and evicts until the context is aborted. Critical pods stay. */
export async function localStorageEvictionLoop(ctx: Context, deps: LocalStorageEvictionDependencies): Promise<void> {
  const { os, recorder, activePods, evict } = deps;
  if (!os.diskUsage) return;
  while (await pause(ctx, monitoringInterval)) {
    for (const pod of activePods()) {
      const message = isCriticalPod(pod) ? undefined : await outgrown(deps, pod);
      if (message === undefined) continue;
      const { uid, name, namespace = '' } = pod.metadata;
      const podCtx = withPod(ctx, { uid, name, namespace });
      podCtx.tracer.decide(podCtx, 'eviction.localStorage', { pod: name, message }, evicted, true);
      recorder.event(podCtx, pod, 'Warning', evicted, message);
      await evict(podCtx, pod, { phase: 'Failed', reason: evicted, message }).catch((error: unknown) => {
        podCtx.tracer.emit(podCtx, { type: 'output', level: 'warning', message: `Pod ${name} can't be evicted: ${errorText(error)}` });
      });
    }
  }
}
