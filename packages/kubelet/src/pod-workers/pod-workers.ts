/**
 * Runs one worker per pod UID. The worker moves the pod through the states sync, terminating and terminated. Upstream:
 * podWorkers (pkg/kubelet/pod_workers.go, v1.36).
 */

import { errorMessage, formatGoDuration } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import { isStaticPod, type Pod } from '@podscope/k8s';
import { type EventRecorder, getPodFullName, type PodStatus } from '@podscope/kuberuntime';
import { type Context, type PodReference, withPod, withSignal, withThread } from '@podscope/trace';
import type { PodCache } from '../container/pod-cache.ts';
import type { StrictClock } from '../util/strict-clock.ts';
import type { TaskGroup } from '../util/task-group.ts';
import type { WorkQueue } from '../util/work-queue.ts';
import { getNewerThan } from './newer-status.ts';
import {
  calculateEffectiveGracePeriod,
  mergeLastUpdate,
  newPodSyncStatus,
  type PodSyncStatus,
  workType,
} from './pod-sync-status.ts';
import { backOffPeriod, jitter, retryDelay } from './retry-delay.ts';
import { StaticPodOrder } from './static-pod-order.ts';
import type { PodSyncer, PodWorkerState, PodWorkType, UpdatePodOptions } from './types.ts';

export interface PodWorkersDependencies {
  readonly syncer: PodSyncer;
  readonly cache: PodCache;
  readonly workQueue: WorkQueue;
  readonly recorder: EventRecorder;
  readonly random: () => number;
  readonly strictClock: StrictClock;
  readonly tasks: TaskGroup;
}

/** The outcome of an update. */
type UpdateOutcome =
  | 'worker woken'
  | 'pending'
  | 'pending, pass canceled'
  | 'restart requested'
  | 'terminated'
  | 'finished';

/** Returns the reference of the pod that an update concerns. */
function podReference({ pod, runningPod }: UpdatePodOptions): PodReference | undefined {
  if (pod) return { uid: pod.metadata.uid, namespace: pod.metadata.namespace ?? '', name: pod.metadata.name };
  return runningPod && { uid: runningPod.id, namespace: runningPod.namespace, name: runningPod.name };
}

type StartDecision = 'start' | 'later' | 'never';

/** The pod workers of the node. */
export class PodWorkers {
  readonly #dependencies: PodWorkersDependencies;
  readonly #statuses = new Map<string, PodSyncStatus>();
  readonly #staticPods = new StaticPodOrder();
  #root: Context | undefined;
  /** Whether housekeeping has run once. After that, an unknown UID belongs to no pod. */
  #podsSynced = false;

  constructor(dependencies: PodWorkersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sets the context of all workers. */
  start(ctx: Context): void {
    this.#root = ctx;
  }

  /**
   * Sends an update to a pod's worker. The first update for a UID creates the worker. Upstream: UpdatePod.
   * @returns undefined when the update is delivered; a promise while a debugger pauses it
   */
  updatePod(ctx: Context, message: UpdatePodOptions): Promise<void> | undefined {
    const options = message.pod ? { ...message, runningPod: undefined } : message;
    const reference = podReference(options);
    if (!reference || (!options.pod && options.updateType !== 'kill')) return undefined;
    const podCtx = withPod(ctx, reference);
    return podCtx.tracer.atOnce(podCtx, kubeletPoints.updatePod, { updateType: options.updateType }, (inner) => {
      inner.span.set({ outcome: this.#update(inner, reference, { ...options, causedBy: inner.span.id }) });
    });
  }

  /** Applies an update and returns its outcome. */
  #update(ctx: Context, reference: PodReference, message: UpdatePodOptions): UpdateOutcome {
    let options = message;
    const { uid } = reference;
    const now = ctx.clock.now();
    const known = this.#statuses.get(uid);
    const status = known ?? this.#addStatus(ctx, reference, options);
    if (options.runningPod) {
      status.observedRuntime = true;
      const pod = status.pendingUpdate?.pod ?? status.activeUpdate?.pod;
      if (pod) options = { ...options, pod, runningPod: undefined };
    }
    if (known && status.terminatingAt !== undefined && options.updateType === 'create') {
      status.restartRequested = true;
      return 'restart requested';
    }
    if (status.finished) return 'finished';

    let becameTerminating = false;
    if (status.terminatingAt === undefined) {
      const reason = terminationReason(options);
      if (reason !== undefined) {
        status.deleted ||= reason === 'deletionTimestamp' || reason === 'onlyInRuntime';
        if (reason === 'kill') status.evicted = options.killPodOptions?.evict === true;
        status.terminatingAt = now;
        becameTerminating = true;
        ctx.tracer.decide(ctx, 'podWorkers.terminationRequested', { updateType: options.updateType, pod: uid }, reason);
      }
    }

    const shortened = this.#applyKillOptions(status, options);
    if (!shortened) return 'terminated';
    options = shortened.options;
    const { pendingUpdate } = status;
    status.pendingUpdate =
      pendingUpdate && pendingUpdate.startTime < options.startTime
        ? { ...options, startTime: pendingUpdate.startTime }
        : options;
    if (!known && options.pod && isStaticPod(options.pod)) this.#staticPods.wait(status.fullName, uid);
    const outcome = status.working ? 'pending' : 'worker woken';
    this.#wake(uid, status);
    if (!(becameTerminating || shortened.gracePeriodShortened) || !status.cancel) return outcome;
    status.cancel();
    return 'pending, pass canceled';
  }

  /**
   * Applies kill options, which have an effect only while the pod is terminating. Returns undefined when the update has
   * no effect.
   */
  #applyKillOptions(
    status: PodSyncStatus,
    options: UpdatePodOptions,
  ): { readonly options: UpdatePodOptions; readonly gracePeriodShortened: boolean } | undefined {
    const { killPodOptions } = options;
    if (status.terminatedAt !== undefined) {
      if (options.runningPod) return undefined;
      killPodOptions?.completed?.();
      return { options: { ...options, killPodOptions: undefined }, gracePeriodShortened: false };
    }
    if (status.terminatingAt === undefined) {
      killPodOptions?.completed?.();
      return { options: { ...options, killPodOptions: undefined }, gracePeriodShortened: false };
    }
    if (killPodOptions?.completed) status.notifyPostTerminating.push(killPodOptions.completed);
    if (killPodOptions?.podStatusFunction) status.statusPostTerminating = killPodOptions.podStatusFunction;
    const { gracePeriod, shortened } = calculateEffectiveGracePeriod(status.gracePeriod, options.pod, killPodOptions);
    status.gracePeriod = gracePeriod;
    return {
      options: { ...options, killPodOptions: { ...killPodOptions, gracePeriodSecondsOverride: gracePeriod } },
      gracePeriodShortened: shortened,
    };
  }

  #addStatus(ctx: Context, reference: PodReference, { pod }: UpdatePodOptions): PodSyncStatus {
    const { uid, namespace, name } = reference;
    const status = newPodSyncStatus(reference, pod ? getPodFullName(pod) : `${name}_${namespace}`, ctx.clock.now());
    // After a restart of the kubelet, a finished pod must not be started and then stopped.
    if (pod && isTerminalPhase(pod) && !this.#couldRun(this.#dependencies.cache.get(uid).status)) {
      status.terminatedAt = ctx.clock.now();
      status.terminatingAt = ctx.clock.now();
      status.startedTerminating = true;
    }
    this.#statuses.set(uid, status);
    return status;
  }

  #couldRun({ containerStatuses, sandboxStatuses }: PodStatus): boolean {
    return (
      containerStatuses.some(({ state }) => state === 'running') ||
      sandboxStatuses.some(({ state }) => state === 'SANDBOX_READY')
    );
  }

  #wake(uid: string, status: PodSyncStatus): void {
    if (status.working || !this.#root) return;
    status.working = true;
    this.#dependencies.tasks.start(() => this.#podWorkerLoop(uid, status));
  }

  /** Syncs the pod as long as updates are pending. Upstream: podWorkerLoop. */
  async #podWorkerLoop(uid: string, status: PodSyncStatus): Promise<void> {
    const root = this.#root;
    if (!root) return;
    const base = withThread(root, uid, status.reference);
    // The worker starts after the handler that sent the update returns, like a goroutine.
    await Promise.resolve();
    try {
      while (!base.signal.aborted && status.pendingUpdate && this.#statuses.get(uid) === status && !status.finished) {
        const update = this.#startPodSync(base, uid, status);
        if (update === 'later') return;
        if (update === 'never') break;
        await this.#syncOnce(base, uid, status, update);
      }
    } finally {
      status.working = false;
    }
  }

  /** Takes the pending update if the pod may start. Upstream: startPodSync, allowPodStart. */
  #startPodSync(ctx: Context, uid: string, status: PodSyncStatus): UpdatePodOptions | 'later' | 'never' {
    const update = status.pendingUpdate;
    if (!update) return 'later';
    status.pendingUpdate = undefined;
    if (status.startedAt === undefined && !(update.runningPod && status.terminatingAt !== undefined)) {
      const decision = update.pod && isStaticPod(update.pod) ? this.#allowStaticPodStart(uid, status) : 'start';
      if (decision === 'never') {
        status.terminatingAt ??= ctx.clock.now();
        status.startedTerminating = true;
        status.terminatedAt = ctx.clock.now();
        status.finished = true;
        this.#notifyTerminated(status);
        return 'never';
      }
      if (decision === 'later') {
        status.pendingUpdate = update;
        this.#dependencies.workQueue.enqueue(ctx.clock, uid, jitter(this.#dependencies.random, backOffPeriod));
        return 'later';
      }
      status.startedAt = ctx.clock.now();
    }
    mergeLastUpdate(status, update);
    return update;
  }

  #allowStaticPodStart(uid: string, status: PodSyncStatus): StartDecision {
    if (status.terminatingAt !== undefined) return 'never';
    const isValid = (other: string): boolean => {
      const waiting = this.#statuses.get(other);
      return waiting?.fullName === status.fullName && waiting.terminatingAt === undefined && !waiting.finished;
    };
    return this.#staticPods.allowStart(status.fullName, uid, isValid) ? 'start' : 'later';
  }

  /** Syncs the pod once. */
  async #syncOnce(base: Context, uid: string, status: PodSyncStatus, update: UpdatePodOptions): Promise<void> {
    const controller = new AbortController();
    status.cancel = () => controller.abort(new DOMException('the pod worker has something newer to do', 'AbortError'));
    const ctx = withSignal(base, controller.signal);
    const work = workType(status);
    let isComplete = false;
    const complete = (at: Context, isTerminal: boolean, error: unknown): void => {
      isComplete = true;
      if (!base.signal.aborted) this.#completeWork(at, uid, status, work, isTerminal, error);
    };
    try {
      await ctx.tracer.span(
        ctx,
        kubeletPoints.podWorkerLoop,
        { workType: work, updateType: update.updateType, causedBy: update.causedBy },
        async (inner) => {
          try {
            const read = await this.#readStatus(inner, uid, status, update);
            complete(inner, await this.#work(inner, status, update, work, read), undefined);
          } catch (error) {
            complete(inner, false, error);
            throw error;
          }
        },
      );
    } catch (error) {
      // The sync didn't reach its end, for example because of a fault that a debugger injected.
      if (!isComplete) complete(base, false, error);
    } finally {
      status.cancel = undefined;
    }
  }

  /** Moves the pod to its next state and schedules the next sync. Upstream: completeWork. */
  #completeWork(
    ctx: Context,
    uid: string,
    status: PodSyncStatus,
    work: PodWorkType,
    isTerminal: boolean,
    error: unknown,
  ): void {
    const ended = this.#settle(ctx, uid, status, work, isTerminal, error);
    if (ended === 'ended') return;
    const delay = retryDelay(this.#dependencies.random, ctx.clock.now(), ended === 'phaseTransition', error);
    this.#dependencies.workQueue.enqueue(ctx.clock, uid, delay);
    ctx.tracer.decide(
      ctx,
      'podWorkers.nextSync',
      { workType: work, error: error === undefined ? undefined : errorMessage(error) },
      `in ${formatGoDuration(Math.round(delay))}`,
    );
  }

  /**
   * Returns a status newer than the last sync; undefined for a pod that only the runtime knows.
   * @throws Error when the runtime couldn't report it
   */
  async #readStatus(
    ctx: Context,
    uid: string,
    status: PodSyncStatus,
    update: UpdatePodOptions,
  ): Promise<PodStatus | undefined> {
    if (update.runningPod) return undefined;
    const { cache, recorder } = this.#dependencies;
    return getNewerThan(ctx, cache, uid, status.lastSyncTime, (message) => {
      const pod = (status.activeUpdate ?? update).pod;
      if (pod) recorder.event(ctx, pod, 'Warning', 'FailedSync', message);
    });
  }

  /**
   * Runs the sync.
   * @returns true when syncPod reports that the pod has finished
   */
  async #work(
    ctx: Context,
    status: PodSyncStatus,
    update: UpdatePodOptions,
    work: PodWorkType,
    read: PodStatus | undefined,
  ): Promise<boolean> {
    const { strictClock, syncer } = this.#dependencies;
    const active = status.activeUpdate ?? update;
    let postSync: (() => void) | undefined;
    let isTerminal = false;
    try {
      if (work === 'terminating') {
        status.startedTerminating = true;
        if (active.runningPod) await syncer.syncTerminatingRuntimePod(ctx, active.runningPod);
        else if (active.pod && read) {
          const grace = active.killPodOptions?.gracePeriodSecondsOverride;
          await syncer.syncTerminatingPod(ctx, active.pod, read, grace, status.statusPostTerminating);
        }
      } else if (active.pod && read) {
        if (work === 'terminated') await syncer.syncTerminatedPod(ctx, active.pod, read);
        else
          ({ isTerminal, postSync } = await syncer.syncPod(ctx, update.updateType, active.pod, update.mirrorPod, read));
      }
    } finally {
      status.lastSyncTime = strictClock.now(ctx.clock);
    }
    postSync?.();
    return isTerminal;
  }

  /** Moves the pod to its next state after a sync. */
  #settle(
    ctx: Context,
    uid: string,
    status: PodSyncStatus,
    work: PodWorkType,
    isTerminal: boolean,
    error: unknown,
  ): 'ended' | 'phaseTransition' | 'same' {
    if (error !== undefined) return 'same';
    if (work === 'terminated') {
      status.finished = true;
      status.pendingUpdate = undefined;
      this.#staticPods.release(status.fullName, uid);
      return 'ended';
    }
    if (work === 'terminating') {
      if (status.activeUpdate?.runningPod) {
        this.#notifyTerminated(status);
        if (this.#statuses.get(uid) === status) this.#statuses.delete(uid);
        return 'ended';
      }
      status.terminatedAt = ctx.clock.now();
      this.#notifyTerminated(status);
      this.#replay(status);
      return 'phaseTransition';
    }
    if (!isTerminal) return 'same';
    status.terminatingAt ??= ctx.clock.now();
    status.startedTerminating = true;
    this.#replay(status);
    return 'phaseTransition';
  }

  #notifyTerminated(status: PodSyncStatus): void {
    for (const completed of status.notifyPostTerminating.splice(0)) completed();
    status.statusPostTerminating = undefined;
  }

  /** Starts the next sync now, with the last update. */
  #replay(status: PodSyncStatus): void {
    status.pendingUpdate ??= status.activeUpdate;
  }

  /**
   * Compares the workers with the desired pods: terminates orphans, and removes the records of finished pods. Upstream:
   * SyncKnownPods.
   * @returns the remaining workers by UID
   */
  syncKnownPods(ctx: Context, desiredPods: readonly Pod[]): ReadonlyMap<string, PodWorkerState> {
    const desired = new Set(desiredPods.map(({ metadata }) => metadata.uid));
    this.#podsSynced = true;
    for (const [uid, status] of this.#statuses) {
      const orphan = !desired.has(uid);
      if ((orphan || status.restartRequested) && this.#removeTerminated(ctx, uid, status, orphan))
        this.#statuses.delete(uid);
    }
    return this.states(desired);
  }

  /**
   * Terminates the worker of an orphaned or restarted pod. Upstream: removeTerminatedWorker.
   * @returns true when the record can be removed
   */
  #removeTerminated(ctx: Context, uid: string, status: PodSyncStatus, orphan: boolean): boolean {
    if (status.finished) {
      this.#staticPods.release(status.fullName, uid);
      return true;
    }
    if (!orphan) return false;
    status.deleted = true;
    if (status.startedAt === undefined && !status.observedRuntime) return true;
    if (status.terminatingAt === undefined) {
      status.terminatingAt = ctx.clock.now();
      const active = status.activeUpdate;
      status.gracePeriod = active?.pod
        ? calculateEffectiveGracePeriod(status.gracePeriod, active.pod, active.killPodOptions).gracePeriod
        : 1;
    }
    this.#replay(status);
    this.#wake(uid, status);
    return false;
  }

  /** Returns the states of all workers by UID. A pod that isn't in `desired` is an orphan. */
  states(desired: ReadonlySet<string>): ReadonlyMap<string, PodWorkerState> {
    return new Map(
      [...this.#statuses].map(([uid, status]) => {
        const pod = status.activeUpdate?.pod ?? status.pendingUpdate?.pod;
        const state: PodWorkerState = {
          state: workType(status),
          orphan: !desired.has(uid),
          hasConfig: pod !== undefined,
          isStatic: pod !== undefined && isStaticPod(pod),
        };
        return [uid, state];
      }),
    );
  }

  /** True while containers of this pod run or may still be started. */
  couldHaveRunningContainers(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status ? status.terminatedAt === undefined : !this.#podsSynced;
  }

  isPodKnownTerminated(uid: string): boolean {
    return this.#statuses.get(uid)?.terminatedAt !== undefined;
  }

  isPodTerminationRequested(uid: string): boolean {
    return this.#statuses.get(uid)?.terminatingAt !== undefined;
  }

  shouldPodRuntimeBeRemoved(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status ? status.terminatedAt !== undefined : this.#podsSynced;
  }

  shouldPodContentBeRemoved(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status ? status.evicted || (status.deleted && status.terminatedAt !== undefined) : this.#podsSynced;
  }

  shouldPodBeFinished(uid: string): boolean {
    return this.#statuses.get(uid)?.finished ?? this.#podsSynced;
  }

  /** True while the static pod with this full name runs and is terminating. */
  isPodForMirrorPodTerminatingByFullName(fullName: string): boolean {
    const uid = this.#staticPods.started(fullName);
    const status = uid === undefined ? undefined : this.#statuses.get(uid);
    return status !== undefined && status.terminatingAt !== undefined && status.terminatedAt === undefined;
  }
}

const isTerminalPhase = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

function terminationReason({ pod, updateType }: UpdatePodOptions): string | undefined {
  if (!pod) return 'onlyInRuntime';
  if (pod.metadata.deletionTimestamp !== undefined) return 'deletionTimestamp';
  if (isTerminalPhase(pod)) return 'phase';
  return updateType === 'kill' ? 'kill' : undefined;
}
