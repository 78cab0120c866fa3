/** Which stretch of time is in view, and how it moves: by hand, smoothly to a goal, or along with the current time. */
import type { TimelineModel } from './model.ts';
import { noFolds, type TimeFolds } from './scale/folds.ts';
import { approach, around, clampViewport, type Domain, lengthOf, panBy, type Viewport, zoomAround } from './scale/viewport.ts';

/**
 * `fit`: from the beginning to now, ever longer. `slide`: always the same length, with now near the right edge. `off`: it stays where it is.
 */
export type FollowMode = 'off' | 'fit' | 'slide';

/** Air to the right of now, as a share of the length in view. */
const air = 0.07;

/** Shortest stretch that fitting shows, in milliseconds. */
const leastFit = 2000;

/** Stretches are kept as places on the folded axis, where zooming and panning are what they look like; callers see times. */
export class View {
  #viewport: Viewport = { start: 0, end: 1 };
  #target: Viewport = this.#viewport;
  #times: { readonly of: Viewport; readonly value: Viewport } | undefined;
  #folds: TimeFolds = noFolds;
  #follow: FollowMode = 'off';
  #isGliding = false;
  #model: TimelineModel | undefined;
  /** The latest time that the model speaks of: back-offs end in the future. */
  #horizon = 0;
  #slideLength = leastFit;
  /** No motion between two places. */
  isStill = false;
  width = 1;

  /** The times in view: the same object until they are others. */
  get viewport(): Viewport {
    if (this.#folds.isEmpty) return this.#viewport;
    if (this.#times?.of !== this.#viewport) this.#times = { of: this.#viewport, value: this.#timesOf(this.#viewport) };
    return this.#times.value;
  }

  /** Where it is going, in times. */
  get target(): Viewport {
    return this.#timesOf(this.#target);
  }

  /** Where it is going, as places on the folded axis. */
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

  /** Folds other stretches. What is in view stays there as far as it can. */
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

  /** All of the model at `now`, in times. */
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
    // Another beginning is another pod or run.
    const isFirst = !this.#model || this.#model.lanes.length === 0 || this.#model.origin !== model.origin;
    this.#model = model;
    this.#horizon = horizonOf(model);
    if (isFirst && model.lanes.length > 0) {
      this.#follow = model.live ? 'fit' : 'off';
      this.#jump(this.#fitted(now));
    } else if (!model.live && this.#follow !== 'off') this.#follow = 'off';
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

  /** Shows everything; a live run is followed from then on. */
  fit(now: number): void {
    this.#follow = this.#model?.live ? 'fit' : 'off';
    this.#glide(this.#fitted(now));
  }

  /** Shows `range` with air around it. */
  show(range: Viewport, now: number, share = 0.15): void {
    this.#follow = 'off';
    this.#glide(clampViewport(around(this.#placesOf(range), share), this.#domain(now)));
  }

  /** Shows exactly this stretch, at once. */
  set(viewport: Viewport, now: number): void {
    this.#follow = 'off';
    this.#jump(clampViewport(this.#placesOf(viewport), this.#domain(now)));
  }

  /** Zooms around a time; while following, around now, so that it goes on. Without a time around the middle. */
  zoom(factor: number, anchor: number | undefined, now: number, isSmooth = true): void {
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

  /** Moves by hand, by milliseconds of the folded axis, which lets go of following. */
  pan(ms: number, now: number, isSmooth = false): void {
    this.#follow = 'off';
    if (isSmooth) this.#glide(panBy(this.#isGliding ? this.#target : this.#viewport, ms, this.#domain(now)));
    else this.#jump(panBy(this.#viewport, ms, this.#domain(now)));
  }

  /** Takes up following, or lets go. */
  setFollow(on: boolean, now: number): void {
    if (!on || !this.#model?.live) {
      this.#follow = 'off';
      return;
    }
    if (this.#follow !== 'off') return;
    const length = lengthOf(this.#target);
    // Someone who has all of it in view wants to go on having it.
    this.#follow = length >= lengthOf(this.#domain(now)) ? 'fit' : 'slide';
    this.#slideLength = length;
    this.#glide(this.#followed(now));
  }

  #followed(now: number): Viewport {
    if (this.#follow === 'fit') return this.#fitted(now);
    const end = this.#folds.shown(now) + this.#slideLength * air;
    return { start: end - this.#slideLength, end };
  }

  /** Goes on by `elapsed` milliseconds of the screen's time; true when it moved. */
  advance(elapsed: number, now: number): boolean {
    const before = this.#viewport;
    if (this.#follow !== 'off') this.#target = this.#followed(now);
    if (this.#isGliding) {
      this.#viewport = approach(this.#viewport, this.#target, elapsed, this.width);
      if (this.#viewport === this.#target) this.#isGliding = false;
    } else if (this.#follow !== 'off') {
      // Motions of less than half a pixel are not worth a frame.
      const pixel = lengthOf(this.#target) / Math.max(1, this.width);
      const moved = Math.max(Math.abs(this.#target.start - before.start), Math.abs(this.#target.end - before.end));
      if (moved >= pixel / 2) this.#viewport = this.#target;
    }
    return this.#viewport !== before;
  }
}

/** The last time of a model: only its last items can be it. */
function horizonOf(model: TimelineModel): number {
  let horizon = model.end;
  for (const { items } of model.lanes) {
    for (let at = items.length - 1; at >= Math.max(0, items.length - 4); at--) horizon = Math.max(horizon, items[at]?.end ?? 0);
  }
  return horizon;
}
