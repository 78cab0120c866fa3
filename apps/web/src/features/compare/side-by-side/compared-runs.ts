/**
 * Shows two runs on one time axis. Times count from the start of each run, and the lanes of one run are below those of
 * the other.
 */
import type { Lane, LaneKind, TimelineModel } from '@podscope/timeline';
import type { PodTrack, RunFold, SyncRecord } from '@podscope/trace';
import { manifestName } from '@podscope/trace/compare';
import { latestActing } from '../../../node/syncs/sync-in-view.ts';

/**
 * Returns the sync of the other pod at the instant of `sync`. If `sync` is the latest that did something, so is the
 * result. Otherwise, it is the one that began at the nearest time after the first event of its pod.
 */
export function correspondingSync(pod: PodTrack, sync: SyncRecord, other: PodTrack): SyncRecord | undefined {
  const latest = latestActing(other);
  if (sync === latestActing(pod)) return latest;
  const distance = ({ start }: SyncRecord): number => Math.abs(start - other.firstTime - (sync.start - pod.firstTime));
  return other.syncs
    .filter(({ acted }) => acted)
    .reduce((nearest, each) => (nearest && distance(nearest) <= distance(each) ? nearest : each), latest);
}

/** A pod of the current run, as far as it identifies the same pod of another run. */
export type ComparedPod = Pick<PodTrack, 'namespace' | 'name' | 'object'>;

/**
 * Returns the newest pod of a run that corresponds to `pod` of another run: with the same name, otherwise with the same
 * name in its manifest.
 */
export function counterpartOf(pod: ComparedPod, fold: RunFold): PodTrack | undefined {
  const candidates = fold.pods().filter(({ namespace }) => namespace === pod.namespace);
  const manifest = manifestName(pod.object) ?? pod.name;
  return (
    candidates.findLast(({ name }) => name === pod.name) ??
    candidates.findLast(({ name, object }) => (manifestName(object) ?? name) === manifest)
  );
}

/** Prefix for the ids of the second run. It is necessary because the ids of both runs count from 1. */
export const otherPrefix = 'other/';

/** The kinds of lanes in which two runs are compared. */
const comparedKinds: ReadonlySet<LaneKind> = new Set([
  'worker',
  'sandbox',
  'init',
  'sidecar',
  'container',
  'ephemeral',
]);

/** Number of rows of a pod worker's lane. The trees show deeper spans, so that the lanes of both runs fit into view. */
const workerRows = 2;

/** Returns the time until which the run is known: that of its last event, or the present of a live run. */
const endOf = ({ model: { end, live }, present = end }: RunOnAxis): number => (live ? Math.max(end, present) : end);

/**
 * Returns the lanes of a run, grouped under its name and shifted by `by` milliseconds. Items that are still open end
 * with the run.
 */
const lanesOf = (run: RunOnAxis, by: number, prefix: string): readonly Lane[] =>
  run.model.lanes
    .filter(({ kind }) => comparedKinds.has(kind))
    .map((lane) => ({
      ...lane,
      id: `${prefix}${lane.id}`,
      group: run.name,
      settled: 0,
      rows: lane.kind === 'worker' ? Math.min(lane.rows, workerRows) : lane.rows,
      items: (lane.kind === 'worker' ? lane.items.filter(({ row }) => row < workerRows) : lane.items).map((item) => ({
        ...item,
        id: `${prefix}${item.id}`,
        start: item.start + by,
        end: (item.end ?? Math.max(item.start, endOf(run))) + by,
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

/** A run to show on the common axis. */
export interface RunOnAxis {
  readonly name: string;
  readonly model: TimelineModel;
  /** Start of the run, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** The node's time, in milliseconds since the Unix epoch. A live run lasts up to it, also without events. */
  readonly present?: number;
}

/** Returns one model with the lanes of both runs, on the time axis of the first run. */
export function bothOnAxis(first: RunOnAxis, second: RunOnAxis): TimelineModel {
  const by = first.startedAt - second.startedAt;
  return {
    lanes: [...lanesOf(first, 0, ''), ...lanesOf(second, by, otherPrefix)],
    origin: first.startedAt,
    end: Math.max(endOf(first), endOf(second) + by),
    live: false,
  };
}
