/**
 * Takes messages from the channels, one at a time, and calls the handler of each. Upstream: syncLoop, syncLoopIteration
 * (pkg/kubelet/kubelet.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { addMilliseconds, type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import type { PodConfig, PodUpdate } from '../config/pod-config.ts';
import type { PodLifecycleEvent } from '../pleg/events.ts';
import type { PodManager } from '../pod/pod-manager.ts';
import type { ProbeMessage } from '../prober/manager.ts';
import type { StatusManager } from '../status/manager/status-manager.ts';
import { pause, waitUntil } from '../util/wait.ts';
import type { WorkQueue } from '../util/work-queue.ts';
import { isPastActiveDeadline } from './active-deadline.ts';
import type { SyncHandler } from './sync-handler.ts';

const syncPeriod: Milliseconds = 1000;
const housekeepingPeriod: Milliseconds = 2000;
const initialErrorDelay: Milliseconds = 100;
const maxErrorDelay: Milliseconds = 5000;

/** The messages on the channels. */
export type LoopMessage =
  | { readonly channel: 'config'; readonly update: PodUpdate }
  | { readonly channel: 'pleg'; readonly event: PodLifecycleEvent }
  | { readonly channel: 'probe'; readonly probe: ProbeMessage };

export interface SyncLoopDependencies {
  readonly handler: SyncHandler;
  readonly podConfig: PodConfig;
  readonly podManager: PodManager;
  readonly statusManager: Pick<StatusManager, 'getPodStatus' | 'setContainerReadiness' | 'setContainerStartup'>;
  readonly workQueue: WorkQueue;
  /** Returns why no pod may be synced at the moment; empty when pods may be synced. */
  readonly runtimeErrors: (now: Instant) => readonly string[];
}

/**
 * The sync loop. Its channels are one queue and two tickers. When several channels are ready, upstream picks one at
 * random. Here tickers come before messages, and messages are handled in the order of arrival, so that runs with the
 * same seed are equal.
 */
export class SyncLoop {
  readonly #dependencies: SyncLoopDependencies;
  readonly #messages: LoopMessage[] = [];
  #wake: (() => void) | undefined;
  #nextSync = instant(0);
  #nextHousekeeping = instant(0);
  #lastErrors = '';

  constructor(dependencies: SyncLoopDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds a message to its channel. */
  post(message: LoopMessage): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Runs until the context is aborted. */
  async run(ctx: Context): Promise<void> {
    this.#nextSync = addMilliseconds(ctx.clock.now(), syncPeriod);
    this.#nextHousekeeping = addMilliseconds(ctx.clock.now(), housekeepingPeriod);
    let delay = initialErrorDelay;
    while (!ctx.signal.aborted) {
      const errors = this.#dependencies.runtimeErrors(ctx.clock.now());
      this.#report(ctx, errors);
      if (errors.length > 0) {
        if (!(await pause(ctx, delay))) return;
        delay = Math.min(2 * delay, maxErrorDelay);
        continue;
      }
      delay = initialErrorDelay;
      try {
        await this.#iteration(ctx);
      } catch (error) {
        // A failed handler is logged and doesn't end the loop.
        if (!ctx.signal.aborted)
          ctx.tracer.emit(ctx, { type: 'output', level: 'error', message: `SyncLoop: ${errorText(error)}` });
      }
    }
  }

  #report(ctx: Context, errors: readonly string[]): void {
    const text = errors.join('; ');
    if (text === this.#lastErrors) return;
    this.#lastErrors = text;
    const message = text === '' ? 'The runtime is ready.' : `Skipping pod synchronization: ${text}`;
    ctx.tracer.emit(ctx, { type: 'output', level: text === '' ? 'info' : 'warning', message });
  }

  /** Handles exactly one message or tick. */
  async #iteration(ctx: Context): Promise<void> {
    const now = ctx.clock.now();
    if (now >= this.#nextHousekeeping) {
      this.#nextHousekeeping = nextTick(this.#nextHousekeeping, now, housekeepingPeriod);
      await this.#housekeeping(ctx);
      return;
    }
    if (now >= this.#nextSync) {
      this.#nextSync = nextTick(this.#nextSync, now, syncPeriod);
      await this.#syncTick(ctx);
      return;
    }
    const message = this.#messages.shift();
    if (message) {
      await this.#handle(ctx, message);
      return;
    }
    const due = Math.min(this.#nextSync, this.#nextHousekeeping) as Instant;
    await waitUntil(ctx, due, (wake) => (this.#wake = wake));
  }

  #handle(ctx: Context, message: LoopMessage): Promise<void> {
    if (message.channel === 'config') return this.#config(ctx, message.update);
    if (message.channel === 'pleg') return this.#pleg(ctx, message.event);
    return this.#probe(ctx, message.probe);
  }

  async #config(ctx: Context, { operation, pods, source }: PodUpdate): Promise<void> {
    const { handler, podConfig } = this.#dependencies;
    const handlers = {
      ADD: handler.handlePodAdditions,
      UPDATE: handler.handlePodUpdates,
      DELETE: handler.handlePodUpdates,
      REMOVE: handler.handlePodRemoves,
      RECONCILE: handler.handlePodReconcile,
    } as const;
    const facts = { channel: 'config', operation, source, pods: pods.map(({ metadata }) => metadata.name) };
    await this.#span(ctx, facts, (inner) => handlers[operation](inner, pods));
    podConfig.markSeen(source);
  }

  async #pleg(ctx: Context, event: PodLifecycleEvent): Promise<void> {
    const { handler, podManager } = this.#dependencies;
    const pod = podManager.getPodByUID(event.uid);
    const facts = { channel: 'pleg', event: event.type, id: event.id, pods: pod ? [pod.metadata.name] : [] };
    await this.#span(ctx, facts, async (inner) => {
      if (event.type !== 'ContainerRemoved' && pod) await handler.handlePodSyncs(inner, [pod]);
      handler.handlePlegEvent(inner, event);
    });
  }

  async #probe(ctx: Context, { type, uid, id, result }: ProbeMessage): Promise<void> {
    const { podManager, statusManager, handler } = this.#dependencies;
    const pod = podManager.getPodByUID(uid);
    const facts = { channel: type, result, id: id.id, pods: pod ? [pod.metadata.name] : [] };
    await this.#span(ctx, facts, async (inner) => {
      if (!pod || (type === 'liveness' && result !== 'failure')) return;
      if (type === 'readiness') statusManager.setContainerReadiness(inner, uid, id, result === 'success');
      if (type === 'startup') statusManager.setContainerStartup(inner, uid, id, result === 'success');
      if (handler.probeSyncsPod(type)) await handler.handlePodSyncs(inner, [pod]);
    });
  }

  /** Syncs the pods that are due and those past their active deadline. Upstream: getPodsToSync. */
  async #syncTick(ctx: Context): Promise<void> {
    const { workQueue, podManager, handler, statusManager } = this.#dependencies;
    const due = new Set(workQueue.getWork(ctx.clock));
    const isDue = (pod: Pod): boolean => {
      const { uid } = pod.metadata;
      if (due.has(uid)) return true;
      // The deadline of a terminated pod stays exceeded, but its worker has nothing left to do.
      return (
        !handler.isPodKnownTerminated(uid) &&
        isPastActiveDeadline(pod, statusManager.getPodStatus(uid), ctx.clock.now())
      );
    };
    const pods = podManager.getPods().filter(isDue);
    const facts = { channel: 'sync', pods: pods.map(({ metadata }) => metadata.name) };
    await this.#tick(ctx, facts, (inner) => handler.handlePodSyncs(inner, pods));
  }

  #housekeeping(ctx: Context): Promise<void> {
    const { handler, podConfig } = this.#dependencies;
    const allSourcesReady = podConfig.allReady;
    return this.#tick(ctx, { channel: 'housekeeping', allSourcesReady }, async (inner) => {
      if (allSourcesReady) await handler.handlePodCleanups(inner);
    });
  }

  /** Runs an iteration for a ticker. An iteration that finds nothing to do emits nothing. */
  #tick(ctx: Context, facts: Readonly<Record<string, unknown>>, body: (ctx: Context) => Promise<void>): Promise<void> {
    return ctx.tracer.tick(ctx, kubeletPoints.syncLoopIteration, facts, body);
  }

  /** Runs an iteration for a message in a span. */
  #span(ctx: Context, facts: Readonly<Record<string, unknown>>, body: (ctx: Context) => Promise<void>): Promise<void> {
    return ctx.tracer.span(ctx, kubeletPoints.syncLoopIteration, facts, body);
  }
}

/** Returns the instant of the next tick. Missed ticks are dropped. */
function nextTick(last: Instant, now: Instant, period: Milliseconds): Instant {
  const missed = Math.floor((now - last) / period);
  return addMilliseconds(last, (missed + 1) * period);
}
