/** Puts two runs on one time axis: both at the same time since their starts, with lanes below each other. */
import type { Lane, LaneKind, TimelineModel } from '@podscope/timeline';
import type { PodTrack, RunFold, SyncRecord } from '@podscope/trace';

/** Returns the sync of the other pod that corresponds to `sync`: the one with the same place among those that acted. */
export function correspondingSync(pod: PodTrack, sync: SyncRecord, other: PodTrack): SyncRecord | undefined {
  const place = pod.syncs.filter(({ acted, number }) => acted && number < sync.number).length;
  const acting = other.syncs.filter(({ acted }) => acted);
  return acting[place] ?? acting.at(-1) ?? other.syncs.at(-1);
}

/** Returns the newest pod of that name, as `namespace/name`. */
export const podNamed = (fold: RunFold, name: string): PodTrack | undefined =>
  fold.pods().findLast((pod) => `${pod.namespace}/${pod.name}` === name);

/** Ids of the second run have this prefix: both runs count from 1. */
export const otherPrefix = 'other/';

/** The lanes that two runs are compared by. */
const comparedKinds: ReadonlySet<LaneKind> = new Set([
  'worker',
  'sandbox',
  'init',
  'sidecar',
  'container',
  'ephemeral',
]);

/** Returns lanes under the name of their run, moved by `by` milliseconds. Open items end with the run. */
const lanesOf = ({ lanes, end }: TimelineModel, group: string, by: number, prefix: string): readonly Lane[] =>
  lanes
    .filter(({ kind }) => comparedKinds.has(kind))
    .map((lane) => ({
      ...lane,
      id: `${prefix}${lane.id}`,
      group,
      settled: 0,
      items: lane.items.map((item) => ({
        ...item,
        id: `${prefix}${item.id}`,
        start: item.start + by,
        end: (item.end ?? Math.max(item.start, end)) + by,
        countdownTo: item.countdownTo === undefined ? undefined : item.countdownTo + by,
      })),
      markers: lane.markers.map((marker) => ({
        ...marker,
        id: `${prefix}${marker.id}`,
        time: marker.time + by,
        from: marker.from === undefined ? undefined : marker.from + by,
        until: marker.until === undefined ? undefined : marker.until + by,
      })),
    }));

/** One run on the axis. */
export interface RunOnAxis {
  readonly name: string;
  readonly model: TimelineModel;
  /** Start of the run, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

/** Returns one model with the lanes of both runs, at the times of the first. */
export function bothOnAxis(first: RunOnAxis, second: RunOnAxis): TimelineModel {
  const by = first.startedAt - second.startedAt;
  return {
    lanes: [...lanesOf(first.model, first.name, 0, ''), ...lanesOf(second.model, second.name, by, otherPrefix)],
    origin: first.startedAt,
    end: Math.max(first.model.end, second.model.end + by),
    live: false,
  };
}
