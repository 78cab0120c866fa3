/** What is shown and where: the model laid out and summed up, the view over it, how far it is scrolled. Knows neither pointer nor frames. */
import { readTheme, type Theme } from './draw/theme.ts';
import { type Hit, hitTest } from './hit-test.ts';
import { type Layout, layOut } from './layout.ts';
import { emptyModel, endOf, type TimelineModel } from './model.ts';
import { type Place, startOf } from './navigation.ts';
import { Painter } from './painter.ts';
import { type Fold, noFolds, TimeFolds } from './scale/folds.ts';
import { lengthOf, type TimeScale } from './scale/viewport.ts';
import { IdleFinder } from './summaries/idle.ts';
import { LaneIndex } from './summaries/lane-index.ts';
import { View } from './view.ts';
import type { TimelineWords } from './words.ts';

/** Air that a revealed item keeps to the edge, as a share of the length in view. */
const revealMargin = 0.08;

export class Stage {
  readonly view = new View();
  readonly painter: Painter;
  readonly #root: HTMLElement;
  readonly #clock: () => number;
  #theme: Theme;
  #size = { width: 0, height: 0 };
  model: TimelineModel = emptyModel;
  /** Counts the models. */
  version = 0;
  indexes: ReadonlyMap<string, LaneIndex> = new Map();
  layout: Layout = { boxes: [], height: 0 };
  scrollTop = 0;
  /** Idle time is drawn short. */
  isFolding = false;
  readonly #idle = new IdleFinder();
  /** Starts of idle stretches that were opened by hand. */
  readonly #opened = new Set<number>();

  constructor(root: HTMLElement, clock: () => number, words: TimelineWords) {
    this.#root = root;
    this.#clock = clock;
    this.#theme = readTheme(root);
    this.painter = new Painter(root, this.#theme, words);
  }

  /** Where open items end: the current time, or the end of what is no longer live. */
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

  /** Folds idle time, or shows all of it; what was opened by hand is folded again. */
  setFolding(on: boolean): void {
    this.isFolding = on;
    this.#opened.clear();
    this.#fold();
  }

  /** Shows a folded stretch in full. */
  unfold(start: number): void {
    this.#opened.add(start);
    this.#fold();
  }

  /** The folded stretch at a place, from the left edge of the lanes. */
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
      folds.every(({ start, end, shown }, at) => known[at]?.start === start && known[at]?.end === end && known[at]?.shown === shown);
    if (!isSame) this.view.setFolds(folds.length > 0 ? new TimeFolds(folds) : noFolds, now);
  }

  setTheme(theme: Theme = readTheme(this.#root)): void {
    this.#theme = theme;
    this.painter.setTheme(theme);
    this.layout = layOut(this.model.lanes, theme.scale);
    this.fit();
  }

  /** Asks the page how large the root is, which is slow: only after it has changed. */
  readSize(): void {
    this.#size = { width: this.#root.clientWidth, height: this.#root.clientHeight };
    this.fit();
  }

  /** Fits the canvases to the root and the screen; true when that emptied them. */
  fit(): boolean {
    const isOther = this.painter.resize(this.#size.width, this.#size.height, devicePixelRatio);
    this.view.width = this.painter.plot.width;
    if (isOther) this.scrollBy(0);
    return isOther;
  }

  scale(): TimeScale {
    return this.painter.scale(this.view.viewport, this.view.folds);
  }

  /** Scrolls the lanes, as far as there are any; true when that moved them. */
  scrollBy(dy: number): boolean {
    const most = Math.max(0, this.layout.height - this.painter.plot.height);
    const before = this.scrollTop;
    this.scrollTop = Math.min(most, Math.max(0, before + dy));
    return this.scrollTop !== before;
  }

  /** What lies at a place: from the left edge of the lanes, from the top of the axis. */
  hitAt(x: number, y: number): Hit | undefined {
    const { axis } = this.painter;
    return x < 0 || y < axis ? undefined : hitTest(this.layout, this.indexes, this.scale(), x, y - axis + this.scrollTop, this.now());
  }

  /** Brings a place into view with as little motion as can be. */
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

  /** Scrolls as far as it takes to have a lane in sight. */
  revealLane(id: string): void {
    const box = this.layout.boxes.find(({ lane }) => lane.id === id);
    if (!box) return;
    const below = box.y + box.height - this.painter.plot.height - this.scrollTop;
    if (box.y < this.scrollTop) this.scrollBy(box.y - this.scrollTop);
    else if (below > 0) this.scrollBy(below);
  }
}
