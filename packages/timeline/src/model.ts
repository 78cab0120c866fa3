/**
 * Defines the model of a timeline: lanes, with items that have a duration and markers that don't. It doesn't depend on
 * pods.
 */
import type { FactSource } from '@podscope/trace';

/** The appearance of an item: each state has its own colour and shape. */
export type ItemState =
  | 'pending'
  | 'pulling'
  | 'creating'
  | 'running'
  | 'stopping'
  | 'succeeded'
  | 'error'
  | 'backoff'
  | 'waiting'
  | 'worker'
  | 'sync'
  | 'step'
  | 'call'
  | 'hook'
  | 'paused'
  | 'probe';

/** A period. Items in one row of a lane don't overlap. */
export interface Item extends FactSource {
  /** Unique in the model. */
  readonly id: string;
  /** In milliseconds since the Unix epoch, like all times in the model. */
  readonly start: number;
  /** The end; undefined for an open item, which grows with the current time. */
  readonly end: number | undefined;
  /** Index of the row in the lane; 0 is the topmost row. */
  readonly row: number;
  readonly state: ItemState;
  /** Drawn on the bar, and cut if it doesn't fit. */
  readonly label: string;
  /** Drawn after the label if it fits. The tooltip shows all of it. */
  readonly detail?: string | undefined;
  /** Progress of a pull, 0 to 1. */
  readonly progress?: number | undefined;
  /** True for a failed item, which is marked at every zoom. */
  readonly failed?: boolean | undefined;
  /** The error message. */
  readonly error?: string | undefined;
  /** The time until which the item shows a countdown. */
  readonly countdownTo?: number | undefined;
  /** The log's span that the item shows. */
  readonly span?: number | undefined;
  /** The back-off curve and the step that this wait has reached. */
  readonly curve?: BackOffCurve | undefined;
  /** True if a fault or a user at a stop changed it. */
  readonly injected?: boolean | undefined;
}

/** Delays that double from `initial` up to `cap`, in seconds. */
export interface BackOffCurve {
  readonly seconds: number;
  readonly initial: number;
  readonly cap: number;
  /** The number of seconds without a failure after which the delay returns to `initial`. */
  readonly resetAfter: number;
}

/** Returns the delays of a curve, from the first to the cap. */
export function curveSteps({ initial, cap }: BackOffCurve): readonly number[] {
  const steps: number[] = [];
  for (let seconds = initial; seconds < cap; seconds *= 2) steps.push(seconds);
  return [...steps, cap];
}

/** Something that happens at an instant. */
export interface Marker extends FactSource {
  readonly id: string;
  readonly time: number;
  readonly kind:
    | 'event'
    | 'warning'
    | 'exit'
    | 'failure'
    | 'stop'
    | 'fault'
    | 'probeSuccess'
    | 'probeWarning'
    | 'probeFailure'
    | 'probeError'
    | 'probeMissed';
  /** The row of the lane; 0 by default. */
  readonly row?: number | undefined;
  /** The start of an activity that ends at the marker. A line leads from this start to the marker. */
  readonly from?: number | undefined;
  /**
   * The end of an activity that starts at the marker; infinity if the activity hasn't ended. A line leads from the
   * marker to this end.
   */
  readonly until?: number | undefined;
  /** A few characters beside the marker, such as an exit code. */
  readonly badge?: string | undefined;
  readonly label: string;
  readonly detail?: string | undefined;
  /** The log's span that the marker shows. */
  readonly span?: number | undefined;
}

/**
 * Returns true for a failure or a warning. The marker is then shown at every zoom, even if many markers are at its
 * position.
 */
export const isTrouble = ({ kind }: Marker): boolean =>
  kind === 'warning' ||
  kind === 'failure' ||
  kind === 'probeFailure' ||
  kind === 'probeError' ||
  kind === 'probeMissed';

export type LaneKind =
  | 'phase'
  | 'worker'
  | 'sandbox'
  | 'init'
  | 'sidecar'
  | 'container'
  | 'ephemeral'
  | 'probes'
  /** Several healthy containers, each in a thin row. */
  | 'collapsed'
  /** A whole pod: its phase, and each container in a thin row. */
  | 'overview'
  /** Work of the node that belongs to no pod, each thread in a thin row. */
  | 'node'
  /** The work of one thread of the node. */
  | 'nodeThread'
  | 'pulls'
  | 'debug'
  | 'events';

/** Returns true for lanes that show other lanes as thin rows. */
export const isThinLane = ({ kind }: Pick<Lane, 'kind'>): boolean => kind === 'collapsed' || kind === 'node';

/** Returns true for lanes that a click on their name expands or collapses. */
export const isFoldableLane = (lane: Pick<Lane, 'kind'>): boolean => isThinLane(lane) || lane.kind === 'nodeThread';

export interface Lane {
  /** Unique in the model. */
  readonly id: string;
  readonly kind: LaneKind;
  readonly label: string;
  /** Drawn in a smaller font beside or below the label. */
  readonly note?: string | undefined;
  /** Consecutive lanes of a group are drawn under its name; without a group, no name is drawn. */
  readonly group?: string | undefined;
  /** Number of rows that the items use, at least 1. */
  readonly rows: number;
  /** Names of the rows, drawn at the right edge of the gutter. */
  readonly rowLabels?: readonly string[] | undefined;
  /** True for thin rows, used for nested calls. */
  readonly compact?: boolean | undefined;
  /** Sorted by start, then row. */
  readonly items: readonly Item[];
  /** Sorted by time. */
  readonly markers: readonly Marker[];
  /**
   * How many items at the beginning never change while {@link items} is the same array. Values that were computed from
   * them are kept for the next model.
   */
  readonly settled: number;
}

/** A snapshot of the timeline. An unchanged lane is the same object in the next model. */
export interface TimelineModel {
  readonly lanes: readonly Lane[];
  /** The zero of relative times and the start of the whole range. */
  readonly origin: number;
  /** The end of the recorded time. While `live`, the current time is the end. */
  readonly end: number;
  /** True if time is running: open items grow, and the view can follow. */
  readonly live: boolean;
}

export const emptyModel: TimelineModel = { lanes: [], origin: 0, end: 0, live: false };

/** Returns the end of an item, or the current time if it is open. */
export const endOf = (item: Pick<Item, 'start' | 'end'>, now: number): number => item.end ?? Math.max(item.start, now);

/** Returns true for lanes whose content is markers. In other lanes, markers are drawn on bars. */
export const hasOwnMarkers = ({ kind }: Pick<Lane, 'kind'>): boolean =>
  kind === 'events' || kind === 'probes' || kind === 'debug';
