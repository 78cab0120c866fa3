/** Builds the lanes about a pod as a whole: its phases and its Kubernetes events. */

import { interventionsQuoted, type PodTrack, sourceOf } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Item, ItemState, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';

const phaseStates: Readonly<Record<string, ItemState>> = {
  Pending: 'pending',
  Running: 'running',
  Succeeded: 'succeeded',
  Failed: 'error',
  Unknown: 'waiting',
};

const isTerminal = (phase: string): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Returns the lane of phases, one after another. The last phase ends when the pod is deleted. */
export function phaseLane(pod: PodTrack, group: string | undefined, words: TimelineWords): Lane {
  const items: Item[] = [];
  for (const [at, { time, phase, reason }] of pod.phases.entries()) {
    const start = at === 0 ? Math.min(pod.firstTime, time) : time;
    const next = pod.phases[at + 1]?.time ?? pod.deletedAt;
    const terminating = isTerminal(phase) ? undefined : pod.deletionRequestedAt;
    const isCut = terminating !== undefined && terminating < (next ?? Number.POSITIVE_INFINITY);
    const item: Item = {
      id: `phase:${pod.uid}:${time}`,
      start,
      end: isCut ? Math.max(start, terminating) : next,
      row: 0,
      state: phaseStates[phase] ?? 'waiting',
      label: phase,
      detail: reason,
    };
    if (!isCut || terminating > start) items.push(item);
    if (isCut)
      items.push({
        ...item,
        id: `${item.id}:terminating`,
        start: Math.max(start, terminating),
        end: next,
        state: 'stopping',
        label: words.container.terminating,
      });
  }
  return {
    id: `${pod.uid}/phase`,
    kind: 'phase',
    label: words.lanes.pod,
    note: pod.namespace || undefined,
    group,
    rows: 1,
    items,
    markers: [],
    settled: 0,
  };
}

/** Builds the lane of Kubernetes events as markers. New events are only added at the end. */
export class EventsLane {
  readonly #markers: Marker[] = [];
  #warnings = 0;

  lane(pod: PodTrack, group: string | undefined, words: TimelineWords): Lane {
    for (let at = this.#markers.length; at < pod.events.length; at++) {
      const event = pod.events[at];
      if (!event) break;
      if (event.type === 'Warning') this.#warnings++;
      this.#markers.push({
        id: itemId({ kind: 'event', seq: event.seq }),
        time: event.time,
        kind: event.type === 'Warning' ? 'warning' : 'event',
        label: event.container ? `${event.reason} · ${event.container}` : event.reason,
        detail:
          interventionsQuoted(pod, event.message).length > 0 ? `${event.message} (${words.injected})` : event.message,
        ...sourceOf(event),
      });
    }
    return {
      id: `${pod.uid}/events`,
      kind: 'events',
      label: words.lanes.events,
      note: this.#warnings > 0 ? words.lanes.warnings(this.#warnings) : undefined,
      group,
      rows: 1,
      items: [],
      markers: this.#markers,
      settled: 0,
    };
  }
}
