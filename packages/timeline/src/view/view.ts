/**
 * Stores the range of time in view. The user moves it, it moves smoothly to a target, or it follows the current time.
 */
import type { TimelineModel } from '../model.ts';
import { noFolds, type TimeFolds } from '../scale/folds.ts';
import {
  approach,
  around,
  clampViewport,
  type Domain,
  lengthOf,
  panBy,
  type Viewport,
  zoomAround,
} from '../scale/viewport.ts';

/**
 * `fit`: from the start to the current time, growing. `slide`: a fixed length with the current time near the right
 * edge. `off`: a fixed range.
 */
export type FollowMode = 'off' | 'fit' | 'slide';

/** The space to the right of the current time, as a share of the length in view. */
const air = 0.07;

/** Shortest range that fitting shows, in milliseconds. */
const leastFit = 2000;

/**
 * The range of time in view. It is stored as places on the folded axis, where zooming and panning are linear; the
 * methods take and return times.
 */
export class View {
  #viewport: Viewport = { start: 0, end: 1 };
  #target: Viewport = this.#viewport;
  #times: { readonly of: Viewport; readonly value: Viewport } | undefined;
  #folds: TimeFolds = noFolds;
  #follow: FollowMode = 'off';
  #isGliding = false;
  #model: TimelineModel | undefined;
  /** The latest time in the model. It may be in the future, because a back-off can end in the future. */
  #horizon = 0;
  #slideLength = leastFit;
  /**
   * The follow mode at the end of the run. If the run continues, for example with a new pod, the view follows it again.
   */
  #resumed: FollowMode = 'off';
  /** True with reduced motion: the view jumps to its target instead of moving there smoothly. */
  isStill = false;
  width = 1;

  /** The times in view. The object stays the same until they change. */
  get viewport(): Viewport {
    if (this.#folds.isEmpty) return this.#viewport;
    if (this.#times?.of !== this.#viewport) this.#times = { of: this.#viewport, value: this.#timesOf(this.#viewport) };
    return this.#times.value;
  }

  /** The range of times at which a smooth motion ends. */
  get target(): Viewport {
    return this.#timesOf(this.#target);
  }

  /** The target of a smooth motion, as places on the folded axis. */
  get goal(): Viewport {
    return this.#target;
  }

  get folds(): TimeFolds {
    return this.#folds;
  }

  get follow(): FollowMode {
    return this.#follow;
  }

  get isMoving(): boolean {
    return this.#isGliding;
  }

  #timesOf({ start, end }: Viewport): Viewport {
    return { start: this.#folds.real(start), end: this.#folds.real(end) };
  }

  #placesOf({ start, end }: Viewport): Viewport {
    return { start: this.#folds.shown(start), end: this.#folds.shown(end) };
  }

  /** Replaces the folds and keeps the times in view as far as possible. */
  setFolds(folds: TimeFolds, now: number): void {
    if (folds.isEmpty && this.#folds.isEmpty) return;
    const times = this.viewport;
    this.#folds = folds;
    this.#times = undefined;
    const places = this.#placesOf(times);
    if (this.#follow === 'off') this.#jump(clampViewport(places, this.#domain(now)));
    else {
      this.#viewport = places;
      this.#glide(this.#followed(now));
    }
  }

  /** Returns the whole range of the model at `now`, in times. */
  domain(now: number): Domain {
    const model = this.#model;
    if (!model) return { start: now - leastFit, end: now };
    const end = Math.max(model.live ? now : model.end, model.origin);
    const future = Math.min(Math.max(0, this.#horizon - end), Math.max((end - model.origin) * 0.35, leastFit));
    return { start: model.origin, end: Math.max(end + future, model.origin + 1) };
  }

  #domain(now: number): Domain {
    return this.#placesOf(this.domain(now));
  }

  setModel(model: TimelineModel, now: number): void {
    // A model with another origin belongs to another pod or run.
    const isFirst = !this.#model || this.#model.lanes.length === 0 || this.#model.origin !== model.origin;
    this.#model = model;
    this.#horizon = horizonOf(model);
    if (isFirst && model.lanes.length > 0) {
      this.#resumed = 'off';
      this.#follow = model.live ? 'fit' : 'off';
      this.#jump(this.#fitted(now));
    } else if (!model.live && (this.#follow !== 'off' || this.#resumed !== 'off')) {
      // After the deletion of the pod, events may still follow. The view stays at the end until the user moves it.
      const mode = this.#follow === 'off' ? this.#resumed : this.#follow;
      this.#follow = mode;
      // The last events may have come since the last frame, so the view moves to the end before it stops.
      const end = this.#followed(Math.min(now, model.end));
      this.#stopFollowing();
      this.#resumed = mode;
      this.#glide(end);
    } else if (model.live && this.#resumed !== 'off') {
      this.#follow = this.#resumed;
      this.#resumed = 'off';
    }
  }

  #stopFollowing(): void {
    this.#follow = 'off';
    this.#resumed = 'off';
  }

  #fitted(now: number): Viewport {
    const domain = this.#domain(now);
    const length = Math.max(lengthOf(domain), leastFit);
    return { start: domain.start - length * 0.02, end: domain.start + length * (1 + (this.#model?.live ? air : 0.03)) };
  }

  #jump(viewport: Viewport): void {
    this.#viewport = viewport;
    this.#target = viewport;
    this.#isGliding = false;
  }

  #glide(target: Viewport): void {
    this.#target = target;
    if (this.isStill) this.#jump(target);
    else this.#isGliding = true;
  }

  /** Shows the whole range, and follows a live run from then on. */
  fit(now: number): void {
    this.#follow = this.#model?.live ? 'fit' : 'off';
    this.#glide(this.#fitted(now));
  }

  /** Shows `range` with some space around it. */
  show(range: Viewport, now: number, share = 0.15): void {
    this.#stopFollowing();
    this.#glide(clampViewport(around(this.#placesOf(range), share), this.#domain(now)));
  }

  /** Shows exactly this range, at once. */
  set(viewport: Viewport, now: number): void {
    this.#stopFollowing();
    this.#jump(clampViewport(this.#placesOf(viewport), this.#domain(now)));
  }

  /**
   * Zooms around `anchor`, which is the time under the pointer, and stops following. Without an anchor, a view that
   * follows the run is zoomed around the current time and continues to follow. Any other view is zoomed around the
   * middle.
   */
  zoom(factor: number, anchor: number | undefined, now: number, isSmooth = true): void {
    if (anchor !== undefined) this.#stopFollowing();
    const isFollowing = this.#follow !== 'off';
    const from = this.#isGliding ? this.#target : this.#viewport;
    const time = isFollowing ? now : anchor;
    const place = time === undefined ? (from.start + from.end) / 2 : this.#folds.shown(time);
    const target = zoomAround(from, place, factor, this.#domain(now));
    if (isFollowing) {
      this.#follow = 'slide';
      this.#slideLength = lengthOf(target);
    }
    const goal = isFollowing ? this.#followed(now) : target;
    if (isSmooth) this.#glide(goal);
    else this.#jump(goal);
  }

  /** Moves by milliseconds of the folded axis and stops following. */
  pan(ms: number, now: number, isSmooth = false): void {
    this.#stopFollowing();
    if (isSmooth) this.#glide(panBy(this.#isGliding ? this.#target : this.#viewport, ms, this.#domain(now)));
    else this.#jump(panBy(this.#viewport, ms, this.#domain(now)));
  }

  /** Starts or stops following. */
  setFollow(on: boolean, now: number): void {
    if (!on || !this.#model?.live) {
      this.#stopFollowing();
      return;
    }
    if (this.#follow !== 'off') return;
    const length = lengthOf(this.#target);
    // A view that contains the whole range continues to contain it.
    this.#follow = length >= lengthOf(this.#domain(now)) ? 'fit' : 'slide';
    this.#slideLength = length;
    this.#glide(this.#followed(now));
  }

  #followed(now: number): Viewport {
    if (this.#follow === 'fit') return this.#fitted(now);
    const end = this.#folds.shown(now) + this.#slideLength * air;
    return { start: end - this.#slideLength, end };
  }

  /** Advances the motion by `elapsed` milliseconds of real time. Returns true if the view moved. */
  advance(elapsed: number, now: number): boolean {
    const before = this.#viewport;
    if (this.#follow !== 'off') this.#target = this.#followed(now);
    if (this.#isGliding) {
      this.#viewport = approach(this.#viewport, this.#target, elapsed, this.width);
      if (this.#viewport === this.#target) this.#isGliding = false;
    } else if (this.#follow !== 'off') {
      // A motion of less than half a pixel isn't drawn.
      const pixel = lengthOf(this.#target) / Math.max(1, this.width);
      const moved = Math.max(Math.abs(this.#target.start - before.start), Math.abs(this.#target.end - before.end));
      if (moved >= pixel / 2) this.#viewport = this.#target;
    }
    return this.#viewport !== before;
  }
}

/** Returns the latest time of a model. Items are ordered, so only the last ones of each lane are read. */
function horizonOf(model: TimelineModel): number {
  let horizon = model.end;
  for (const { items } of model.lanes) {
    for (let at = items.length - 1; at >= Math.max(0, items.length - 4); at--)
      horizon = Math.max(horizon, items[at]?.end ?? 0);
  }
  return horizon;
}
