/**
 * Stores the state of a fold: the tracks, and indexes from ids to places in the tracks. A fork is cheap: both states
 * share the pods, and before one of them changes a pod, it copies that pod.
 */
import type { Attributes } from '../../events/event.ts';
import { textAt } from '../attribute-values.ts';
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
  /** The attempts by sandbox or container id. */
  readonly #attempts: Map<string, LocatedAttempt>;
  /** The activities that haven't ended, by span. */
  readonly #activities: Map<number, LocatedActivity>;
  /** The syncs by the id of their span. */
  readonly #syncs: Map<number, LocatedSync>;
  /** The UIDs of the pods that another state shares. */
  readonly #shared: Set<string>;

  /** @param from the state to fork */
  constructor(from?: FoldState) {
    this.#pods = new Map(from ? from.#pods : []);
    this.spans = from ? from.spans.copy() : new SpanTable();
    this.#attempts = new Map(from ? from.#attempts : []);
    this.#activities = new Map(from ? from.#activities : []);
    this.#syncs = new Map(from ? from.#syncs : []);
    this.#shared = new Set(this.#pods.keys());
    if (from) for (const uid of this.#pods.keys()) from.#shared.add(uid);
  }

  /** All pods in the order of their first event. The caller must not change them. */
  get pods(): ReadonlyMap<string, MutablePod> {
    return this.#pods;
  }

  /** Returns the track of a pod, which the caller may change. Creates it at `time` if it doesn't exist. */
  podOf(uid: string, time: number): MutablePod {
    const known = this.knownPod(uid);
    if (known) return known;
    const pod = newPodTrack(uid, time);
    this.#pods.set(uid, pod);
    return pod;
  }

  /** Returns the track of a pod, which the caller may change; undefined if it doesn't exist. */
  knownPod(uid: string): MutablePod | undefined {
    const pod = this.#pods.get(uid);
    return pod && this.#shared.delete(uid) ? this.#replace(pod) : pod;
  }

  /** Returns the sandbox or container with this id, which the caller may change. */
  attempt(id: string): LocatedAttempt | undefined {
    return this.#own(this.#attempts, id);
  }

  addAttempt(id: string, located: LocatedAttempt): void {
    this.#attempts.set(id, located);
  }

  /** Returns the activity of this span, which the caller may change; undefined if it has ended. */
  activity(span: number): LocatedActivity | undefined {
    return this.#own(this.#activities, span);
  }

  addActivity(located: LocatedActivity): void {
    this.#activities.set(located.activity.span, located);
  }

  /** Removes an activity whose span has ended from the index. */
  forgetActivity(span: number): void {
    this.#activities.delete(span);
  }

  addSync(pod: MutablePod, sync: MutableSync): void {
    pod.syncs.push(sync);
    this.#syncs.set(sync.span, { pod, sync });
  }

  /** Returns the sync that begins with this span, which the caller may change. */
  sync(span: number): MutableSync | undefined {
    return this.#own(this.#syncs, span)?.sync;
  }

  /** Returns the sync that contains a span, which the caller may change. */
  syncAround(span: number | undefined): MutableSync | undefined {
    return this.outward(span, ({ id }) => this.sync(id));
  }

  /** Calls `pick` with `span` and its ancestors, the innermost first. Returns the first result that isn't undefined. */
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

  /**
   * Returns the name of the container in the attributes of a span or, if they don't contain one, of its nearest
   * ancestor that does.
   */
  containerNameAround(span: number): string | undefined {
    return this.outward(span, ({ attributes }) => containerNameIn(attributes));
  }

  #own<K, T extends { readonly pod: MutablePod }>(index: ReadonlyMap<K, T>, key: K): T | undefined {
    const located = index.get(key);
    if (!located || !this.#shared.has(located.pod.uid)) return located;
    this.knownPod(located.pod.uid);
    return index.get(key);
  }

  /** Replaces a pod by a copy, in the list and in the indexes. */
  #replace(original: MutablePod): MutablePod {
    const pod = copyPod(original);
    this.#pods.set(pod.uid, pod);
    for (const [at, before] of [original.sandbox, ...original.containers].entries()) {
      const track = at === 0 ? pod.sandbox : pod.containers[at - 1];
      if (!track) continue;
      for (const [index, attempt] of before.attempts.entries()) {
        const copy = track.attempts[index];
        if (copy && this.#attempts.get(attempt.id)?.attempt === attempt)
          this.#attempts.set(attempt.id, { pod, track, attempt: copy });
      }
      for (const [index, activity] of before.activities.entries()) {
        const copy = track.activities[index];
        if (copy && this.#activities.get(activity.span)?.activity === activity)
          this.#activities.set(activity.span, { pod, track, activity: copy });
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
