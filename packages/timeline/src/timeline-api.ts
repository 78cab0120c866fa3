/** What a page sees of the timeline. */
import type { TimeZoneName } from './base/format.ts';
import type { Theme } from './draw/theme.ts';
import type { Item, Lane, Marker, TimelineModel } from './model.ts';
import type { Viewport } from './scale/viewport.ts';
import type { FollowMode } from './view.ts';
import type { TimelineWords } from './words.ts';

/** How much moves: as the system says, or always or never. */
export type TimelineMotion = 'system' | 'full' | 'reduced';

export interface TimelineOptions {
  /** The node's clock: milliseconds since the Unix epoch. Asked while the model is live. */
  readonly now: () => number;
  /** What a screen reader calls it. */
  readonly label?: string;
  readonly zone?: TimeZoneName;
  /** What it says; English when left out. */
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
  /** How many things lie here too close to be told apart; 1 for one. */
  readonly count: number;
  readonly time: number;
  /** As a PointerEvent has them, for placing a tooltip. */
  readonly clientX: number;
  readonly clientY: number;
}

export interface TimelineEvents {
  /** Something was selected by the user, or the selection was cleared (undefined). */
  select: TimelineSelection | undefined;
  /** The pointer is over something; undefined once it no longer is. */
  hover: TimelineHover | undefined;
  /** Something was opened: double click or Enter. */
  activate: TimelineSelection;
  /** The user clicked where nothing is: the time there. */
  seek: number;
  viewport: Viewport;
  follow: FollowMode;
  /** Idle time is folded from now on, or no longer. */
  fold: boolean;
  /** A stretch was measured, or the measure was cleared. */
  range: Viewport | undefined;
}

/** Cost of drawing, for measurements. */
export interface TimelineStats {
  readonly frames: number;
  /** Milliseconds of script in the last frame. */
  readonly lastDraw: number;
}

export interface Timeline {
  setModel(model: TimelineModel): void;
  /**
   * Says that the model is another one now: `make` is asked for it before it is drawn. Where models follow each other quickly that is as often
   * as drawing them leaves time for others.
   */
  renewModel(make: () => TimelineModel): void;
  /** Takes colours and type from the CSS properties on the host, or from `theme`. */
  setTheme(theme?: Theme): void;
  /** Selects by id, without an event. `reveal` brings it into view. */
  setSelection(id: string | undefined, options?: { readonly reveal?: boolean }): void;
  /** Draws an outline around a lane, now or once it is there, and brings it into view. */
  pointAt(laneId: string | undefined): void;
  /** The instant that the page shows; undefined is now. */
  setCursor(time: number | undefined): void;
  setZone(zone: TimeZoneName): void;
  /** Whether places glide into view or are there at once; at first as the system wants it. */
  setMotion(motion: TimelineMotion): void;
  /** Takes up following the current time, or lets go of it. Without effect on a model that is not live. */
  follow(on: boolean): void;
  /** Shows all, or the item with that id, or a stretch. */
  fit(what?: string | Viewport): void;
  /** Above 1 comes closer; around the time `at`, else the middle. */
  zoomBy(factor: number, at?: number): void;
  /** By a share of the width in view: 0.25 is a quarter to later times. */
  panBy(share: number): void;
  setViewport(viewport: Viewport): void;
  readonly viewport: Viewport;
  readonly following: FollowMode;
  /** Draws stretches in which nothing happens short, or all of the time. A click on a folded stretch shows it. */
  setFolding(on: boolean): void;
  readonly folding: boolean;
  /** Selects and shows the next item or marker in which `text` is found, from the selection on and around; false when there is none. */
  find(text: string, by?: 1 | -1): boolean;
  readonly stats: TimelineStats;
  /** Calls `listener` with each event of that type; the returned function ends that. */
  on<Type extends keyof TimelineEvents>(type: Type, listener: (value: TimelineEvents[Type]) => void): () => void;
  /** Runs the timeline's action for a key, wherever the focus is; false when it has none. */
  handleKey(event: KeyboardEvent): boolean;
  focus(): void;
  dispose(): void;
}
