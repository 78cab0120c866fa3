/**
 * Generates pod lifecycle events: relists the runtime's pods every second and on request, sends the changes to the sync
 * loop, and updates the pod cache. Upstream: pkg/kubelet/pleg/generic.go (v1.36).
 */
import { asError, formatGoDuration } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import { type PodStatus, type Runtime, type RuntimePod } from '@podscope/kuberuntime';
import {
  addMilliseconds,
  type Context,
  type Instant,
  type Milliseconds,
  type PodReference,
  withPod,
} from '@podscope/trace';
import type { PodCache } from '../container/pod-cache.ts';
import type { Measures } from '../metrics/measures.ts';
import type { StrictClock } from '../util/strict-clock.ts';
import { waitUntil } from '../util/wait.ts';
import { withoutTracing } from '../util/without-tracing.ts';
import type { PodLifecycleEvent } from './events.ts';
import { type ContainerChange, podChanges } from './pod-changes.ts';
import { type ContainerTypeLookup, emitRuntimeStateChange } from './state-change-events.ts';

/** The time from the end of one relist to the start of the next. */
const relistPeriod: Milliseconds = 1000;
/** The PLEG is unhealthy when its last relist is older than this. */
const relistThreshold: Milliseconds = 180_000;
const relistRequestCapacity = 200;

/** The differences between releases. */
export interface PlegProfile {
  /** Which instant is the timestamp of a status: when all pods were listed, or when this pod was inspected. */
  readonly inspectedAt: 'listing' | 'inspection';
  /** Whether a pod that was inspected again and hadn't changed emits `PodSync`. */
  readonly emitsPodSync: boolean;
}

export const plegV136: PlegProfile = { inspectedAt: 'listing', emitsPodSync: true };

export interface PlegDependencies {
  /** The release's rules for the PLEG. Default: v1.36. */
  readonly profile?: PlegProfile;
  readonly runtime: Pick<Runtime, 'getPod' | 'getPods' | 'getPodStatus'>;
  readonly cache: PodCache;
  readonly strictClock: StrictClock;
  /** Receives the durations of relists. Default: none. */
  readonly measures?: Measures;
  /** Receives the events in order. It must not throw. */
  readonly deliver: (event: PodLifecycleEvent) => void;
  readonly containerType: ContainerTypeLookup;
}

/** The PLEG that polls the runtime. */
export class GenericPleg {
  readonly #dependencies: PlegDependencies;
  readonly #profile: PlegProfile;
  /** The last compared state of each pod. */
  readonly #records = new Map<string, RuntimePod>();
  readonly #reinspect = new Set<string>();
  #requests: { readonly uid: string; readonly at: Instant }[] = [];
  #relistTime: Instant | undefined;
  /** The start of the last relist. */
  #relistBegan: Instant | undefined;
  #due = 0 as Instant;
  #wake: (() => void) | undefined;
  #failing = false;

  constructor(dependencies: PlegDependencies) {
    this.#dependencies = dependencies;
    this.#profile = dependencies.profile ?? plegV136;
  }

  /** Relists once before any other loop starts, so that the runtime's pods are known. */
  async start(ctx: Context): Promise<void> {
    await this.relist(ctx);
    this.#due = addMilliseconds(ctx.clock.now(), relistPeriod);
  }

  /** Runs until the context is aborted. */
  async run(ctx: Context): Promise<void> {
    while (!ctx.signal.aborted) {
      if (ctx.clock.now() >= this.#due) {
        await this.relist(ctx);
        this.#due = addMilliseconds(ctx.clock.now(), relistPeriod);
      } else if (this.#requests.length > 0) {
        const serve = (): Promise<void> => this.#serveRequest(ctx);
        const { measures } = this.#dependencies;
        await (measures ? measures.time(ctx.clock, serve, (duration) => ({ of: 'podRelist', duration })) : serve());
      } else {
        await waitUntil(ctx, this.#due, (wake) => (this.#wake = wake));
      }
    }
  }

  /** Requests a relist of one pod. Upstream: RequestRelist (feature gate PLEGOnDemandRelist). */
  requestPodRelist(ctx: Context, uid: string): void {
    if (this.#requests.length >= relistRequestCapacity) return;
    this.#requests.push({ uid, at: this.#dependencies.strictClock.now(ctx.clock) });
    this.#wake?.();
  }

  /** Makes the next relist read the pod's status even without a change. */
  requestReinspect(uid: string): void {
    this.#reinspect.add(uid);
  }

  /** When the last relist started; undefined before the first. */
  get relistTime(): Instant | undefined {
    return this.#relistTime;
  }

  /** Returns why the PLEG is unhealthy; undefined when it is healthy. */
  health(now: Instant): string | undefined {
    if (this.#relistTime === undefined) return 'pleg has yet to be successful';
    const elapsed = now - this.#relistTime;
    if (elapsed <= relistThreshold) return undefined;
    const threshold = formatGoDuration(relistThreshold);
    return `pleg was last seen active ${formatGoDuration(elapsed)} ago; threshold is ${threshold}`;
  }

  /** Relists all pods. Emits nothing when nothing changed. Upstream: Relist. */
  async relist(ctx: Context): Promise<void> {
    const { measures } = this.#dependencies;
    if (!measures) return this.#relist(ctx);
    const start = ctx.clock.now();
    const interval = this.#relistBegan === undefined ? undefined : start - this.#relistBegan;
    this.#relistBegan = start;
    await measures.time(
      ctx.clock,
      () => this.#relist(ctx),
      (duration) => ({ of: 'relist', duration, interval }),
    );
  }

  async #relist(ctx: Context): Promise<void> {
    const { cache, strictClock } = this.#dependencies;
    const timestamp = strictClock.now(ctx.clock);
    const pods = await this.#list(ctx);
    if (!pods) return;
    this.#relistTime = timestamp;
    const current = new Map(pods.map((pod) => [pod.id, pod]));
    const work = [...new Set([...this.#records.keys(), ...current.keys()])]
      .map((uid) => ({ uid, pod: current.get(uid), changes: podChanges(this.#records.get(uid), current.get(uid)) }))
      .filter(({ uid, changes }) => changes.length > 0 || this.#reinspect.has(uid));
    if (work.length > 0) {
      const title = (): { changes: readonly string[] } => ({
        changes: work.flatMap(({ changes }) => changes.flatMap(describe)),
      });
      await ctx.tracer.span(ctx, kubeletPoints.relist, title, async (inner) => {
        for (const { uid, pod, changes } of work) await this.#update(inner, uid, pod, changes, timestamp);
      });
    }
    cache.updateTime(timestamp);
  }

  async #list(ctx: Context): Promise<readonly RuntimePod[] | undefined> {
    try {
      const pods = await this.#dependencies.runtime.getPods(withoutTracing(ctx), true);
      if (this.#failing)
        ctx.tracer.emit(ctx, { type: 'output', level: 'info', message: 'The runtime can be listed again.' });
      this.#failing = false;
      return pods;
    } catch (error) {
      if (!this.#failing && !ctx.signal.aborted) {
        ctx.tracer.emit(ctx, { type: 'output', level: 'error', message: `Unable to retrieve pods: ${String(error)}` });
        this.#failing = true;
      }
      return undefined;
    }
  }

  async #serveRequest(ctx: Context): Promise<void> {
    const { strictClock, cache } = this.#dependencies;
    const request = this.#requests.shift();
    if (!request || (this.#relistTime !== undefined && request.at <= this.#relistTime)) return;
    const { uid } = request;
    const timestamp = strictClock.now(ctx.clock);
    // A pod that can't be read, or that is gone, is left to the next relist of all pods.
    const pod = await this.#dependencies.runtime.getPod(withoutTracing(ctx), uid).catch(() => undefined);
    if (!pod) return;
    const changes = podChanges(this.#records.get(uid), pod);
    if (changes.length > 0 || this.#reinspect.has(uid)) {
      const title = { changes: changes.flatMap(describe) };
      await ctx.tracer.span(ctx, kubeletPoints.relist, title, (inner) =>
        this.#update(inner, uid, pod, changes, timestamp),
      );
    }
    cache.setObservedTime(uid, timestamp);
  }

  async #update(
    ctx: Context,
    uid: string,
    pod: RuntimePod | undefined,
    changes: readonly ContainerChange[],
    timestamp: Instant,
  ): Promise<void> {
    const { cache, strictClock } = this.#dependencies;
    const known = pod ?? this.#records.get(uid);
    const reference: PodReference = { uid, namespace: known?.namespace ?? '', name: known?.name ?? '' };
    // dockershim lists a sandbox that exists only as a checkpoint. This sandbox has no pod UID.
    const podCtx = uid === '' ? ctx : withPod(ctx, reference);
    const before = cache.get(uid).status;
    let status: PodStatus | undefined;
    if (pod) {
      const at = this.#profile.inspectedAt === 'listing' ? timestamp : strictClock.now(ctx.clock);
      status = await this.#inspect(podCtx, pod, before, at);
      if (!status) return;
      this.#records.set(uid, pod);
    } else {
      cache.delete(uid);
      this.#records.delete(uid);
    }
    const reinspected = this.#reinspect.delete(uid);
    for (const change of changes) {
      emitRuntimeStateChange(
        podCtx,
        change,
        status ?? before,
        this.#dependencies.containerType(uid, change.record.name),
      );
      for (const type of change.events) {
        if (type === 'ContainerChanged') continue;
        const held = this.#deliver(podCtx, { uid, type, id: change.record.id.id }, change.record.name);
        if (held) await held;
      }
    }
    if (reinspected && changes.length === 0 && this.#profile.emitsPodSync)
      await this.#deliver(podCtx, { uid, type: 'PodSync' });
  }

  /** Delivers the event once and without delay, unless a debugger pauses, drops or duplicates it. */
  #deliver(ctx: Context, event: PodLifecycleEvent, container?: string): Promise<void> | undefined {
    return ctx.tracer.handOver(ctx, kubeletPoints.plegEvent, { event: event.type, id: event.id, container }, () =>
      this.#dependencies.deliver(event),
    );
  }

  /**
   * Reads a pod's status into the cache. Returns undefined when the read failed; the next relist retries it. Upstream:
   * updateCache.
   */
  async #inspect(ctx: Context, pod: RuntimePod, before: PodStatus, timestamp: Instant): Promise<PodStatus | undefined> {
    const { cache, runtime } = this.#dependencies;
    try {
      const read = await runtime.getPodStatus(ctx, pod);
      const status = { ...read, ips: podIPs(read, before), timestamp };
      cache.set(pod.id, status, undefined, timestamp);
      return status;
    } catch (error) {
      cache.set(pod.id, undefined, asError(error), timestamp);
      this.#reinspect.add(pod.id);
      return undefined;
    }
  }
}

/** Returns the pod's addresses. A finished pod keeps its last addresses. Upstream: getPodIPs (GenericPLEG). */
function podIPs(status: PodStatus, before: PodStatus): readonly string[] {
  if (status.ips.length > 0 || status.sandboxStatuses.some(({ state }) => state === 'SANDBOX_READY')) return status.ips;
  return before.ips;
}

const describe = ({ object, record, from, to }: ContainerChange): string => `${object} ${record.name} ${from} → ${to}`;
