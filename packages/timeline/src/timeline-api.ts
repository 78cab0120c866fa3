/** Defines the public API of the timeline. */
import type { TimeZoneName } from './base/format.ts';
import type { Theme } from './draw/theme.ts';
import type { Item, Lane, Marker, TimelineModel } from './model.ts';
import type { Viewport } from './scale/viewport.ts';
import type { FollowMode } from './view/view.ts';
import type { TimelineWords } from './words/words.ts';

/** Whether motion is animated: as the system is set, always or never. */
export type TimelineMotion = 'system' | 'full' | 'reduced';

export interface TimelineOptions {
  /** Returns the node's time in milliseconds since the Unix epoch. Called while the model is live. */
  readonly now: () => number;
  /** The accessible name. */
  readonly label?: string;
  readonly zone?: TimeZoneName;
  /** The texts; English by default. */
  readonly words?: TimelineWords;
}

export interface TimelineSelection {
  readonly id: string;
  readonly lane: Lane;
  readonly item?: Item | undefined;
  readonly marker?: Marker | undefined;
}

export interface TimelineHover {
  readonly lane: Lane;
  readonly item?: Item | undefined;
  readonly marker?: Marker | undefined;
  /** How many items are at this position, if they are too close to distinguish; 1 for a single one. */
  readonly count: number;
  readonly time: number;
  /** Pointer position in the window, as in a PointerEvent: for placing a tooltip. */
  readonly clientX: number;
  readonly clientY: number;
}

export interface TimelineEvents {
  /** The user selected something, or cleared the selection (undefined). */
  select: TimelineSelection | undefined;
  /** The pointer entered something; undefined once it left. */
  hover: TimelineHover | undefined;
  /** The user clicked the name of a lane. */
  lane: Lane;
  /** The user opened something by double click or Enter. */
  activate: TimelineSelection;
  /** The user clicked an empty place; the value is the time there. */
  seek: number;
  viewport: Viewport;
  follow: FollowMode;
  /** Folding of idle time was turned on or off. */
  fold: boolean;
  /** The user measured a range, or cleared it. */
  range: Viewport | undefined;
}

/** The cost of drawing, for measurements. */
export interface TimelineStats {
  readonly frames: number;
  /** Script time of the last frame, in milliseconds. */
  readonly lastDraw: number;
}

export interface Timeline {
  setModel(model: TimelineModel): void;
  /**
   * Schedules a new model. `make` is called right before the model is drawn. If calls are frequent, models are drawn
   * less often, so that drawing doesn't block the page.
   */
  renewModel(make: () => TimelineModel): void;
  /** Reads colours and fonts from the CSS properties of the host, or takes them from `theme`. */
  setTheme(theme?: Theme): void;
  /** Selects by id without emitting an event. `reveal` brings the item into view. */
  setSelection(id: string | undefined, options?: { readonly reveal?: boolean }): void;
  /** Outlines a lane and brings it into view. If the lane doesn't exist yet, this happens once it does. */
  pointAt(laneId: string | undefined): void;
  /** Sets the time that the page shows; undefined is the current time. */
  setCursor(time: number | undefined): void;
  setZone(zone: TimeZoneName): void;
  /** Sets whether motion is animated. The default follows the system. */
  setMotion(motion: TimelineMotion): void;
  /** Starts or stops following the current time. Has no effect if the model isn't live. */
  follow(on: boolean): void;
  /** Shows the whole range, the item with that id, or a range. */
  fit(what?: string | Viewport): void;
  /** Zooms in if `factor` is above 1, around the time `at`; by default, around the middle. */
  zoomBy(factor: number, at?: number): void;
  /** Pans by a share of the visible range: 0.25 moves a quarter to the right. */
  panBy(share: number): void;
  setViewport(viewport: Viewport): void;
  readonly viewport: Viewport;
  readonly following: FollowMode;
  /** Turns folding of idle time on or off. A click on a folded range unfolds it. */
  setFolding(on: boolean): void;
  readonly folding: boolean;
  /**
   * Selects and reveals the next item or marker whose text contains `text`. The search continues at the other end of
   * the run. Returns false without a match.
   */
  find(text: string, by?: 1 | -1): boolean;
  readonly stats: TimelineStats;
  /** Calls `listener` with each event of that type. Returns a function that unsubscribes it. */
  on<Type extends keyof TimelineEvents>(type: Type, listener: (value: TimelineEvents[Type]) => void): () => void;
  /** Runs the timeline's action for a key, regardless of the focus. Returns false if the key has no action. */
  handleKey(event: KeyboardEvent): boolean;
  focus(): void;
  dispose(): void;
}
