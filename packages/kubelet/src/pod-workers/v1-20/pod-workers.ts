/**
 * One worker per pod UID, as v1.20 had them: updates that come while a pass is under way collapse into the last. Upstream: podWorkers
 * (pkg/kubelet/pod_workers.go, v1.20).
 */
import type { Pod } from '@podscope/k8s';
import type { EventRecorder, PodStatus } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, type Milliseconds, withPod, withThread } from '@podscope/trace';
import type { PodCache } from '../../pod-cache.ts';
import { kubeletPoints } from '../../points.ts';
import type { StrictClock } from '../../util/strict-clock.ts';
import type { TaskGroup } from '../../util/task-group.ts';
import { pause } from '../../util/wait.ts';
import type { WorkQueue } from '../../util/work-queue.ts';
import { getNewerThan } from '../newer-status.ts';
import { retryDelay } from '../retry-delay.ts';
import type { KillPodOptions, PodStatusFunction, SyncPodType } from '../types.ts';

/** One message to a worker. */
export interface UpdatePodOptionsV120 {
  readonly pod: Pod;
  readonly mirrorPod?: Pod;
  readonly updateType: SyncPodType;
  /** The span of the UpdatePod that brought it. */
  readonly causedBy?: number;
  /** Told of the end of the pass, with its error. */
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

/** A worker: the update it is to take next, and the one that came while it worked. */
interface Worker {
  channel: UpdatePodOptionsV120 | undefined;
  isWorking: boolean;
  /** The loop is on the stack, if only to take what is in the channel. */
  running: boolean;
  lastUndeliveredWorkUpdate: UpdatePodOptionsV120 | undefined;
  /** The end of the last pass: the next one waits for a status that is newer. */
  lastSyncTime: Instant;
  closed: boolean;
}

const minKillTimeout: Milliseconds = 10_000;

/** All pod workers of the node. */
export class PodWorkersV120 {
  readonly #deps: PodWorkersDependenciesV120;
  readonly #workers = new Map<string, Worker>();
  #root: Context | undefined;

  constructor(deps: PodWorkersDependenciesV120) {
    this.#deps = deps;
  }

  /** Gives the workers the context they run in. */
  start(ctx: Context): void {
    this.#root = ctx;
  }

  /**
   * Tells a pod's worker what to do; the first message about a UID creates it. Upstream: UpdatePod (v1.20).
   * @returns undefined when it is told; a promise where a debugger holds it
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
    // Nothing takes the place of a kill.
    if (worker.lastUndeliveredWorkUpdate?.updateType === 'kill') return 'a kill waits already';
    worker.lastUndeliveredWorkUpdate = options;
    return 'undelivered';
  }

  /** Ends a worker after the pass that is under way. Upstream: ForgetWorker (v1.20). */
  forgetWorker(uid: string): void {
    const worker = this.#workers.get(uid);
    if (!worker) return;
    worker.closed = true;
    worker.lastUndeliveredWorkUpdate = undefined;
    this.#workers.delete(uid);
  }

  /** Upstream: ForgetNonExistingPodWorkers (v1.20). */
  forgetNonExistingPodWorkers(desired: ReadonlySet<string>): void {
    for (const uid of this.#workers.keys()) if (!desired.has(uid)) this.forgetWorker(uid);
  }

  /** True while a worker of that pod is known. */
  has(uid: string): boolean {
    return this.#workers.has(uid);
  }

  /**
   * Ends a pod for an eviction or a preemption and waits for the end of the pass, at most 1.5 times the grace period. Upstream: killPodNow (v1.20).
   * @throws Error when it takes longer; the work goes on.
   */
  async killPodNow(ctx: Context, pod: Pod, podStatusFunction: PodStatusFunction, gracePeriodSecondsOverride?: number): Promise<void> {
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
    const outcome = await Promise.race([done, pause(ctx, Math.max(minKillTimeout, 1500 * grace))]);
    if (outcome !== 'done') {
      this.#deps.recorder.event(ctx, pod, 'Warning', 'ExceededGracePeriod', 'Container runtime did not kill the pod within specified grace period.');
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
    this.#deps.tasks.start(() => this.#managePodLoop(ctx, uid, worker));
  }

  /** Passes, one after another, as long as there is an update. Upstream: managePodLoop (v1.20). */
  async #managePodLoop(ctx: Context, uid: string, worker: Worker): Promise<void> {
    // The handler that woke the worker finishes first, as a goroutine would let it.
    await Promise.resolve();
    try {
      for (let update = worker.channel; update && !ctx.signal.aborted; update = worker.channel) {
        worker.channel = undefined;
        await this.#pass(ctx, uid, worker, update);
      }
    } finally {
      worker.running = false;
    }
  }

  async #pass(base: Context, uid: string, worker: Worker, update: UpdatePodOptionsV120): Promise<void> {
    let isComplete = false;
    const complete = (ctx: Context, error: unknown): void => {
      isComplete = true;
      update.onComplete?.(error);
      this.#wrapUp(ctx, uid, worker, error);
    };
    try {
      await base.tracer.span(base, kubeletPoints.managePodLoop, { updateType: update.updateType, causedBy: update.causedBy }, async (ctx) => {
        try {
          await this.#sync(ctx, uid, worker, update);
        } catch (error) {
          complete(ctx, error);
          throw error;
        }
        complete(ctx, undefined);
      });
    } catch (error) {
      // What a debugger lets fail never came to the point of completing.
      if (!isComplete) complete(base, error);
    }
  }

  async #sync(ctx: Context, uid: string, worker: Worker, update: UpdatePodOptionsV120): Promise<void> {
    const { cache, recorder, strictClock, syncPod } = this.#deps;
    const podStatus = await getNewerThan(ctx, cache, uid, worker.lastSyncTime, (message) => recorder.event(ctx, update.pod, 'Warning', 'FailedSync', message));
    try {
      await syncPod(ctx, update, podStatus);
    } finally {
      worker.lastSyncTime = strictClock.now(ctx.clock);
    }
  }

  /** When to look again, and what came meanwhile. Upstream: wrapUp, checkForUpdates (v1.20). */
  #wrapUp(ctx: Context, uid: string, worker: Worker, error: unknown): void {
    if (ctx.signal.aborted) return;
    const { random, workQueue } = this.#deps;
    const delay = retryDelay(random, ctx.clock.now(), false, error === undefined ? undefined : plain(error));
    workQueue.enqueue(ctx.clock, uid, delay);
    const facts = { error: error instanceof Error ? error.message : undefined, undelivered: worker.lastUndeliveredWorkUpdate?.updateType };
    ctx.tracer.decide(ctx, 'podWorkers.wrapUp', facts, `in ${delay / 1000} s`);
    worker.channel = worker.closed ? undefined : worker.lastUndeliveredWorkUpdate;
    worker.lastUndeliveredWorkUpdate = undefined;
    if (!worker.channel) worker.isWorking = false;
  }
}

/** This release does not know when a back-off ends. */
const plain = (error: unknown): Error => new Error(error instanceof Error ? error.message : String(error));
