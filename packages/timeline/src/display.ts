/**
 * Stores the displayed model with its layout, summaries, view and scroll position. Other modules handle input and
 * frames.
 */
import { readTheme, type Theme } from './draw/theme.ts';
import { type Hit, hitTest } from './items/hit-test.ts';
import { emptyModel, endOf, type Lane, type TimelineModel } from './model.ts';
import { Painter } from './painter.ts';
import { type Fold, noFolds, TimeFolds } from './scale/folds.ts';
import { type TimeScale } from './scale/time-scale.ts';
import { lengthOf } from './scale/viewport.ts';
import { IdleFinder } from './summaries/idle.ts';
import { LaneIndex } from './summaries/lane-index.ts';
import { type Layout, laneAt, layOut } from './view/layout.ts';
import { type Place, startOf } from './view/navigation.ts';
import { View } from './view/view.ts';
import type { TimelineWords } from './words/words.ts';

/** How far from the edge a revealed item is, as a share of the visible range. */
const revealMargin = 0.08;

export class Display {
  readonly view = new View();
  readonly painter: Painter;
  readonly #root: HTMLElement;
  readonly #clock: () => number;
  #theme: Theme;
  #size = { width: 0, height: 0 };
  model: TimelineModel = emptyModel;
  /** Increments with each model. */
  version = 0;
  indexes: ReadonlyMap<string, LaneIndex> = new Map();
  layout: Layout = { boxes: [], height: 0 };
  scrollTop = 0;
  /** True if idle time is folded. */
  isFolding = false;
  readonly #idle = new IdleFinder();
  /** The starts of the idle ranges that the user has unfolded. */
  readonly #opened = new Set<number>();

  constructor(root: HTMLElement, clock: () => number, words: TimelineWords) {
    this.#root = root;
    this.#clock = clock;
    this.#theme = readTheme(root);
    this.painter = new Painter(root, this.#theme, words);
  }

  /** Returns the time at which open items end: the current time or, if the model isn't live, the end of the model. */
  now(): number {
    return this.model.live ? this.#clock() : this.model.end;
  }

  get isVisible(): boolean {
    return this.#size.width > 0 && this.#size.height > 0;
  }

  setModel(model: TimelineModel): void {
    const indexes = new Map<string, LaneIndex>();
    for (const lane of model.lanes) {
      const index = this.indexes.get(lane.id);
      index?.update(lane);
      indexes.set(lane.id, index ?? new LaneIndex(lane));
    }
    this.indexes = indexes;
    this.model = model;
    this.version++;
    this.layout = layOut(model.lanes, this.#theme.scale);
    this.view.setModel(model, this.now());
    this.#fold();
    this.scrollBy(0);
  }

  /** Folds or unfolds all idle time, including ranges that the user unfolded. */
  setFolding(on: boolean): void {
    this.isFolding = on;
    this.#opened.clear();
    this.#fold();
  }

  /** Shows a folded range at its full length. */
  unfold(start: number): void {
    this.#opened.add(start);
    this.#fold();
  }

  /** Returns the folded range at `x` pixels from the left edge of the lanes. */
  foldAt(x: number): Fold | undefined {
    const scale = this.scale();
    return scale.folds.within({ start: scale.time(x - 2), end: scale.time(x + 2) })[0];
  }

  #fold(): void {
    const now = this.now();
    const folds = this.isFolding ? this.#idle.find(this.model.lanes, this.model.origin, now, this.#opened) : [];
    const known = this.view.folds.folds;
    const isSame =
      folds.length === known.length &&
      folds.every(
        ({ start, end, shown }, at) =>
          known[at]?.start === start && known[at]?.end === end && known[at]?.shown === shown,
      );
    if (!isSame) this.view.setFolds(folds.length > 0 ? new TimeFolds(folds) : noFolds, now);
  }

  setTheme(theme: Theme = readTheme(this.#root)): void {
    this.#theme = theme;
    this.painter.setTheme(theme);
    this.layout = layOut(this.model.lanes, theme.scale);
    this.fit();
  }

  /** Reads the size of the root. This forces a layout, so it is called only after a resize. */
  readSize(): void {
    this.#size = { width: this.#root.clientWidth, height: this.#root.clientHeight };
    this.fit();
  }

  /** Fits the canvases to the root and the screen. Returns true if a change of size cleared the canvases. */
  fit(): boolean {
    const isOther = this.painter.resize(this.#size.width, this.#size.height, devicePixelRatio);
    this.view.width = this.painter.plot.width;
    if (isOther) this.scrollBy(0);
    return isOther;
  }

  scale(): TimeScale {
    return this.painter.scale(this.view.viewport, this.view.folds);
  }

  /** Scrolls the lanes within their bounds. Returns true if they moved. */
  scrollBy(dy: number): boolean {
    const most = Math.max(0, this.layout.height - this.painter.plot.height);
    const before = this.scrollTop;
    this.scrollTop = Math.min(most, Math.max(0, before + dy));
    return this.scrollTop !== before;
  }

  /** Returns what is at a position: `x` from the left edge of the lanes, `y` from the top of the axis. */
  hitAt(x: number, y: number): Hit | undefined {
    const { axis } = this.painter;
    return x < 0 || y < axis
      ? undefined
      : hitTest(this.layout, this.indexes, this.scale(), x, y - axis + this.scrollTop, this.now());
  }

  /** Returns the lane at `y` pixels from the top of the axis. */
  laneAt(y: number): Lane | undefined {
    const { axis } = this.painter;
    return y < axis ? undefined : laneAt(this.layout, y - axis + this.scrollTop)?.lane;
  }

  /** Brings a place into view with as little motion as possible. */
  reveal(place: Place): void {
    const now = this.now();
    const { goal, folds } = this.view;
    const { start, end } = goal;
    const length = lengthOf(goal);
    const from = folds.shown(startOf(place));
    const to = place.item ? folds.shown(endOf(place.item, now)) : from;
    if (to < start + length * revealMargin || from > end - length * revealMargin) {
      this.view.pan((from + Math.min(to, from + length / 2)) / 2 - (start + end) / 2, now, true);
    }
    this.revealLane(place.lane.id);
  }

  /** Scrolls until the lane is visible. */
  revealLane(id: string): void {
    const box = this.layout.boxes.find(({ lane }) => lane.id === id);
    if (!box) return;
    const below = box.y + box.height - this.painter.plot.height - this.scrollTop;
    if (box.y < this.scrollTop) this.scrollBy(box.y - this.scrollTop);
    else if (below > 0) this.scrollBy(below);
  }
}
