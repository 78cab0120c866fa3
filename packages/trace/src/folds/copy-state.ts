/**
 * Copies what a fold has added up to, so that one copy can go on while the other stays. What never changes again (ended spans and
 * activities, decisions, results, recorded events) is shared: a copy costs what is open and the tracks, not the whole run.
 */
import { FoldState } from './fold-state.ts';
import type { MutableActivity, MutableAttempt, MutableContainer, MutablePod, MutableSync } from './mutable-tracks.ts';

/** Gives each original's copy, made the first time it is met: indexes and tracks lead to the same one. */
class Copies {
  readonly attempts = new Map<MutableAttempt, MutableAttempt>();
  readonly activities = new Map<MutableActivity, MutableActivity>();
  readonly containers = new Map<MutableContainer, MutableContainer>();
  readonly syncs = new Map<MutableSync, MutableSync>();
  readonly pods = new Map<MutablePod, MutablePod>();

  attempt(original: MutableAttempt): MutableAttempt {
    return once(this.attempts, original, () => ({ ...original }));
  }

  activity(original: MutableActivity): MutableActivity {
    // Once ended, nothing more happens to it.
    return original.end === undefined ? once(this.activities, original, () => ({ ...original })) : original;
  }

  container(original: MutableContainer): MutableContainer {
    return once(this.containers, original, () => ({
      ...original,
      attempts: original.attempts.map((attempt) => this.attempt(attempt)),
      activities: original.activities.map((activity) => this.activity(activity)),
      backOffs: original.backOffs.map((backOff) => ({ ...backOff })),
      waits: [...original.waits],
    }));
  }

  sync(original: MutableSync): MutableSync {
    return once(this.syncs, original, () => ({ ...original, steps: [...original.steps], results: [...original.results] }));
  }

  pod(original: MutablePod): MutablePod {
    return once(this.pods, original, () => ({
      ...original,
      sandbox: this.container(original.sandbox),
      containers: original.containers.map((container) => this.container(container)),
      workerSpans: [...original.workerSpans],
      syncs: original.syncs.map((sync) => this.sync(sync)),
      events: [...original.events],
      phases: [...original.phases],
      stops: original.stops.map((stop) => ({ ...stop })),
      interventions: [...original.interventions],
    }));
  }
}

function once<T>(known: Map<T, T>, original: T, copy: () => T): T {
  let made = known.get(original);
  if (made === undefined) {
    made = copy();
    known.set(original, made);
  }
  return made;
}

/** A state that changes apart from this one. */
export function copyState(original: FoldState): FoldState {
  const copies = new Copies();
  const copy = new FoldState();
  for (const [uid, pod] of original.pods) copy.pods.set(uid, copies.pod(pod));
  copy.spans = original.spans.copy();
  for (const [id, { pod, track, attempt }] of original.attempts) {
    copy.attempts.set(id, { pod: copies.pod(pod), track: copies.container(track), attempt: copies.attempt(attempt) });
  }
  for (const [id, { pod, track, activity }] of original.activities) {
    copy.activities.set(id, { pod: copies.pod(pod), track: copies.container(track), activity: copies.activity(activity) });
  }
  for (const [id, sync] of original.syncs) copy.syncs.set(id, copies.sync(sync));
  return copy;
}
