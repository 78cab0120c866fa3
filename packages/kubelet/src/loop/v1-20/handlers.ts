/** What the sync loop does with its messages in v1.20. Upstream: HandlePod…, dispatchWork, deletePod (pkg/kubelet/kubelet.go, v1.20). */
import { isMirrorPod, type Pod } from '@podscope/k8s';
import { type Context, type Instant, instant, withPod } from '@podscope/trace';
import type { PodLifecycleEvent } from '../../pleg/events.ts';
import type { SyncPodType } from '../../pod-workers/types.ts';
import { isEvicted } from '../../pod-workers/v1-20/pod-lives.ts';
import { kubeletPoints } from '../../points.ts';
import { probeProfileV120 } from '../../prober/probe-profile.ts';
import { errorText } from '../../util/error-text.ts';
import { admitPod } from '../admit-pod.ts';
import { needToReconcilePodReadiness } from '../pod-readiness.ts';
import { oldestFirst, podNames } from '../pods.ts';
import type { SyncHandler } from '../sync-handler.ts';
import { handlePodCleanupsV120 } from './housekeeping.ts';
import type { LoopPartsV120 } from './parts.ts';

/** The handlers of one kubelet. */
export class SyncHandlerV120 implements SyncHandler {
  readonly #parts: LoopPartsV120;
  /** When a container of a pod was last seen to start: a removal must not miss it. */
  readonly #lastContainerStarted = new Map<string, Instant>();

  constructor(parts: LoopPartsV120) {
    this.#parts = parts;
  }

  readonly probeSyncsPod = probeProfileV120.syncsPod;

  readonly isPodKnownTerminated = (uid: string): boolean => {
    const pod = this.#parts.podManager.getPodByUID(uid);
    return pod !== undefined && this.#parts.podLives.isTerminated(pod);
  };

  readonly handlePodAdditions = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    const { podManager, podLives, probeManager } = this.#parts;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodAdditions, { pods: podNames(pods) }, async (inner) => {
      for (const pod of oldestFirst(pods)) {
        const others = podLives.activePods().filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
        podManager.update(pod);
        if (isMirrorPod(pod)) {
          await this.#handleMirrorPod(inner, pod);
          continue;
        }
        if (!podLives.isTerminated(pod) && !(await admitPod(this.#parts, inner, pod, others))) continue;
        await this.#dispatchWork(inner, pod, 'create');
        probeManager.addPod(pod);
      }
    });
  };

  readonly handlePodUpdates = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodUpdates, { pods: podNames(pods) }, async (inner) => {
      for (const pod of pods) {
        this.#parts.podManager.update(pod);
        if (isMirrorPod(pod)) await this.#handleMirrorPod(inner, pod);
        else await this.#dispatchWork(inner, pod, 'update');
      }
    });
  };

  readonly handlePodRemoves = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    const { podManager, podKiller, probeManager } = this.#parts;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodRemoves, { pods: podNames(pods) }, async (inner) => {
      for (const pod of pods) {
        podManager.remove(pod);
        if (isMirrorPod(pod)) {
          await this.#handleMirrorPod(inner, pod);
          continue;
        }
        if (podManager.getMirrorPodByPod(pod)) podKiller.markMirrorPodPendingTermination(pod);
        await this.#deletePod(inner, pod);
        probeManager.removePod(pod.metadata.uid);
      }
    });
  };

  readonly handlePodReconcile = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    const { podManager, statusManager, containerDeletor } = this.#parts;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodReconcile, { pods: podNames(pods) }, async (inner) => {
      for (const pod of pods) podManager.update(pod);
      const needsSync = pods.filter((pod) => needToReconcilePodReadiness(statusManager, pod));
      const evicted = pods.filter(({ status }) => isEvicted(status));
      inner.span.set({ needsSync: podNames(needsSync), evicted: podNames(evicted) });
      for (const pod of needsSync) await this.#dispatchWork(inner, pod, 'sync');
      for (const { metadata } of evicted) containerDeletor.deleteContainersInPod(inner, metadata.uid, undefined, true);
    });
  };

  readonly handlePodSyncs = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodSyncs, { pods: podNames(pods) }, async (inner) => {
      for (const pod of pods) await this.#dispatchWork(inner, pod, 'sync');
    });
  };

  readonly handlePodCleanups = (ctx: Context): Promise<void> => handlePodCleanupsV120(this.#parts, ctx);

  readonly handlePlegEvent = (ctx: Context, { type, uid, id }: PodLifecycleEvent): void => {
    const { containerDeletor, sandboxDeletor } = this.#parts;
    if (type === 'ContainerStarted') this.#lastContainerStarted.set(uid, ctx.clock.now());
    if (type === 'ContainerRemoved') sandboxDeletor.containerRemoved(ctx, uid);
    if (type === 'ContainerDied' && id !== undefined) containerDeletor.containerDied(ctx, uid, id);
  };

  /** A mirror pod means its static pod. */
  async #handleMirrorPod(ctx: Context, mirrorPod: Pod): Promise<void> {
    const { pod } = this.#parts.podManager.getPodAndMirrorPod(mirrorPod);
    if (pod) await this.#dispatchWork(ctx, pod, 'update');
  }

  /** Tells the worker, unless nothing is left to do. Upstream: dispatchWork (v1.20). */
  async #dispatchWork(ctx: Context, pod: Pod, updateType: SyncPodType): Promise<void> {
    const { podLives, podWorkers, podManager, statusManager } = this.#parts;
    const { uid, name, namespace = '', deletionTimestamp } = pod.metadata;
    const podCtx = withPod(ctx, { uid, namespace, name });
    await podCtx.tracer.span(podCtx, kubeletPoints.dispatchWork, { updateType }, (inner) => {
      const facts = { deleted: deletionTimestamp !== undefined, containersTerminal: podLives.containersTerminal(pod), terminated: podLives.isTerminated(pod) };
      if (facts.deleted && facts.containersTerminal) {
        inner.tracer.decide(inner, 'dispatchWork', facts, 'no: it is deleted and nothing of it runs, its object may go');
        statusManager.terminatePod(inner, pod);
        return undefined;
      }
      inner.tracer.decide(inner, 'dispatchWork', facts, facts.terminated ? 'no: the pod has ended' : 'yes: tell the worker');
      return facts.terminated ? undefined : podWorkers.updatePod(inner, { pod, mirrorPod: podManager.getMirrorPodByPod(pod), updateType });
    });
  }

  /** Hands what still runs of a pod to the pod killer; failures are left to housekeeping. Upstream: deletePod (v1.20). */
  async #deletePod(ctx: Context, pod: Pod): Promise<void> {
    const { podConfig, podWorkers, runtimeCache, podKiller } = this.#parts;
    const { uid } = pod.metadata;
    if (!podConfig.allReady) return;
    podWorkers.forgetWorker(uid);
    try {
      await runtimeCache.forceUpdateIfOlder(ctx, this.#lastContainerStarted.get(uid) ?? instant(0));
      this.#lastContainerStarted.delete(uid);
      const runningPod = (await runtimeCache.getPods(ctx)).find(({ id }) => id === uid);
      ctx.tracer.decide(ctx, 'deletePod', { pod: pod.metadata.name }, runningPod ? 'kill' : 'pod not found');
      if (runningPod) podKiller.killPod(ctx, pod, runningPod);
    } catch (error) {
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Failed to delete pod ${pod.metadata.name}: ${errorText(error)}` });
    }
  }
}
