/**
 * Evicts pods whose emptyDir volumes, containers or total exceed their limits of local storage; checks every ten
 * seconds. The kubelet here has no other eviction: node pressure evicts no pods. Upstream: localStorageEviction
 * (pkg/kubelet/eviction/eviction_manager.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { isCriticalPod, type Pod } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import { type Context, type Milliseconds, withPod } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import { exceededStorageLimit, type LocalStorageDependencies } from './local-storage-limits.ts';

const monitoringInterval: Milliseconds = 10_000;

/** The reason in the event and status of an evicted pod. */
const evicted = 'Evicted';

export interface LocalStorageEvictionDependencies extends LocalStorageDependencies {
  readonly recorder: EventRecorder;
  readonly activePods: () => readonly Pod[];
  /** Terminates a pod now, sets a status that contains the reason, and waits until the pod has ended. */
  readonly evict: (
    ctx: Context,
    pod: Pod,
    status: { readonly phase: 'Failed'; readonly reason: string; readonly message: string },
  ) => Promise<void>;
}

/** Measures local storage and evicts pods until the context is aborted. Critical pods are never evicted. */
export async function localStorageEvictionLoop(
  ctx: Context,
  dependencies: LocalStorageEvictionDependencies,
): Promise<void> {
  const { os, recorder, activePods, evict } = dependencies;
  if (!os.diskUsage) return;
  while (await pause(ctx, monitoringInterval)) {
    for (const pod of activePods()) {
      const message = isCriticalPod(pod) ? undefined : await exceededLimit(ctx, dependencies, pod);
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

/** Returns why the pod has to be evicted. A pod whose usage can't be read is measured again the next time. */
async function exceededLimit(
  ctx: Context,
  dependencies: LocalStorageDependencies,
  pod: Pod,
): Promise<string | undefined> {
  try {
    return await exceededStorageLimit(ctx, dependencies, pod);
  } catch (error) {
    const message = `The local storage of pod ${pod.metadata.name} can't be measured: ${errorText(error)}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    return undefined;
  }
}
