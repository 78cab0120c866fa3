/** Merges the Kubernetes events of several pods into one list in order. Reads each event once while the run grows. */
import type { KubernetesEventRecord, PodTrack } from '@podscope/trace';

/** An event with its pod, which is undefined while only one pod's events are listed. */
export type EventRow = KubernetesEventRecord & { readonly pod?: PodTrack };

/** The part of a pod's record that was read: a number of events, the last of which is `last`. */
interface ReadPart {
  readonly count: number;
  readonly last: KubernetesEventRecord | undefined;
}

const nothing: ReadPart = { count: 0, last: undefined };

export class EventsOfPods {
  #rows: EventRow[] = [];
  #read = new Map<string, ReadPart>();

  /**
   * Returns the events of these pods, ordered by their numbers. New events are added to the same list. The list is
   * another one if a pod is missing or has other events than before, or if events belong before known ones.
   */
  of(pods: readonly PodTrack[]): readonly EventRow[] {
    const isLonger = ({ uid, events }: PodTrack): boolean => {
      const { count, last } = this.#read.get(uid) ?? nothing;
      return events[count - 1] === last;
    };
    const known = pods.filter(({ uid }) => this.#read.has(uid)).length;
    if (known < this.#read.size || !pods.every(isLonger)) {
      this.#rows = [];
      this.#read = new Map();
    }
    const added = pods
      .flatMap((pod) => {
        const { uid, events } = pod;
        const { count } = this.#read.get(uid) ?? nothing;
        if (events.length > count || count === 0) this.#read.set(uid, { count: events.length, last: events.at(-1) });
        return events.slice(count).map((event): EventRow => ({ ...event, pod }));
      })
      .toSorted(bySeq);
    const isAfter = (added[0]?.seq ?? 0) > (this.#rows.at(-1)?.seq ?? -1);
    if (isAfter) for (const row of added) this.#rows.push(row);
    else if (added.length > 0) this.#rows = [...this.#rows, ...added].toSorted(bySeq);
    return this.#rows;
  }
}

const bySeq = (a: EventRow, b: EventRow): number => a.seq - b.seq;
