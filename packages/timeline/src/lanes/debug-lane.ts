/** Builds the lane of stops at breakpoints, with their duration, and of faults and edits. */

import type { PodTrack } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';

/** Returns the lane; undefined for a pod without stops, faults and edits. */
export function debugLane(pod: PodTrack, group: string | undefined, words: TimelineWords): Lane | undefined {
  if (pod.stops.length === 0 && pod.interventions.length === 0) return undefined;
  const stops = pod.stops.map(
    ({ seq, start, end, point, reason, phase }): Marker => ({
      id: itemId({ kind: 'stop', seq }),
      time: start,
      until: end ?? Number.POSITIVE_INFINITY,
      kind: 'stop',
      label: words.stopped(reason),
      detail: words.stopPlace(phase, words.step(point, point)),
    }),
  );
  const interventions = pod.interventions.map(
    ({ seq, time, action, text, span }): Marker => ({
      id: span === undefined ? `intervention:${seq}` : `span:${span}`,
      time,
      kind: 'fault',
      label: action,
      detail: text,
      span,
    }),
  );
  return {
    id: `${pod.uid}/debug`,
    kind: 'debug',
    label: words.lanes.debug,
    note: undefined,
    group,
    rows: 1,
    items: [],
    markers: [...stops, ...interventions].toSorted((a, b) => a.time - b.time),
    settled: 0,
  };
}
