/**
 * The pod lifecycle event generator: lists what the runtime has, once a second and whenever asked, tells the sync loop what changed, and
 * keeps the pod cache. Upstream: pkg/kubelet/pleg/generic.go (v1.36).
 */
import { formatGoDuration, type PodStatus, type Runtime, type RuntimePod } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, type Milliseconds, type PodReference, withPod } from '@podscope/trace';
import type { Measures } from '../measures.ts';
import type { PodCache } from '../pod-cache.ts';
import { kubeletPoints } from '../points.ts';
import { quiet } from '../util/quiet.ts';
import type { StrictClock } from '../util/strict-clock.ts';
import { waitUntil } from '../util/wait.ts';
import type { PodLifecycleEvent } from './events.ts';
import { type ContainerChange, podChanges } from './pod-changes.ts';
import { type ContainerTypeLookup, emitRuntimeStateChange } from './state-change-events.ts';

/** From the end of one relist to the start of the next. */
const relistPeriod: Milliseconds = 1000;
/** Unhealthy when the last relist is older than this. */
const relistThreshold: Milliseconds = 180_000;
const relistRequestCapacity = 200;

/** What differs between releases. */
export interface PlegProfile {
  /** When a status counts as read: when the listing was taken, or when the pod was inspected. */
  readonly inspectedAt: 'listing' | 'inspection';
  /** A pod that was inspected again without a change is told of. */
  readonly tellsPodSync: boolean;
}

export const plegV136: PlegProfile = { inspectedAt: 'listing', tellsPodSync: true };
export const plegV120: PlegProfile = { inspectedAt: 'inspection', tellsPodSync: false };

export interface PlegDependencies {
  /** Default: v1.36. */
  readonly profile?: PlegProfile;
  readonly runtime: Pick<Runtime, 'getPods' | 'getPodStatus'>;
  readonly cache: PodCache;
  readonly strictClock: StrictClock;
  /** Is told how long each look took. Default: nobody is. */
  readonly measures?: Measures;
  /** Takes events in order; must not throw. */
  readonly deliver: (event: PodLifecycleEvent) => void;
  readonly containerType: ContainerTypeLookup;
}

/** Relists and compares. */
export class GenericPleg {
  readonly #deps: PlegDependencies;
  readonly #profile: PlegProfile;
  /** What each pod looked like when it was last compared. */
  readonly #records = new Map<string, RuntimePod>();
  readonly #reinspect = new Set<string>();
  #requests: { readonly uid: string; readonly at: Instant }[] = [];
  #relistTime: Instant | undefined;
  /** The start of the last look. */
  #relistBegan: Instant | undefined;
  #due = 0 as Instant;
  #wake: (() => void) | undefined;
  #failing = false;

  constructor(deps: PlegDependencies) {
    this.#deps = deps;
    this.#profile = deps.profile ?? plegV136;
  }

  /** The first look; whatever it finds is there before anything else starts. */
  async start(ctx: Context): Promise<void> {
    await this.relist(ctx);
    this.#due = addMilliseconds(ctx.clock.now(), relistPeriod);
  }

  /** Runs until the context is aborted. */
  async run(ctx: Context): Promise<void> {
    while (!ctx.signal.aborted) {
      if (ctx.clock.now() >= this.#due) {
        this.#due = Number.POSITIVE_INFINITY as Instant;
        await this.relist(ctx);
        this.#due = Math.min(this.#due, addMilliseconds(ctx.clock.now(), relistPeriod)) as Instant;
      } else if (this.#requests.length > 0) {
        const serve = (): Promise<void> => this.#serveRequest(ctx);
        const { measures } = this.#deps;
        await (measures ? measures.time(ctx.clock, serve, (duration) => ({ of: 'podRelist', duration })) : serve());
      } else {
        await waitUntil(ctx, this.#due, (wake) => (this.#wake = wake));
      }
    }
  }

  /** Asks for a relist at once, also while one is under way: something happened in the runtime. */
  requestRelist(): void {
    this.#due = 0 as Instant;
    this.#wake?.();
  }

  /** Asks for a look at one pod. Upstream: RequestRelist (gate PLEGOnDemandRelist). */
  requestPodRelist(ctx: Context, uid: string): void {
    if (this.#requests.length >= relistRequestCapacity) return;
    this.#requests.push({ uid, at: this.#deps.strictClock.now(ctx.clock) });
    this.#wake?.();
  }

  /** The pod's status is read again at the next relist, even if nothing seems to have changed. */
  requestReinspect(uid: string): void {
    this.#reinspect.add(uid);
  }

  /** When the last look at all pods was; undefined before the first. */
  get relistTime(): Instant | undefined {
    return this.#relistTime;
  }

  /** Why the PLEG is not healthy; undefined when it is. */
  health(now: Instant): string | undefined {
    if (this.#relistTime === undefined) return 'pleg has yet to be successful';
    const elapsed = now - this.#relistTime;
    if (elapsed <= relistThreshold) return undefined;
    return `pleg was last seen active ${formatGoDuration(elapsed)} ago; threshold is ${formatGoDuration(relistThreshold)}`;
  }

  /** One look at all pods. Silent when nothing changed. Upstream: Relist. */
  async relist(ctx: Context): Promise<void> {
    const { measures } = this.#deps;
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
    const { cache, strictClock } = this.#deps;
    const timestamp = strictClock.now(ctx.clock);
    const pods = await this.#list(ctx);
    if (!pods) return;
    this.#relistTime = timestamp;
    const current = new Map(pods.map((pod) => [pod.id, pod]));
    const work = [...new Set([...this.#records.keys(), ...current.keys()])]
      .map((uid) => ({ uid, pod: current.get(uid), changes: podChanges(this.#records.get(uid), current.get(uid)) }))
      .filter(({ uid, changes }) => changes.length > 0 || this.#reinspect.has(uid));
    if (work.length > 0) {
      const title = (): { changes: readonly string[] } => ({ changes: work.flatMap(({ changes }) => changes.flatMap(describe)) });
      await ctx.tracer.span(ctx, kubeletPoints.relist, title, async (inner) => {
        for (const { uid, pod, changes } of work) await this.#update(inner, uid, pod, changes, timestamp);
      });
    }
    cache.updateTime(timestamp);
  }

  async #list(ctx: Context): Promise<readonly RuntimePod[] | undefined> {
    try {
      const pods = await this.#deps.runtime.getPods(quiet(ctx), true);
      if (this.#failing) ctx.tracer.emit(ctx, { type: 'output', level: 'info', message: 'The runtime can be listed again.' });
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
    const { strictClock, cache } = this.#deps;
    const request = this.#requests.shift();
    if (!request || (this.#relistTime !== undefined && request.at <= this.#relistTime)) return;
    const { uid } = request;
    const timestamp = strictClock.now(ctx.clock);
    const pods = await this.#list(ctx);
    if (!pods) return;
    this.#requests = this.#requests.filter((other) => other.uid !== uid || other.at > timestamp);
    const pod = pods.find(({ id }) => id === uid);
    const changes = podChanges(this.#records.get(uid), pod);
    if (changes.length > 0 || this.#reinspect.has(uid)) {
      const title = { changes: changes.flatMap(describe) };
      await ctx.tracer.span(ctx, kubeletPoints.relist, title, (inner) => this.#update(inner, uid, pod, changes, timestamp));
    }
    cache.setObservedTime(uid, timestamp);
  }

  async #update(ctx: Context, uid: string, pod: RuntimePod | undefined, changes: readonly ContainerChange[], timestamp: Instant): Promise<void> {
    const { cache, strictClock } = this.#deps;
    const known = pod ?? this.#records.get(uid);
    const reference: PodReference = { uid, namespace: known?.namespace ?? '', name: known?.name ?? '' };
    const podCtx = withPod(ctx, reference);
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
      emitRuntimeStateChange(podCtx, change, status ?? before, this.#deps.containerType(uid, change.record.name));
      for (const type of change.events) {
        if (type === 'ContainerChanged') continue;
        const held = this.#deliver(podCtx, { uid, type, id: change.record.id.id }, change.record.name);
        if (held) await held;
      }
    }
    if (reinspected && changes.length === 0 && this.#profile.tellsPodSync) await this.#deliver(podCtx, { uid, type: 'PodSync' });
  }

  /** Once, and at once, unless a debugger holds, drops or duplicates it. */
  #deliver(ctx: Context, event: PodLifecycleEvent, container?: string): Promise<void> | undefined {
    return ctx.tracer.handOver(ctx, kubeletPoints.plegEvent, { event: event.type, id: event.id, container }, () => this.#deps.deliver(event));
  }

  /** Reads a pod's status into the cache; undefined when that failed (it is tried again at the next relist). Upstream: updateCache. */
  async #inspect(ctx: Context, pod: RuntimePod, before: PodStatus, timestamp: Instant): Promise<PodStatus | undefined> {
    const { cache, runtime } = this.#deps;
    try {
      const read = await runtime.getPodStatus(ctx, pod);
      const status = { ...read, ips: podIPs(read, before), timestamp };
      cache.set(pod.id, status, undefined, timestamp);
      return status;
    } catch (error) {
      cache.set(pod.id, undefined, error instanceof Error ? error : new Error(String(error)), timestamp);
      this.#reinspect.add(pod.id);
      return undefined;
    }
  }
}

/** A finished pod keeps its address. Upstream: getPodIPs (GenericPLEG). */
function podIPs(status: PodStatus, before: PodStatus): readonly string[] {
  if (status.ips.length > 0 || status.sandboxStatuses.some(({ state }) => state === 'SANDBOX_READY')) return status.ips;
  return before.ips;
}

const describe = ({ object, record, from, to }: ContainerChange): string => `${object} ${record.name} ${from} → ${to}`;
