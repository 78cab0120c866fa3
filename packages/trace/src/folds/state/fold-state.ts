/**
 * Stores the state of a fold: the tracks, and indexes from ids to places in the tracks. A fork is cheap: both states
 * share the pods and their records, and before one of them changes a pod or a record, it copies it. The indexes name
 * places instead of referring to records, so they stay valid for the copy.
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
  newAttempt,
  newPodTrack,
  sandboxName,
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

/** The track of a sandbox or container. Its name is unique in the pod. */
interface TrackPlace {
  readonly uid: string;
  readonly track: string;
}

interface SyncPlace {
  readonly uid: string;
  /** Syncs are only added, and at the end of the pod's list. */
  readonly index: number;
}

interface Located {
  readonly pod: MutablePod;
  readonly track: MutableContainer;
}

export class FoldState {
  readonly #pods: Map<string, MutablePod>;
  readonly spans: SpanTable;
  /** The attempts by sandbox or container id. */
  readonly #attempts: Map<string, TrackPlace>;
  /** The activities that haven't ended, by span. */
  readonly #activities: Map<number, TrackPlace>;
  /** The syncs by the id of their span. */
  readonly #syncs: Map<number, SyncPlace>;
  /** The calls and other work of the node that belong to no sync, by thread, in the order in which they were logged. */
  readonly nodeSpans: Map<string, number[]>;
  /** Increases with every change of work of the node. */
  nodeVersion: number;
  /** The UIDs of the pods that another state shares. */
  readonly #shared: Set<string>;
  /** The attempts, activities and syncs that no other state shares. */
  readonly #own = new Set<object>();

  /** @param from the state to fork */
  constructor(from?: FoldState) {
    this.#pods = new Map(from ? from.#pods : []);
    this.spans = from ? from.spans.copy() : new SpanTable();
    this.#attempts = new Map(from ? from.#attempts : []);
    this.#activities = new Map(from ? from.#activities : []);
    this.#syncs = new Map(from ? from.#syncs : []);
    this.nodeSpans = new Map([...(from?.nodeSpans ?? [])].map(([thread, spans]) => [thread, [...spans]]));
    this.nodeVersion = from?.nodeVersion ?? 0;
    this.#shared = new Set(this.#pods.keys());
    if (!from) return;
    for (const uid of this.#pods.keys()) from.#shared.add(uid);
    from.#own.clear();
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
    if (!pod || !this.#shared.delete(uid)) return pod;
    const copy = copyPod(pod);
    this.#pods.set(uid, copy);
    return copy;
  }

  /** Returns the sandbox or container with this id, which the caller may change. */
  attempt(id: string): LocatedAttempt | undefined {
    const located = this.#locate(this.#attempts.get(id));
    const attempt = located && this.#attemptIn(located.track, id);
    return attempt && { ...located, attempt };
  }

  /**
   * Returns the attempt with this id in a track of the pod. If it doesn't exist, inserts it in the order of the attempt
   * numbers.
   */
  attemptOf(pod: MutablePod, track: MutableContainer, id: string, number: number): MutableAttempt {
    // Searching the track for a new attempt would compare it with all earlier ones.
    const known = this.#attempts.has(id) ? this.#attemptIn(track, id) : undefined;
    this.#attempts.set(id, { uid: pod.uid, track: track.name });
    if (known) return known;
    const made = newAttempt(id, number);
    this.#own.add(made);
    let at = track.attempts.length;
    while (at > 0 && (track.attempts[at - 1]?.attempt ?? 0) > number) at--;
    track.attempts.splice(at, 0, made);
    return made;
  }

  /** Returns the activity of this span, which the caller may change; undefined if it has ended. */
  activity(span: number): LocatedActivity | undefined {
    const located = this.#locate(this.#activities.get(span));
    const activities = located?.track.activities ?? [];
    const activity = this.#changeable(
      activities,
      activities.findLastIndex((candidate) => candidate.span === span),
    );
    return located && activity && { ...located, activity };
  }

  addActivity({ pod, track, activity }: LocatedActivity): void {
    track.activities.push(activity);
    this.#own.add(activity);
    this.#activities.set(activity.span, { uid: pod.uid, track: track.name });
  }

  /** Removes an activity whose span has ended from the index. */
  forgetActivity(span: number): void {
    this.#activities.delete(span);
  }

  addSync(pod: MutablePod, sync: MutableSync): void {
    this.#own.add(sync);
    this.#syncs.set(sync.span, { uid: pod.uid, index: pod.syncs.push(sync) - 1 });
  }

  /** Returns the sync that begins with this span, which the caller may change. */
  sync(span: number): MutableSync | undefined {
    const place = this.#syncs.get(span);
    const pod = place && this.knownPod(place.uid);
    return pod && this.#changeable(pod.syncs, place.index, (shared) => ({ ...shared, results: [...shared.results] }));
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

  #locate(place: TrackPlace | undefined): Located | undefined {
    const pod = place && this.knownPod(place.uid);
    const track =
      place?.track === sandboxName ? pod?.sandbox : pod?.containers.find(({ name }) => name === place?.track);
    return pod && track && { pod, track };
  }

  #attemptIn({ attempts }: MutableContainer, id: string): MutableAttempt | undefined {
    return this.#changeable(
      attempts,
      attempts.findLastIndex((attempt) => attempt.id === id),
    );
  }

  /** Returns an entry of a list, which the caller may change. Replaces an entry that another state shares by a copy. */
  #changeable<Entry extends object>(
    list: Entry[],
    index: number,
    copyOf = (entry: Entry): Entry => ({ ...entry }),
  ): Entry | undefined {
    const entry = list[index];
    if (entry === undefined || this.#own.has(entry)) return entry;
    const copy = copyOf(entry);
    list[index] = copy;
    this.#own.add(copy);
    return copy;
  }
}

const containerNameIn = (attributes: Attributes): string | undefined =>
  textAt(attributes, 'container') ?? textAt(attributes, 'container', 'name') ?? textAt(attributes, 'containerName');
