/** What the engine draws: lanes with items that take time and markers that do not. It knows nothing of pods. */

/** How an item looks: each state has a colour and, beside it, a shape of its own. */
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

/** Something that takes time. Items of one row of a lane do not overlap. */
export interface Item {
  /** Unique in the model. */
  readonly id: string;
  /** Milliseconds since the Unix epoch, as all times here. */
  readonly start: number;
  /** Undefined while open: it grows with the current time. */
  readonly end: number | undefined;
  /** From 0, the lane's uppermost. */
  readonly row: number;
  readonly state: ItemState;
  /** Drawn on the bar, cut where it does not fit. */
  readonly label: string;
  /** Drawn after the label where there is room; the whole of it is in the tooltip. */
  readonly detail?: string | undefined;
  /** 0…1, for pulls. */
  readonly progress?: number | undefined;
  /** It ended badly: marked at every zoom. */
  readonly failed?: boolean | undefined;
  /** What went wrong, in words. */
  readonly error?: string | undefined;
  /** Shows the time left until then. */
  readonly countdownTo?: number | undefined;
  /** The span of the log behind it. */
  readonly span?: number | undefined;
  /** Which of a growing row of waits this one is. */
  readonly curve?: BackOffCurve | undefined;
  /** A fault, or a person at a stop, had a hand in it. */
  readonly injected?: boolean | undefined;
}

/** Waits that double from `initial` up to `cap`; all in seconds. */
export interface BackOffCurve {
  readonly seconds: number;
  readonly initial: number;
  readonly cap: number;
  /** Without a failure for so long it begins anew. */
  readonly resetAfter: number;
}

/** The waits of a curve, the first to the last. */
export function curveSteps({ initial, cap }: BackOffCurve): readonly number[] {
  const steps: number[] = [];
  for (let seconds = initial; seconds < cap; seconds *= 2) steps.push(seconds);
  return [...steps, cap];
}

/** Something that happens at an instant. */
export interface Marker {
  readonly id: string;
  readonly time: number;
  readonly kind: 'event' | 'warning' | 'exit' | 'failure' | 'stop' | 'fault' | 'probeSuccess' | 'probeWarning' | 'probeFailure' | 'probeError' | 'probeMissed';
  /** The row of the lane it stands in; 0 when left out. */
  readonly row?: number | undefined;
  /** Began before its time: a line leads to it. */
  readonly from?: number | undefined;
  /** Lasts beyond its time: a line leads away from it. Infinity while that goes on. */
  readonly until?: number | undefined;
  /** A few characters beside it, like an exit code. */
  readonly badge?: string | undefined;
  readonly label: string;
  readonly detail?: string | undefined;
  /** The span of the log behind it. */
  readonly span?: number | undefined;
}

/** Bad news: shown at every zoom, however many markers share its place. */
export const isTrouble = ({ kind }: Marker): boolean =>
  kind === 'warning' || kind === 'failure' || kind === 'probeFailure' || kind === 'probeError' || kind === 'probeMissed';

export type LaneKind = 'phase' | 'worker' | 'sandbox' | 'init' | 'sidecar' | 'container' | 'ephemeral' | 'probes' | 'pulls' | 'debug' | 'events';

export interface Lane {
  /** Unique in the model. */
  readonly id: string;
  readonly kind: LaneKind;
  readonly label: string;
  /** Drawn smaller beside or below the label. */
  readonly note?: string | undefined;
  /** Lanes of one group stand together below its name; undefined shows no name. */
  readonly group?: string | undefined;
  /** How many rows its items use, at least 1. */
  readonly rows: number;
  /** Names of rows, drawn at the right edge of the lane's name. */
  readonly rowLabels?: readonly string[] | undefined;
  /** Thin rows, for nested calls. */
  readonly compact?: boolean | undefined;
  /** By start, then row. */
  readonly items: readonly Item[];
  /** By time. */
  readonly markers: readonly Marker[];
  /** How many of the first items will never change: what was computed of them is kept from model to model. */
  readonly settled: number;
}

/** A lane that did not change is the same object in the next model. */
export interface TimelineModel {
  readonly lanes: readonly Lane[];
  /** Relative times count from here; also where fitting begins. */
  readonly origin: number;
  /** End of what is known. While `live`, the current time is. */
  readonly end: number;
  /** True while time goes on: open items grow, and the view can follow. */
  readonly live: boolean;
}

export const emptyModel: TimelineModel = { lanes: [], origin: 0, end: 0, live: false };

/** Where an item ends for a reader at `now`. */
export const endOf = (item: Pick<Item, 'start' | 'end'>, now: number): number => item.end ?? Math.max(item.start, now);

/** Markers of these lanes are what the lane is about; elsewhere they stand on bars. */
export const hasOwnMarkers = ({ kind }: Pick<Lane, 'kind'>): boolean => kind === 'events' || kind === 'probes' || kind === 'debug';
