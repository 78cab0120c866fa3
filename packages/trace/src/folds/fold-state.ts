/**
 * What the parts of the fold share: the tracks, and indexes from ids to the place in them. A state can be forked at little cost: both hold
 * the same pods then, and whichever changes one first copies it.
 */
import type { Attributes } from '../event.ts';
import { textAt } from './attribute-values.ts';
import { copyPod } from './copy-pod.ts';
import {
  type MutableActivity,
  type MutableAttempt,
  type MutableContainer,
  type MutablePod,
  type MutableSpan,
  type MutableSync,
  newPodTrack,
} from './mutable-tracks.ts';
import { SpanTable } from './span-table.ts';

export interface LocatedAttempt {
  readonly pod: MutablePod;
  readonly track: MutableContainer;
  readonly attempt: MutableAttempt;
}

export interface LocatedActivity {
  readonly pod: MutablePod;
  readonly track: MutableContainer;
  readonly activity: MutableActivity;
}

interface LocatedSync {
  readonly pod: MutablePod;
  readonly sync: MutableSync;
}

export class FoldState {
  readonly #pods: Map<string, MutablePod>;
  readonly spans: SpanTable;
  /** By sandbox or container id. */
  readonly #attempts: Map<string, LocatedAttempt>;
  /** By span; those that go on. */
  readonly #activities: Map<number, LocatedActivity>;
  /** By the span of SyncPod. */
  readonly #syncs: Map<number, LocatedSync>;
  /** Pods that another state holds as well. */
  readonly #shared: Set<string>;

  /** @param from forks that state */
  constructor(from?: FoldState) {
    this.#pods = new Map(from ? from.#pods : []);
    this.spans = from ? from.spans.copy() : new SpanTable();
    this.#attempts = new Map(from ? from.#attempts : []);
    this.#activities = new Map(from ? from.#activities : []);
    this.#syncs = new Map(from ? from.#syncs : []);
    this.#shared = new Set(this.#pods.keys());
    if (from) for (const uid of this.#pods.keys()) from.#shared.add(uid);
  }

  /** All pods, in the order in which they were first heard of. To be read. */
  get pods(): ReadonlyMap<string, MutablePod> {
    return this.#pods;
  }

  /** The pod's track, to be changed; begun at `time` when it was not heard of before. */
  podOf(uid: string, time: number): MutablePod {
    const known = this.knownPod(uid);
    if (known) return known;
    const pod = newPodTrack(uid, time);
    this.#pods.set(uid, pod);
    return pod;
  }

  /** The pod's track, to be changed, if it was heard of. */
  knownPod(uid: string): MutablePod | undefined {
    const pod = this.#pods.get(uid);
    return pod && this.#shared.delete(uid) ? this.#replace(pod) : pod;
  }

  /** The sandbox or container of that id, to be changed. */
  attempt(id: string): LocatedAttempt | undefined {
    return this.#own(this.#attempts, id);
  }

  addAttempt(id: string, located: LocatedAttempt): void {
    this.#attempts.set(id, located);
  }

  /** What goes on in that span, to be changed. */
  activity(span: number): LocatedActivity | undefined {
    return this.#own(this.#activities, span);
  }

  addActivity(located: LocatedActivity): void {
    this.#activities.set(located.activity.span, located);
  }

  /** Its span has ended: nothing more will happen to it. */
  forgetActivity(span: number): void {
    this.#activities.delete(span);
  }

  addSync(pod: MutablePod, sync: MutableSync): void {
    pod.syncs.push(sync);
    this.#syncs.set(sync.span, { pod, sync });
  }

  /** The sync whose SyncPod that span is, to be changed. */
  sync(span: number): MutableSync | undefined {
    return this.#own(this.#syncs, span)?.sync;
  }

  /** The sync that a span belongs to, to be changed. */
  syncAround(span: number | undefined): MutableSync | undefined {
    return this.outward(span, ({ id }) => this.sync(id));
  }

  /** The first of `span` and the spans around it for which `pick` finds something. */
  outward<T>(span: number | undefined, pick: (span: MutableSpan) => T | undefined): T | undefined {
    for (
      let record = span === undefined ? undefined : this.spans.get(span);
      record;
      record = record.parent === undefined ? undefined : this.spans.get(record.parent)
    ) {
      const found = pick(record);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The container a span is about: named by its own attributes or by those of a span around it. */
  containerNameAround(span: number): string | undefined {
    return this.outward(span, ({ attributes }) => containerNameIn(attributes));
  }

  #own<K, T extends { readonly pod: MutablePod }>(index: ReadonlyMap<K, T>, key: K): T | undefined {
    const located = index.get(key);
    if (!located || !this.#shared.has(located.pod.uid)) return located;
    this.knownPod(located.pod.uid);
    return index.get(key);
  }

  /** Puts a copy in a pod's place, here and in the indexes. */
  #replace(original: MutablePod): MutablePod {
    const pod = copyPod(original);
    this.#pods.set(pod.uid, pod);
    for (const [at, before] of [original.sandbox, ...original.containers].entries()) {
      const track = at === 0 ? pod.sandbox : pod.containers[at - 1];
      if (!track) continue;
      for (const [index, attempt] of before.attempts.entries()) {
        const copy = track.attempts[index];
        if (copy && this.#attempts.get(attempt.id)?.attempt === attempt) this.#attempts.set(attempt.id, { pod, track, attempt: copy });
      }
      for (const [index, activity] of before.activities.entries()) {
        const copy = track.activities[index];
        if (copy && this.#activities.get(activity.span)?.activity === activity) this.#activities.set(activity.span, { pod, track, activity: copy });
      }
    }
    for (const [index, sync] of original.syncs.entries()) {
      const copy = pod.syncs[index];
      if (copy && this.#syncs.get(sync.span)?.sync === sync) this.#syncs.set(sync.span, { pod, sync: copy });
    }
    return pod;
  }
}

const containerNameIn = (attributes: Attributes): string | undefined =>
  textAt(attributes, 'container') ?? textAt(attributes, 'container', 'name') ?? textAt(attributes, 'containerName');
