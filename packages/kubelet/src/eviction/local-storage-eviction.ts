/**
 * Evicts pods whose emptyDir volumes, containers or total exceed their limits of local storage. The kubelet here has no
 * other eviction: node pressure evicts no pods. Upstream: localStorageEviction
 * (pkg/kubelet/eviction/eviction_manager.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { isCriticalPod, type Pod } from '@podscope/k8s';
import { type EventRecorder, formatPod } from '@podscope/kuberuntime';
import { type Context, type Milliseconds, withPod } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import { exceededStorageLimit, type LocalStorageDependencies } from './local-storage-limits.ts';

const monitoringInterval: Milliseconds = 10_000;
const podCleanupTimeout: Milliseconds = 30_000;
const podCleanupPollFreq: Milliseconds = 1000;

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
  /** True when nothing of an evicted pod is left on the node. */
  readonly isCleanedUp: (pod: Pod) => boolean;
}

/**
 * Measures local storage and evicts pods until the context is aborted, at the start and then every ten seconds. After
 * an eviction, it measures again as soon as the evicted pods are cleaned up. Upstream: managerImpl.Start.
 */
export async function localStorageEvictionLoop(
  ctx: Context,
  dependencies: LocalStorageEvictionDependencies,
): Promise<void> {
  if (!dependencies.os.diskUsage) return;
  while (!ctx.signal.aborted) {
    const evictedPods = await evictPods(ctx, dependencies);
    if (evictedPods.length > 0) await waitForPodsCleanup(ctx, dependencies, evictedPods);
    else await pause(ctx, monitoringInterval);
  }
}

/** Evicts the pods that exceed a limit and returns them. Critical pods are never evicted. */
async function evictPods(ctx: Context, dependencies: LocalStorageEvictionDependencies): Promise<readonly Pod[]> {
  const { recorder, activePods, evict } = dependencies;
  const exceeding: { readonly pod: Pod; readonly message: string }[] = [];
  for (const pod of activePods()) {
    const message = isCriticalPod(pod) ? undefined : await exceededLimit(ctx, dependencies, pod);
    if (message !== undefined) exceeding.push({ pod, message });
  }
  for (const { pod, message } of exceeding) {
    const { uid, name, namespace = '' } = pod.metadata;
    const podCtx = withPod(ctx, { uid, name, namespace });
    podCtx.tracer.decide(podCtx, 'eviction.localStorage', { pod: name, message }, evicted, true);
    recorder.event(podCtx, pod, 'Warning', evicted, message);
    await evict(podCtx, pod, { phase: 'Failed', reason: evicted, message }).catch((error: unknown) =>
      warn(podCtx, `Pod ${name} can't be evicted: ${errorText(error)}`),
    );
  }
  return exceeding.map(({ pod }) => pod);
}

const warn = (ctx: Context, message: string): void =>
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });

/** Waits until the evicted pods are cleaned up, at most 30 s. Upstream: waitForPodsCleanup. */
async function waitForPodsCleanup(
  ctx: Context,
  { isCleanedUp }: LocalStorageEvictionDependencies,
  pods: readonly Pod[],
): Promise<void> {
  for (let waited = 0; waited < podCleanupTimeout; waited += podCleanupPollFreq) {
    if (!(await pause(ctx, podCleanupPollFreq)) || pods.every(isCleanedUp)) return;
  }
  warn(ctx, `Timed out waiting for evicted pods to be cleaned up: ${pods.map(formatPod).join(', ')}`);
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
    warn(ctx, `The local storage of pod ${pod.metadata.name} can't be measured: ${errorText(error)}`);
    return undefined;
  }
}
