/**
 * Records Kubernetes events as core/v1 objects. A repeated event increases the count. Events that differ only in their
 * message are combined. Many events in a short time are rate-limited. Events expire after an hour. Upstream: client-go
 * tools/record (v1.36).
 */
import {
  type Container,
  type EphemeralContainer,
  type Event,
  findContainerFieldPath,
  type ObjectReference,
  type Pod,
} from '@podscope/k8s';
import {
  addMilliseconds,
  type Clock,
  type Context,
  formatTime,
  type Instant,
  type Milliseconds,
  parseTime,
} from '@podscope/trace';
import { newUid, type Random } from '../random.ts';
import type { Storage } from '../storage/storage.ts';

/** How long an event is kept. Upstream: --event-ttl. */
export const eventTTL: Milliseconds = 3_600_000;

/** The largest number of stored events. The oldest are removed first. */
export const maxEvents = 5_000;
const pruneSlack = 100;

/** The number of different events for which observations are cached. Upstream: maxLruCacheEntries. */
const maxObserved = 4096;

/**
 * The number of events within {@link combineInterval} from which events that differ only in their message are combined.
 * Upstream: defaultAggregateMaxEvents.
 */
const combineAfter = 10;
/** The longest time between events that are combined, in milliseconds. Upstream: defaultAggregateIntervalInSeconds. */
const combineInterval: Milliseconds = 600_000;

/** How many events of one object may be recorded at once. Upstream: defaultSpamBurst. */
const burst = 25;
/** The time after which an object may record one more event. Upstream: defaultSpamQPS, one in five minutes. */
const refill: Milliseconds = 300_000;

/** A pseudo-random number generator (Park–Miller) with its own state. */
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

/** How often an event was observed, including rate-limited ones. Upstream: eventLog. */
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
export class StorageEventRecorder {
  readonly #options: EventRecorderOptions;
  /** Observations by the key of the event, least recently observed first. */
  readonly #observed = new Map<string, Observation>();
  readonly #similar = new Map<string, Similar>();
  readonly #buckets = new Map<string, Bucket>();
  /** An upper bound of the number of stored events. */
  #stored = 0;
  readonly #nodeChance: Random;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#nodeChance = minimalStandard(options.clock.now());
  }

  event(
    ctx: Context,
    pod: Pod,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    container?: Container | EphemeralContainer,
  ): void {
    const { name, namespace, uid, resourceVersion } = pod.metadata;
    const fieldPath = container && findContainerFieldPath(pod, container.name);
    const involved: ObjectReference = {
      kind: 'Pod',
      namespace,
      name,
      uid,
      apiVersion: 'v1',
      resourceVersion,
      fieldPath,
    };
    const count = this.#record(involved, { type, reason, message });
    ctx.tracer.emit(ctx, {
      type: 'kubernetesEvent',
      pod: uid,
      eventType: type,
      reason,
      message,
      container: container?.name,
      fieldPath,
      count,
    });
  }

  nodeEvent(ctx: Context, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { nodeName } = this.#options;
    const count = this.#record(
      { kind: 'Node', name: nodeName, uid: nodeName, apiVersion: 'v1' },
      { type, reason, message },
    );
    // The event concerns the node, even if a pod worker records it.
    ctx.tracer.emit(ctx, { type: 'kubernetesEvent', pod: undefined, eventType: type, reason, message, count });
  }

  /** Removes expired events, and the oldest events above the limit. */
  prune(): void {
    const { clock, storage } = this.#options;
    const oldest = addMilliseconds(clock.now(), -eventTTL);
    const lastSeen = (event: Event): Instant =>
      parseTime(event.lastTimestamp ?? event.metadata.creationTimestamp ?? formatTime(clock.now()));
    const events = storage.list('Event').toSorted((a, b) => lastSeen(b) - lastSeen(a));
    for (const [index, event] of events.entries()) {
      if (index >= maxEvents || lastSeen(event) < oldest)
        storage.remove('Event', event.metadata.namespace, event.metadata.name);
    }
    this.#stored = Math.min(events.length, maxEvents);
    for (const [key, { last }] of this.#similar) if (last < oldest) this.#similar.delete(key);
    for (const [key, { last }] of this.#buckets)
      if (last < addMilliseconds(clock.now(), -burst * refill)) this.#buckets.delete(key);
  }

  /**
   * Records an event and returns its count, which includes rate-limited occurrences. Upstream:
   * EventCorrelator.EventCorrelate.
   */
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
      // Pruning sorts all events, so it runs only once per `pruneSlack` events above the limit.
      if (this.#stored > maxEvents + pruneSlack) this.prune();
    }
    return count;
  }

  /**
   * Counts an occurrence of an event and returns the count with the event's name. Upstream: eventLogger.eventObserve.
   */
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

  /**
   * Returns the key and message under which an event is counted. If events are combined, they are the key and message
   * of the group. Upstream: EventAggregator.EventAggregate.
   */
  #combine(group: string, { message }: Recorded): { readonly key: string; readonly message: string } {
    const now = this.#options.clock.now();
    const found = this.#similar.get(group);
    const similar = found && now - found.last <= combineInterval ? found : { messages: new Set<string>(), last: now };
    similar.messages.add(message);
    similar.last = now;
    this.#similar.set(group, similar);
    if (similar.messages.size < combineAfter) return { key: message, message };
    // Drop the oldest message to limit the size of the set.
    const [first] = similar.messages;
    if (first !== undefined) similar.messages.delete(first);
    return { key: '', message: `(combined from similar events): ${message}` };
  }

  /**
   * Takes a token from the object's bucket. Returns false if the bucket is empty: the event is rate-limited. Upstream:
   * EventSourceObjectSpamFilter.Filter.
   */
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

  /**
   * Returns the uid of a new event. Events about the node use their own random numbers: a restart adds such events, and
   * the uids of pods must not change because of them.
   */
  #newUid({ kind }: ObjectReference): string {
    return kind === 'Node' ? newUid(this.#nodeChance) : this.#options.newUid();
  }

  /** Builds the Event object. Upstream: recorderImpl.makeEvent. */
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
