/**
 * Changes the actual state of volumes to the desired one: first unmounts undesired volumes, then mounts desired ones.
 * Operations run in the background, at most one per volume. A failed operation is retried with exponential back-off.
 * Upstream: reconciler, operationexecutor and nestedpendingoperations (pkg/kubelet/volumemanager/reconciler,
 * pkg/volume/util, v1.36).
 */
import { errorText } from '@podscope/base';
import type { EventRecorder } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, type Milliseconds, withPod } from '@podscope/trace';
import type { TaskGroup } from '../util/task-group.ts';
import { waitUntil } from '../util/wait.ts';
import type { ActualStateOfWorld, ActualVolume } from './actual-state-of-world.ts';
import type { DesiredStateOfWorld, VolumeToMount } from './desired-state-of-world.ts';
import { mountFailure, type VolumeOperations } from './volume-operations.ts';

/**
 * The delay after the first failure, in ms. Each further failure doubles it. Upstream: exponentialbackoff
 * (pkg/util/goroutinemap).
 */
const initialDelay: Milliseconds = 500;
const maxDelay: Milliseconds = 122_000;

export interface ReconcilerDependencies {
  readonly desired: DesiredStateOfWorld;
  readonly actual: ActualStateOfWorld;
  readonly operations: VolumeOperations;
  readonly recorder: EventRecorder;
  readonly tasks: TaskGroup;
}

interface BackOff {
  readonly failures: number;
  readonly delay: Milliseconds;
  readonly due: Instant;
}

const keyOf = (uid: string, name: string): string => `${uid}/${name}`;

/**
 * Reconciles the volumes of all pods. Upstream's reconciler ticks every 100 ms. This one wakes when the desired or the
 * actual state changes, so an idle node does nothing.
 */
export class Reconciler {
  readonly #dependencies: ReconcilerDependencies;
  readonly #running = new Set<string>();
  readonly #backOffs = new Map<string, BackOff>();
  readonly #listeners = new Set<() => void>();
  #wake: (() => void) | undefined;
  #isRequested = false;

  constructor(dependencies: ReconcilerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Requests a reconciliation. */
  request(): void {
    this.#isRequested = true;
    this.#wake?.();
  }

  /** Reconciles until the context is aborted. */
  async run(ctx: Context): Promise<void> {
    while (!ctx.signal.aborted) {
      this.#isRequested = false;
      this.#reconcile(ctx);
      if (!this.#isRequested) await waitUntil(ctx, this.#nextRetry(), (wake) => (this.#wake = wake));
    }
  }

  /**
   * Calls `listener` after each operation.
   * @returns a function that removes the listener
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #reconcile(ctx: Context): void {
    const { desired, actual } = this.#dependencies;
    for (const volume of actual.all()) {
      if (desired.has(volume.uid, volume.name)) continue;
      this.#start(ctx, `unmount ${keyOf(volume.uid, volume.name)}`, volume.uid, volume.name, (attempt) =>
        this.#unmount(ctx, volume, attempt),
      );
    }
    for (const item of desired.volumesToMount()) {
      const { uid } = item.pod.metadata;
      const state = actual.get(uid, item.volume.name);
      if (state?.mounted && state.remount === undefined) continue;
      this.#start(ctx, `mount ${keyOf(uid, item.volume.name)}`, uid, item.volume.name, (attempt) =>
        this.#mount(ctx, item, attempt),
      );
    }
  }

  /** Starts an operation unless an operation for this volume is running or its back-off has not expired. */
  #start(ctx: Context, key: string, uid: string, name: string, operation: (attempt: number) => Promise<void>): void {
    const volume = keyOf(uid, name);
    const backOff = this.#backOffs.get(key);
    if (this.#running.has(volume) || (backOff && backOff.due > ctx.clock.now())) return;
    this.#running.add(volume);
    this.#dependencies.tasks.start(async () => {
      try {
        await operation((backOff?.failures ?? 0) + 1);
        this.#backOffs.delete(key);
      } catch {
        const delay = backOff ? Math.min(2 * backOff.delay, maxDelay) : initialDelay;
        const due = addMilliseconds(ctx.clock.now(), delay);
        this.#backOffs.set(key, { failures: (backOff?.failures ?? 0) + 1, delay, due });
      } finally {
        this.#running.delete(volume);
        this.request();
        for (const listener of this.#listeners) listener();
      }
    });
  }

  async #mount(ctx: Context, item: VolumeToMount, attempt: number): Promise<void> {
    const { actual, desired, operations, recorder } = this.#dependencies;
    const { pod, volume, kind } = item;
    const { uid } = pod.metadata;
    const { name } = volume;
    const before = actual.get(uid, name);
    const own = operationContext(ctx, desired.waiter(uid), item);
    const facts = { volume: name, kind, attempt, refresh: before?.mounted !== undefined };
    try {
      const mounted = await operations.setUp(own, item);
      actual.set({ uid, name, kind, mounted, remount: undefined });
      own.tracer.decide(own, 'volumes.mount', { ...facts, path: mounted.hostPath }, 'mounted', false);
    } catch (error) {
      const text = errorText(error);
      // After a failed update, the mounted files stay unchanged.
      const mounted = before?.mounted;
      actual.set({ uid, name, kind, mounted, remount: mounted && 'failed' });
      own.tracer.decide(own, 'volumes.mount', facts, `failed: ${text}`, true);
      recorder.event(own, pod, 'Warning', 'FailedMount', mountFailure(name, text));
      throw error;
    }
  }

  async #unmount(ctx: Context, volume: ActualVolume, attempt: number): Promise<void> {
    const { actual, operations } = this.#dependencies;
    const { uid, name, kind } = volume;
    const facts = { volume: name, kind, attempt, uid };
    try {
      await operations.tearDown(volume);
    } catch (error) {
      ctx.tracer.decide(ctx, 'volumes.unmount', facts, `failed: ${errorText(error)}`, true);
      const message = `UnmountVolume.TearDown failed for volume ${name} of pod ${uid}: ${errorText(error)}`;
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
      throw error;
    }
    actual.delete(uid, name);
    if (actual.ofPod(uid).length === 0) operations.forgetTokens(uid);
    ctx.tracer.decide(ctx, 'volumes.unmount', facts, 'unmounted', false);
  }

  /**
   * Removes the back-offs of volumes that are neither desired nor mounted. Returns the instant at which the next
   * back-off expires.
   */
  #nextRetry(): Instant {
    const { desired, actual } = this.#dependencies;
    let next = Number.POSITIVE_INFINITY as Instant;
    for (const [key, { due }] of this.#backOffs) {
      const volume = key.slice(key.indexOf(' ') + 1);
      const [uid, name] = [volume.slice(0, volume.indexOf('/')), volume.slice(volume.indexOf('/') + 1)];
      const isMount = key.startsWith('mount');
      if (isMount ? !desired.has(uid, name) : !actual.get(uid, name)) this.#backOffs.delete(key);
      else if (!this.#running.has(volume)) next = Math.min(next, due) as Instant;
    }
    return next;
  }
}

/**
 * Returns the context of an operation. It is the context of the step that waits for the operation, if there is one,
 * with the signal of the run.
 */
function operationContext(ctx: Context, waiter: Context | undefined, { pod }: VolumeToMount): Context {
  const { uid, name, namespace = '' } = pod.metadata;
  return waiter ? { ...waiter, signal: ctx.signal } : withPod(ctx, { uid, name, namespace });
}
