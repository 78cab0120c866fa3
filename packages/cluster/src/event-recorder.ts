/**
 * Records Kubernetes events as core/v1 objects: the same event again raises its count, many that differ only in their message are combined,
 * a flood is dropped, and after an hour an event is gone. Upstream: client-go tools/record (v1.36).
 */
import { type Container, type EphemeralContainer, type Event, findContainerFieldPath, type ObjectReference, type Pod } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import { addMilliseconds, type Clock, type Context, formatTime, type Instant, type Milliseconds, parseTime } from '@podscope/trace';
import { newUid, type Random } from './random.ts';
import type { Storage } from './storage.ts';

/** How long an event is kept. Upstream: --event-ttl. */
export const eventTTL: Milliseconds = 3_600_000;

/** Most events kept; the oldest go first. */
export const maxEvents = 5_000;
const pruneSlack = 100;

/** What is said beyond that many different things pushes out the oldest of them. Upstream: maxLruCacheEntries. */
const maxObserved = 4096;

/** From this many events that differ only in their message, in {@link combineInterval}, they are combined. Upstream: defaultAggregateMaxEvents. */
const combineAfter = 10;
/** Upstream: defaultAggregateIntervalInSeconds. */
const combineInterval: Milliseconds = 600_000;

/** Events of one object in one go. Upstream: defaultSpamBurst. */
const burst = 25;
/** After which time one more is let through. Upstream: defaultSpamQPS, one in five minutes. */
const refill: Milliseconds = 300_000;

/** A source of chance of its own. Park and Miller's generator. */
function minimalStandard(seed: number): Random {
  const modulus = 2 ** 31 - 1;
  let state = 1 + (Math.abs(Math.trunc(seed)) % (modulus - 1));
  return () => {
    state = (state * 16_807) % modulus;
    return (state - 1) / (modulus - 1);
  };
}

interface Similar {
  messages: Set<string>;
  last: Instant;
}

/** What was said how often, whether or not it was let through. Upstream: eventLog. */
interface Observation {
  readonly namespace: string;
  readonly name: string;
  readonly firstTimestamp: string;
  readonly count: number;
}

interface Bucket {
  tokens: number;
  last: Instant;
}

interface Recorded {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly nodeName: string;
  readonly newUid: () => string;
}

/** The event recorder of the node. */
export class StorageEventRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  /** By what the event says, the last said last. */
  readonly #observed = new Map<string, Observation>();
  readonly #similar = new Map<string, Similar>();
  readonly #buckets = new Map<string, Bucket>();
  /** How many may be stored by now. */
  #stored = 0;
  readonly #nodeChance: Random;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#nodeChance = minimalStandard(options.clock.now());
  }

  event(ctx: Context, pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string, container?: Container | EphemeralContainer): void {
    const { name, namespace, uid, resourceVersion } = pod.metadata;
    const fieldPath = container && findContainerFieldPath(pod, container.name);
    const involved: ObjectReference = { kind: 'Pod', namespace, name, uid, apiVersion: 'v1', resourceVersion, fieldPath };
    const count = this.#record(involved, { type, reason, message });
    ctx.tracer.emit(ctx, { type: 'kubernetesEvent', pod: uid, eventType: type, reason, message, container: container?.name, fieldPath, count });
  }

  nodeEvent(ctx: Context, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { nodeName } = this.#options;
    const count = this.#record({ kind: 'Node', name: nodeName, uid: nodeName, apiVersion: 'v1' }, { type, reason, message });
    // About the node, even where a pod's worker said it.
    ctx.tracer.emit(ctx, { type: 'kubernetesEvent', pod: undefined, eventType: type, reason, message, count });
  }

  /** Drops events that are older than their hour, and the oldest beyond the limit. */
  prune(): void {
    const { clock, storage } = this.#options;
    const oldest = addMilliseconds(clock.now(), -eventTTL);
    const lastSeen = (event: Event): Instant => parseTime(event.lastTimestamp ?? event.metadata.creationTimestamp ?? formatTime(clock.now()));
    const events = storage.list('Event').toSorted((a, b) => lastSeen(b) - lastSeen(a));
    for (const [index, event] of events.entries()) {
      if (index >= maxEvents || lastSeen(event) < oldest) storage.remove('Event', event.metadata.namespace, event.metadata.name);
    }
    this.#stored = Math.min(events.length, maxEvents);
    for (const [key, { last }] of this.#similar) if (last < oldest) this.#similar.delete(key);
    for (const [key, { last }] of this.#buckets) if (last < addMilliseconds(clock.now(), -burst * refill)) this.#buckets.delete(key);
  }

  /** How often this has been said by now: what the filter stops counts too, and shows with the next that passes. Upstream: EventCorrelator.EventCorrelate. */
  #record(involved: ObjectReference, event: Recorded): number {
    const object = [involved.kind, involved.namespace, involved.name, involved.uid].join('\0');
    const group = [object, event.type, event.reason].join('\0');
    const combined = this.#combine(group, event);
    const key = combined.key === '' ? group : [group, involved.fieldPath, combined.key].join('\0');
    const next = this.#newEvent(involved, { ...event, message: combined.message });
    const observed = this.#observe(key, next);
    if (!this.#permitted(object)) return observed.count;
    const { storage } = this.#options;
    const { namespace, name, firstTimestamp, count } = observed;
    if (storage.get('Event', namespace, name)) {
      const { lastTimestamp, message } = next;
      storage.update('Event', namespace, name, (stored) => ({ ...stored, count, lastTimestamp, message }));
    } else {
      const uid = this.#newUid(involved);
      storage.create('Event', { ...next, metadata: { ...next.metadata, name, uid }, firstTimestamp, count });
      this.#stored += 1;
      // Not at each one beyond the limit: that sorts them all.
      if (this.#stored > maxEvents + pruneSlack) this.prune();
    }
    return count;
  }

  /** Upstream: eventLogger.eventObserve. */
  #observe(key: string, { metadata, firstTimestamp = '' }: Event): Observation {
    const before = this.#observed.get(key);
    const observed: Observation = {
      namespace: metadata.namespace ?? '',
      name: before?.name ?? metadata.name,
      firstTimestamp: before?.firstTimestamp ?? firstTimestamp ?? '',
      count: (before?.count ?? 0) + 1,
    };
    this.#observed.delete(key);
    this.#observed.set(key, observed);
    const [oldest] = this.#observed.keys();
    if (this.#observed.size > maxObserved && oldest !== undefined) this.#observed.delete(oldest);
    return observed;
  }

  /** Upstream: EventAggregator.EventAggregate. */
  #combine(group: string, { message }: Recorded): { readonly key: string; readonly message: string } {
    const now = this.#options.clock.now();
    const found = this.#similar.get(group);
    const similar = found && now - found.last <= combineInterval ? found : { messages: new Set<string>(), last: now };
    similar.messages.add(message);
    similar.last = now;
    this.#similar.set(group, similar);
    if (similar.messages.size < combineAfter) return { key: message, message };
    // The oldest makes room, so that the set stays small.
    const [first] = similar.messages;
    if (first !== undefined) similar.messages.delete(first);
    return { key: '', message: `(combined from similar events): ${message}` };
  }

  /** A token bucket for each object. Upstream: EventSourceObjectSpamFilter.Filter. */
  #permitted(object: string): boolean {
    const now = this.#options.clock.now();
    const bucket = this.#buckets.get(object) ?? { tokens: burst, last: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.last) / refill);
    bucket.last = now;
    this.#buckets.set(object, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Every start brings events of the node: ids drawn from the run's own chance for them would change those of all its pods. */
  #newUid({ kind }: ObjectReference): string {
    return kind === 'Node' ? newUid(this.#nodeChance) : this.#options.newUid();
  }

  /** Upstream: recorderImpl.makeEvent. */
  #newEvent(involved: ObjectReference, { type, reason, message }: Recorded): Event {
    const { clock, storage, nodeName } = this.#options;
    const now = clock.now();
    const namespace = involved.namespace ?? 'default';
    let stamp = BigInt(Math.round(now * 1000)) * 1000n;
    const name = (): string => `${involved.name}.${stamp.toString(16)}`;
    while (storage.get('Event', namespace, name())) stamp += 1n;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: name(), namespace, uid: '', creationTimestamp: formatTime(now) },
      involvedObject: involved,
      reason,
      message,
      source: { component: 'kubelet', host: nodeName },
      firstTimestamp: formatTime(now),
      lastTimestamp: formatTime(now),
      count: 1,
      type,
      eventTime: null,
      reportingComponent: 'kubelet',
      reportingInstance: nodeName,
    };
  }
}
