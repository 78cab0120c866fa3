/**
 * Implements the timeline: selection, hover, measured range, events and the frame loop. Display stores the content and
 * the view.
 */

import { listEntries } from './accessibility/list-entries.ts';
import { ScreenReaderList } from './accessibility/screen-reader-list.ts';
import { Emitter } from './base/emitter.ts';
import type { TimeZoneName } from './base/format.ts';
import { createThrottle } from './base/throttle.ts';
import { Display } from './display.ts';
import type { Theme } from './draw/theme.ts';
import { createFrameLoop, type FrameLoop } from './frame-loop.ts';
import { keyActions } from './interaction/key-actions.ts';
import { handleKey, type TimelineActions } from './interaction/keys.ts';
import { listenToMinimap } from './interaction/minimap-drag.ts';
import { listenToPointer, type PointerTarget } from './interaction/pointer.ts';
import type { Hit } from './items/hit-test.ts';
import { endOf, isFoldableLane, type TimelineModel } from './model.ts';
import { lengthOf, type Viewport } from './scale/viewport.ts';
import type {
  Timeline,
  TimelineEvents,
  TimelineMotion,
  TimelineOptions,
  TimelineSelection,
  TimelineStats,
} from './timeline-api.ts';
import { findPlace, findText, idOf, type Place, renewPlace } from './view/navigation.ts';
import type { FollowMode } from './view/view.ts';
import { itemText, markerText } from './words/describe.ts';
import { englishWords, type TimelineWords } from './words/words.ts';

/** Minimum time between updates of the screen reader list, in milliseconds. */
const listPause = 400;

/**
 * The pause before the next model is drawn: `share` times as long as the drawing of the last model took, at most `most`
 * milliseconds.
 */
const rest = { share: 4, most: 150 };

/** With reduced motion, a live timeline grows in steps of this many milliseconds. */
const stillStep = 250;

/** Creates a timeline in `host`, which must be positioned and have its own size. */
export const createTimeline = (host: HTMLElement, options: TimelineOptions): Timeline =>
  new CanvasTimeline(host, options);

const highlight = (place: Place | undefined) =>
  place && { laneId: place.lane.id, item: place.item, marker: place.marker };

function selectionOf(place: Place | undefined): TimelineSelection | undefined {
  const id = place && idOf(place);
  return place && id !== undefined ? { id, lane: place.lane, item: place.item, marker: place.marker } : undefined;
}

class CanvasTimeline implements Timeline {
  readonly #root: HTMLElement;
  readonly #display: Display;
  readonly #loop: FrameLoop;
  readonly #events = new Emitter<TimelineEvents>();
  readonly #list: ScreenReaderList;
  readonly #actions: TimelineActions;
  readonly #words: TimelineWords;
  readonly #stop = new AbortController();
  readonly #stillness = matchMedia('(prefers-reduced-motion: reduce)');
  #motion: TimelineMotion = 'system';
  #zone: TimeZoneName;
  #selection: Place | undefined;
  #hover: Hit | undefined;
  #pointerX: number | undefined;
  #cursor: number | undefined;
  #pointedLane: string | undefined;
  #range: Viewport | undefined;
  #isFocused = false;
  #isMinimapActive = false;
  #isBaseDirty = true;
  #isOverlayDirty = true;
  #drawnNow = 0;
  /** When the lanes were last drawn, as `performance.now()`. */
  #drawnAt = Number.NEGATIVE_INFINITY;
  #announcedFollow: FollowMode = 'off';
  #frames = 0;
  #lastDraw = 0;
  readonly #listUpdate = createThrottle(() => this.#renewList(), listPause);
  /** Makes the next model to draw. */
  #make: (() => TimelineModel) | undefined;
  /** No model is drawn before this `performance.now()`. */
  #restsUntil = 0;

  constructor(host: HTMLElement, options: TimelineOptions) {
    this.#zone = options.zone ?? 'local';
    this.#root = document.createElement('div');
    this.#root.style.cssText = 'position:absolute;inset:0;overflow:hidden;contain:strict;';
    host.append(this.#root);
    this.#words = options.words ?? englishWords;
    this.#display = new Display(this.#root, options.now, this.#words);
    this.#loop = createFrameLoop((elapsed) => this.#frame(elapsed));
    const { overlay, base, minimap } = this.#display.painter;
    const label = options.label ?? 'Timeline';
    overlay.canvas.tabIndex = 0;
    overlay.canvas.setAttribute('role', 'application');
    overlay.canvas.setAttribute('aria-label', label);
    overlay.canvas.style.outline = 'none';
    overlay.canvas.style.touchAction = 'none';
    base.canvas.setAttribute('aria-hidden', 'true');
    minimap.canvas.setAttribute('aria-hidden', 'true');
    this.#list = new ScreenReaderList(this.#root, overlay.canvas, label, this.#words, (id) =>
      this.#select(findPlace(this.#display.model, id)),
    );
    this.#actions = this.#keyActions();
    this.#watchPage();
    this.#watchHands(overlay.canvas);
  }

  // The methods that the page calls.

  renewModel(make: () => TimelineModel): void {
    this.#make = make;
    this.#awaitModel();
  }

  setModel(model: TimelineModel): void {
    this.#make = undefined;
    if (model === this.#display.model) return;
    this.#display.setModel(model);
    if (this.#selection) this.#selection = renewPlace(model, this.#selection);
    if (this.#hover) this.#hover = { ...this.#hover, ...renewPlace(model, this.#hover) };
    this.#invalidate();
  }

  setTheme(theme?: Theme): void {
    this.#display.setTheme(theme);
    this.#invalidate();
  }

  setSelection(id: string | undefined, { reveal = false } = {}): void {
    // A call can be in two lanes. If the selected id hasn't changed, the selection stays in the lane in which the user
    // made it.
    const isSame = id !== undefined && this.#selection !== undefined && idOf(this.#selection) === id;
    this.#takeModel();
    if (!isSame) this.#selection = id === undefined ? undefined : findPlace(this.#display.model, id);
    if (reveal && this.#selection) this.#display.reveal(this.#selection);
    this.#invalidate();
  }

  pointAt(laneId: string | undefined): void {
    this.#pointedLane = laneId;
    if (laneId !== undefined) this.#display.revealLane(laneId);
    this.#invalidate();
  }

  setCursor(time: number | undefined): void {
    this.#cursor = time;
    this.#invalidateOverlay();
  }

  setZone(zone: TimeZoneName): void {
    this.#zone = zone;
    this.#invalidate();
  }

  follow(on: boolean): void {
    this.#display.view.setFollow(on, this.#display.now());
    this.#invalidate();
  }

  fit(what?: string | Viewport): void {
    this.#takeModel();
    const { view, model } = this.#display;
    const now = this.#display.now();
    const place = typeof what === 'string' ? findPlace(model, what) : undefined;
    if (what === undefined) view.fit(now);
    else if (typeof what !== 'string') view.show(what, now);
    else if (place?.item) view.show({ start: place.item.start, end: endOf(place.item, now) }, now);
    else if (place) this.#display.reveal(place);
    this.#invalidate();
  }

  zoomBy(factor: number, at?: number): void {
    this.#display.view.zoom(factor, at, this.#display.now());
    this.#invalidate();
  }

  panBy(share: number): void {
    this.#display.view.pan(lengthOf(this.#display.view.goal) * share, this.#display.now(), true);
    this.#invalidate();
  }

  setViewport(viewport: Viewport): void {
    this.#display.view.set(viewport, this.#display.now());
    this.#invalidate();
  }

  get viewport(): Viewport {
    return this.#display.view.viewport;
  }

  setMotion(motion: TimelineMotion): void {
    this.#motion = motion;
    this.#applyMotion();
  }

  get following(): FollowMode {
    return this.#display.view.follow;
  }

  setFolding(on: boolean): void {
    if (on === this.#display.isFolding) return;
    this.#display.setFolding(on);
    this.#events.emit('fold', on);
    this.#invalidate();
  }

  get folding(): boolean {
    return this.#display.isFolding;
  }

  find(text: string, by: 1 | -1 = 1): boolean {
    this.#takeModel();
    const found = findText(this.#display.model, text, this.#selection, by);
    if (!found) return false;
    this.#display.reveal(found);
    this.#select(found);
    return true;
  }

  get stats(): TimelineStats {
    return { frames: this.#frames, lastDraw: this.#lastDraw };
  }

  on<Type extends keyof TimelineEvents>(type: Type, listener: (value: TimelineEvents[Type]) => void): () => void {
    return this.#events.on(type, listener);
  }

  handleKey(event: KeyboardEvent): boolean {
    return handleKey(event, this.#actions);
  }

  focus(): void {
    this.#display.painter.overlay.canvas.focus();
  }

  dispose(): void {
    this.#stop.abort();
    this.#loop.dispose();
    this.#listUpdate.cancel();
    this.#events.clear();
    this.#root.remove();
  }

  #applyMotion(): void {
    this.#display.view.isStill = this.#motion === 'system' ? this.#stillness.matches : this.#motion === 'reduced';
  }

  #watchPage(): void {
    const { signal } = this.#stop;
    const resize = new ResizeObserver(() => {
      this.#display.readSize();
      this.#invalidate();
    });
    resize.observe(this.#root);
    signal.addEventListener('abort', () => resize.disconnect());
    this.#display.readSize();
    this.#applyMotion();
    this.#stillness.addEventListener('change', () => this.#applyMotion(), { signal });
    document.fonts.addEventListener(
      'loadingdone',
      () => {
        this.#display.painter.forgetText();
        this.#invalidate();
      },
      { signal },
    );
  }

  #watchHands(canvas: HTMLCanvasElement): void {
    const { signal } = this.#stop;
    const { painter, view } = this.#display;
    canvas.addEventListener('keydown', (event) => this.handleKey(event), { signal });
    const setFocused = (): void => {
      this.#isFocused = canvas.matches(':focus-visible');
      this.#invalidateOverlay();
    };
    canvas.addEventListener('focus', setFocused, { signal });
    canvas.addEventListener('blur', setFocused, { signal });
    listenToPointer(canvas, signal, () => ({ x: painter.gutter, y: painter.minimapHeight }), this.#pointerTarget());
    listenToMinimap(painter.minimap.canvas, signal, () => painter.gutter, {
      scale: () => painter.minimapScale(view.domain(this.#display.now()), view.folds),
      viewport: () => view.viewport,
      set: (viewport) => this.setViewport(viewport),
      fit: () => this.fit(),
      setActive: (isActive) => {
        this.#isMinimapActive = isActive;
        this.#invalidateOverlay();
      },
    });
  }

  #keyActions(): TimelineActions {
    return keyActions(this, this.#display, {
      selection: () => this.#selection,
      pointerTime: () => (this.#pointerX === undefined ? undefined : this.#display.scale().time(this.#pointerX)),
      select: (place) => {
        if (place) this.#display.reveal(place);
        this.#select(place);
      },
      activate: () => this.#activate(this.#selection),
      clear: () => {
        if (this.#range) this.#setRange(undefined);
        else if (this.#selection) this.#select(undefined);
      },
    });
  }

  #pointerTarget(): PointerTarget {
    const display = this.#display;
    return {
      axisHeight: () => display.painter.axis,
      hover: (x, y, event) => {
        this.#pointerX = x < 0 ? undefined : x;
        this.#setHover(display.hitAt(x, y), x, event);
        const lane = x < 0 ? display.laneAt(y) : undefined;
        if (lane && isFoldableLane(lane)) display.painter.overlay.canvas.style.cursor = 'pointer';
      },
      leave: () => {
        this.#pointerX = undefined;
        this.#setHover(undefined, 0);
      },
      click: (x, y) => {
        const hit = display.hitAt(x, y);
        if (this.#range) this.#setRange(undefined);
        const named = x < 0 ? display.laneAt(y) : undefined;
        if (named) this.#events.emit('lane', named);
        else if (hit?.item || hit?.marker) this.#select(hit);
        else if (x >= 0 && display.foldAt(x)) {
          display.unfold(display.foldAt(x)?.start ?? 0);
          this.#invalidate();
        } else if (x >= 0) {
          if (this.#selection) this.#select(undefined);
          this.#events.emit('seek', display.scale().time(x));
        }
      },
      doubleClick: (x, y) => {
        const hit = display.hitAt(x, y);
        if (hit?.item) this.fit({ start: hit.item.start, end: endOf(hit.item, display.now()) });
        this.#activate(hit);
      },
      drag: (dx, dy) => {
        if (dx !== 0) display.view.pan(-dx * display.scale().msPerPixel, display.now());
        display.scrollBy(-dy);
        this.#invalidate();
      },
      scroll: (dy) => {
        if (display.scrollBy(dy)) this.#invalidate();
      },
      zoom: (factor, x, isSmooth) => {
        display.view.zoom(factor, display.scale().time(Math.max(0, x)), display.now(), isSmooth);
        this.#invalidate();
      },
      pan: (dx) => {
        display.view.pan(dx * display.scale().msPerPixel, display.now());
        this.#invalidate();
      },
      measure: (from, to) => {
        const scale = display.scale();
        this.#range = { start: scale.time(Math.min(from, to)), end: scale.time(Math.max(from, to)) };
        this.#pointerX = undefined;
        this.#invalidateOverlay();
      },
      endMeasure: () => this.#setRange(this.#range),
    };
  }

  #select(place: Place | undefined): void {
    this.#selection = place;
    if (place?.item) this.#list.announce(itemText(place.item, place.lane, this.#display.now(), this.#words));
    else if (place?.marker) this.#list.announce(markerText(place.marker, place.lane, this.#words));
    this.#events.emit('select', selectionOf(place));
    this.#invalidate();
  }

  #activate(place: Place | undefined): void {
    const selection = selectionOf(place);
    if (selection) this.#events.emit('activate', selection);
  }

  #setRange(range: Viewport | undefined): void {
    this.#range = range;
    this.#events.emit('range', range);
    this.#invalidateOverlay();
  }

  #setHover(hit: Hit | undefined, x: number, event?: PointerEvent): void {
    const isThing = hit?.item !== undefined || hit?.marker !== undefined;
    this.#display.painter.overlay.canvas.style.cursor = isThing ? 'pointer' : '';
    if (isThing && hit && event)
      this.#events.emit('hover', {
        ...hit,
        time: this.#display.scale().time(x),
        clientX: event.clientX,
        clientY: event.clientY,
      });
    else if (this.#hover) this.#events.emit('hover', undefined);
    this.#hover = isThing ? hit : undefined;
    this.#invalidateOverlay();
  }

  // Methods that request and draw frames.

  #invalidate(): void {
    this.#isBaseDirty = true;
    this.#loop.request();
  }

  #invalidateOverlay(): void {
    this.#isOverlayDirty = true;
    this.#loop.request();
  }

  /** Replaces the model if a new one is scheduled. */
  #takeModel(): void {
    if (this.#make) this.setModel(this.#make());
  }

  #awaitModel(): void {
    const left = this.#restsUntil - performance.now();
    if (left > 0) this.#loop.requestIn(left);
    else this.#loop.request();
  }

  #frame(elapsed: number): void {
    if (this.#display.fit()) this.#isBaseDirty = true;
    // A timeline that isn't visible isn't drawn.
    if (!this.#display.isVisible) return;
    const started = performance.now();
    if (started >= this.#restsUntil) this.#takeModel();
    const { view, model } = this.#display;
    const now = this.#display.now();
    const before = view.viewport;
    const step = view.isStill ? stillStep : 8;
    const isStepDue = this.#isBaseDirty || !view.isStill || started >= this.#drawnAt + step;
    if (isStepDue && view.advance(elapsed, now)) this.#isBaseDirty = true;
    const { msPerPixel } = this.#display.scale();
    // Open items grow by whole pixels, and countdowns change every second, so other frames show no change.
    const isSameSecond = Math.floor(now / 1000) === Math.floor(this.#drawnNow / 1000);
    const isGrown = Math.abs(now - this.#drawnNow) >= msPerPixel / 2 || !isSameSecond;
    if (model.live && isStepDue && isGrown) this.#isBaseDirty = true;
    const isDrawn = this.#isBaseDirty;
    if (this.#isBaseDirty || this.#isOverlayDirty) this.#paint(now);
    if (isDrawn) this.#restsUntil = performance.now() + Math.min(rest.most, (performance.now() - started) * rest.share);
    if (before !== view.viewport || this.#announcedFollow !== view.follow) this.#announce();
    if (view.isMoving) this.#loop.request();
    else {
      const left = Math.max(0, this.#restsUntil - performance.now());
      if (this.#make) this.#loop.requestIn(left);
      if (model.live) this.#loop.requestIn(Math.max(step, left, Math.min(msPerPixel / 2, 1000 - (now % 1000))));
    }
  }

  #announce(): void {
    const { viewport, follow } = this.#display.view;
    this.#events.emit('viewport', viewport);
    if (this.#announcedFollow === follow) return;
    this.#announcedFollow = follow;
    this.#events.emit('follow', follow);
  }

  #paint(now: number): void {
    const started = performance.now();
    const { painter, layout, indexes, view, model, scrollTop, version } = this.#display;
    const scene = {
      layout,
      indexes,
      scrollTop,
      now,
      viewport: view.viewport,
      folds: view.folds,
      domain: view.domain(now),
      origin: model.origin,
      end: model.end,
      live: model.live,
      zone: this.#zone,
      selection: highlight(this.#selection),
      hover: highlight(this.#hover),
      cursor: this.#cursor,
      pointedLane: this.#pointedLane,
      range: this.#range,
      pointerX: this.#pointerX,
      focused: this.#isFocused,
      minimapActive: this.#isMinimapActive,
    };
    if (this.#isBaseDirty) {
      painter.paintBase(scene);
      this.#drawnNow = now;
      this.#drawnAt = started;
      this.#listUpdate.request();
    }
    painter.paintMinimap(scene, String(version));
    painter.paintOverlay(scene);
    this.#isBaseDirty = false;
    this.#isOverlayDirty = false;
    this.#frames++;
    this.#lastDraw = performance.now() - started;
  }

  #renewList(): void {
    this.#list.show(
      listEntries(this.#display.model, this.#display.view.viewport, this.#display.now(), this.#selection, this.#words),
    );
  }
}
