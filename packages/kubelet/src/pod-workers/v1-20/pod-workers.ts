/**
 * Runs one worker per pod UID as in v1.20. If several updates arrive during a sync, only the last one is handled.
 * Upstream: podWorkers (pkg/kubelet/pod_workers.go, v1.20).
 */
import { errorMessage, formatGoDuration } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import type { EventRecorder, PodStatus } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, withPod, withThread } from '@podscope/trace';
import type { PodCache } from '../../container/pod-cache.ts';
import type { StrictClock } from '../../util/strict-clock.ts';
import type { TaskGroup } from '../../util/task-group.ts';
import { pause } from '../../util/wait.ts';
import type { WorkQueue } from '../../util/work-queue.ts';
import { killTimeout } from '../kill-pod-now.ts';
import { getNewerThan } from '../newer-status.ts';
import { retryDelay } from '../retry-delay.ts';
import type { KillPodOptions, PodStatusFunction, SyncPodType } from '../types.ts';

/** An update for a worker. */
export interface UpdatePodOptionsV120 {
  readonly pod: Pod;
  readonly mirrorPod?: Pod;
  readonly updateType: SyncPodType;
  /** The span of the UpdatePod call that delivered the update. */
  readonly causedBy?: number;
  /** Called by the worker at the end of the sync, with the sync's error if any. */
  readonly onComplete?: (error: unknown) => void;
  readonly killPodOptions?: KillPodOptions;
}

export interface PodWorkersDependenciesV120 {
  readonly syncPod: (ctx: Context, options: UpdatePodOptionsV120, podStatus: PodStatus) => Promise<void>;
  readonly cache: PodCache;
  readonly workQueue: WorkQueue;
  readonly recorder: EventRecorder;
  readonly random: () => number;
  readonly strictClock: StrictClock;
  readonly tasks: TaskGroup;
}

/** A worker with two updates: the one that it handles next, and the last one that arrived during the current sync. */
interface Worker {
  channel: UpdatePodOptionsV120 | undefined;
  isWorking: boolean;
  /** Whether the worker's loop is running, which includes the moment before it takes an update. */
  running: boolean;
  lastUndeliveredWorkUpdate: UpdatePodOptionsV120 | undefined;
  /** The end of the last sync. The next sync waits for a status that is newer. */
  lastSyncTime: Instant;
  closed: boolean;
}

/** The pod workers of the node. */
export class PodWorkersV120 {
  readonly #dependencies: PodWorkersDependenciesV120;
  readonly #workers = new Map<string, Worker>();
  #root: Context | undefined;

  constructor(dependencies: PodWorkersDependenciesV120) {
    this.#dependencies = dependencies;
  }

  /** Sets the context of all workers. */
  start(ctx: Context): void {
    this.#root = ctx;
  }

  /**
   * Sends an update to a pod's worker. The first update for a UID creates the worker. Upstream: UpdatePod (v1.20).
   * @returns undefined when the update is delivered; a promise while a debugger pauses it
   */
  updatePod(ctx: Context, options: UpdatePodOptionsV120): Promise<void> | undefined {
    const { uid, name, namespace = '' } = options.pod.metadata;
    const podCtx = withPod(ctx, { uid, namespace, name });
    return podCtx.tracer.atOnce(podCtx, kubeletPoints.updatePod, { updateType: options.updateType }, ({ span }) => {
      span.set({ outcome: this.#update(uid, { ...options, causedBy: span.id }) });
    });
  }

  #update(uid: string, options: UpdatePodOptionsV120): 'worker woken' | 'undelivered' | 'a kill waits already' {
    const worker = this.#workers.get(uid) ?? this.#add(uid);
    if (!worker.isWorking) {
      worker.isWorking = true;
      worker.channel = options;
      this.#wake(uid, worker, options.pod);
      return 'worker woken';
    }
    // No update replaces a pending kill.
    if (worker.lastUndeliveredWorkUpdate?.updateType === 'kill') return 'a kill waits already';
    worker.lastUndeliveredWorkUpdate = options;
    return 'undelivered';
  }

  /** Makes a worker end after its current sync. Upstream: ForgetWorker (v1.20). */
  forgetWorker(uid: string): void {
    const worker = this.#workers.get(uid);
    if (!worker) return;
    worker.closed = true;
    worker.lastUndeliveredWorkUpdate = undefined;
    this.#workers.delete(uid);
  }

  /** Makes the workers of all undesired pods end. Upstream: ForgetNonExistingPodWorkers (v1.20). */
  forgetNonExistingPodWorkers(desired: ReadonlySet<string>): void {
    for (const uid of this.#workers.keys()) if (!desired.has(uid)) this.forgetWorker(uid);
  }

  /** True while the pod has a worker. */
  has(uid: string): boolean {
    return this.#workers.has(uid);
  }

  /**
   * Terminates a pod for an eviction or a preemption. Waits for the end of the sync, at most 1.5 times the grace
   * period. Upstream: killPodNow (v1.20).
   * @throws Error on a timeout; the termination continues
   */
  async killPodNow(
    ctx: Context,
    pod: Pod,
    podStatusFunction: PodStatusFunction,
    gracePeriodSecondsOverride?: number,
  ): Promise<void> {
    const grace = gracePeriodSecondsOverride ?? pod.spec.terminationGracePeriodSeconds ?? 0;
    let failure: unknown;
    const done = new Promise<'done'>((resolve, reject) => {
      const onComplete = (error: unknown): void => {
        failure = error;
        resolve('done');
      };
      const killPodOptions = { podStatusFunction, gracePeriodSecondsOverride };
      this.updatePod(ctx, { pod, updateType: 'kill', killPodOptions, onComplete })?.catch(reject);
    });
    const outcome = await Promise.race([done, pause(ctx, killTimeout(grace))]);
    if (outcome !== 'done') {
      this.#dependencies.recorder.event(
        ctx,
        pod,
        'Warning',
        'ExceededGracePeriod',
        'Container runtime did not kill the pod within specified grace period.',
      );
      throw new Error('timeout waiting to kill pod');
    }
    if (failure) throw failure;
  }

  #add(uid: string): Worker {
    const worker: Worker = {
      channel: undefined,
      isWorking: false,
      running: false,
      lastUndeliveredWorkUpdate: undefined,
      lastSyncTime: instant(0),
      closed: false,
    };
    this.#workers.set(uid, worker);
    return worker;
  }

  #wake(uid: string, worker: Worker, { metadata }: Pod): void {
    const root = this.#root;
    if (!root || worker.running) return;
    worker.running = true;
    const ctx = withThread(root, uid, { uid, name: metadata.name, namespace: metadata.namespace ?? '' });
    this.#dependencies.tasks.start(() => this.#managePodLoop(ctx, uid, worker));
  }

  /** Syncs the pod as long as updates are pending. Upstream: managePodLoop (v1.20). */
  async #managePodLoop(ctx: Context, uid: string, worker: Worker): Promise<void> {
    // The worker starts after the handler that sent the update returns, like a goroutine.
    await Promise.resolve();
    try {
      for (let update = worker.channel; update && !ctx.signal.aborted; update = worker.channel) {
        worker.channel = undefined;
        await this.#syncOnce(ctx, uid, worker, update);
      }
    } finally {
      worker.running = false;
    }
  }

  async #syncOnce(base: Context, uid: string, worker: Worker, update: UpdatePodOptionsV120): Promise<void> {
    let isComplete = false;
    const complete = (ctx: Context, error: unknown): void => {
      isComplete = true;
      update.onComplete?.(error);
      this.#wrapUp(ctx, uid, worker, error);
    };
    try {
      await base.tracer.span(
        base,
        kubeletPoints.managePodLoop,
        { updateType: update.updateType, causedBy: update.causedBy },
        async (ctx) => {
          try {
            await this.#sync(ctx, uid, worker, update);
          } catch (error) {
            complete(ctx, error);
            throw error;
          }
          complete(ctx, undefined);
        },
      );
    } catch (error) {
      // The sync didn't reach its end, for example because of a fault that a debugger injected.
      if (!isComplete) complete(base, error);
    }
  }

  async #sync(ctx: Context, uid: string, worker: Worker, update: UpdatePodOptionsV120): Promise<void> {
    const { cache, recorder, strictClock, syncPod } = this.#dependencies;
    const podStatus = await getNewerThan(ctx, cache, uid, worker.lastSyncTime, (message) =>
      recorder.event(ctx, update.pod, 'Warning', 'FailedSync', message),
    );
    try {
      await syncPod(ctx, update, podStatus);
    } finally {
      worker.lastSyncTime = strictClock.now(ctx.clock);
    }
  }

  /**
   * Schedules the next sync and takes the update that arrived during this one. Upstream: wrapUp, checkForUpdates
   * (v1.20).
   */
  #wrapUp(ctx: Context, uid: string, worker: Worker, error: unknown): void {
    if (ctx.signal.aborted) return;
    const { random, workQueue } = this.#dependencies;
    const delay = retryDelay(random, ctx.clock.now(), false, error === undefined ? undefined : plain(error));
    workQueue.enqueue(ctx.clock, uid, delay);
    const facts = {
      error: error === undefined ? undefined : errorMessage(error),
      undelivered: worker.lastUndeliveredWorkUpdate?.updateType,
    };
    ctx.tracer.decide(ctx, 'podWorkers.wrapUp', facts, `in ${formatGoDuration(Math.round(delay))}`);
    worker.channel = worker.closed ? undefined : worker.lastUndeliveredWorkUpdate;
    worker.lastUndeliveredWorkUpdate = undefined;
    if (!worker.channel) worker.isWorking = false;
  }
}

/** Returns a copy of the error without the end of the back-off, because v1.20 ignores that field. */
const plain = (error: unknown): Error => new Error(errorMessage(error));
