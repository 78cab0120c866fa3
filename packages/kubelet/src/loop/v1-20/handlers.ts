/**
 * Handles the messages of the sync loop in v1.20. Upstream: HandlePod…, dispatchWork, deletePod
 * (pkg/kubelet/kubelet.go, v1.20).
 */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import { isMirrorPod, type Pod } from '@podscope/k8s';
import { type Context, type Instant, instant, withPod } from '@podscope/trace';
import type { PodLifecycleEvent } from '../../pleg/events.ts';
import type { SyncPodType } from '../../pod-workers/types.ts';
import { isEvicted } from '../../pod-workers/v1-20/pod-states.ts';
import { probeProfileV120 } from '../../prober/v1-20/probe-profile.ts';
import { containersReadyConditionV120 } from '../../status/v1-20/conditions.ts';
import { admitPod } from '../admit-pod.ts';
import { needToReconcilePodReadiness } from '../pod-readiness.ts';
import { oldestFirst, podNames } from '../pods.ts';
import type { SyncHandler } from '../sync-handler.ts';
import type { PodHandlerDependenciesV120 } from './dependencies.ts';
import { handlePodCleanupsV120 } from './housekeeping.ts';

/** The handlers of v1.20. */
export class SyncHandlerV120 implements SyncHandler {
  readonly #dependencies: PodHandlerDependenciesV120;
  /** When a container of each pod last started. A pod is removed only if the runtime cache is newer. */
  readonly #lastContainerStarted = new Map<string, Instant>();

  constructor(dependencies: PodHandlerDependenciesV120) {
    this.#dependencies = dependencies;
  }

  readonly probeSyncsPod = probeProfileV120.syncsPod;

  readonly isPodKnownTerminated = (uid: string): boolean => {
    const pod = this.#dependencies.podManager.getPodByUID(uid);
    return pod !== undefined && this.#dependencies.podStates.isTerminated(pod);
  };

  readonly handlePodAdditions = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    const { podManager, podStates, probeManager } = this.#dependencies;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodAdditions, { pods: podNames(pods) }, async (inner) => {
      for (const pod of oldestFirst(pods)) {
        const others = podStates.activePods().filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
        podManager.update(pod);
        if (isMirrorPod(pod)) {
          await this.#handleMirrorPod(inner, pod);
          continue;
        }
        if (!podStates.isTerminated(pod) && !(await admitPod(inner, this.#dependencies, pod, others))) continue;
        await this.#dispatchWork(inner, pod, 'create');
        probeManager.addPod(pod);
      }
    });
  };

  readonly handlePodUpdates = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodUpdates, { pods: podNames(pods) }, async (inner) => {
      for (const pod of pods) {
        this.#dependencies.podManager.update(pod);
        if (isMirrorPod(pod)) await this.#handleMirrorPod(inner, pod);
        else await this.#dispatchWork(inner, pod, 'update');
      }
    });
  };

  readonly handlePodRemoves = async (ctx: Context, pods: readonly Pod[]): Promise<void> => {
    if (pods.length === 0) return;
    const { podManager, podKiller, probeManager } = this.#dependencies;
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
    const { podManager, gates, containerDeletor } = this.#dependencies;
    await ctx.tracer.span(ctx, kubeletPoints.handlePodReconcile, { pods: podNames(pods) }, async (inner) => {
      for (const pod of pods) podManager.update(pod);
      const needsSync = pods.filter((pod) => needToReconcilePodReadiness(pod, gates, containersReadyConditionV120));
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

  readonly handlePodCleanups = (ctx: Context): Promise<void> => handlePodCleanupsV120(ctx, this.#dependencies);

  readonly handlePlegEvent = (ctx: Context, { type, uid, id }: PodLifecycleEvent): void => {
    const { containerDeletor, sandboxDeletor } = this.#dependencies;
    if (type === 'ContainerStarted') this.#lastContainerStarted.set(uid, ctx.clock.now());
    if (type === 'ContainerRemoved') sandboxDeletor.containerRemoved(ctx, uid);
    if (type === 'ContainerDied' && id !== undefined) containerDeletor.containerDied(ctx, uid, id);
  };

  /** Dispatches the static pod of a mirror pod. */
  async #handleMirrorPod(ctx: Context, mirrorPod: Pod): Promise<void> {
    const { pod } = this.#dependencies.podManager.getPodAndMirrorPod(mirrorPod);
    if (pod) await this.#dispatchWork(ctx, pod, 'update');
  }

  /** Sends the pod to its worker unless the worker has nothing left to do. Upstream: dispatchWork (v1.20). */
  async #dispatchWork(ctx: Context, pod: Pod, updateType: SyncPodType): Promise<void> {
    const { podStates, podWorkers, podManager, statusManager } = this.#dependencies;
    const { uid, name, namespace = '', deletionTimestamp } = pod.metadata;
    const podCtx = withPod(ctx, { uid, namespace, name });
    await podCtx.tracer.span(podCtx, kubeletPoints.dispatchWork, { updateType }, (inner) => {
      const facts = {
        deleted: deletionTimestamp !== undefined,
        containersTerminal: podStates.containersTerminal(pod),
        terminated: podStates.isTerminated(pod),
      };
      if (facts.deleted && facts.containersTerminal) {
        inner.tracer.decide(
          inner,
          'dispatchWork',
          facts,
          'no: it is deleted and nothing of it runs, its object may go',
        );
        statusManager.terminatePod(inner, pod);
        return undefined;
      }
      inner.tracer.decide(
        inner,
        'dispatchWork',
        facts,
        facts.terminated ? 'no: the pod has ended' : 'yes: tell the worker',
      );
      return facts.terminated
        ? undefined
        : podWorkers.updatePod(inner, { pod, mirrorPod: podManager.getMirrorPodByPod(pod), updateType });
    });
  }

  /**
   * Sends a pod that still runs to the pod killer. If that fails, housekeeping retries it. Upstream: deletePod (v1.20).
   */
  async #deletePod(ctx: Context, pod: Pod): Promise<void> {
    const { podConfig, podWorkers, runtimeCache, podKiller } = this.#dependencies;
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
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'warning',
        message: `Failed to delete pod ${pod.metadata.name}: ${errorText(error)}`,
      });
    }
  }
}
