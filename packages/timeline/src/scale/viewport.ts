/** The stretch of time in view, and what zooming and panning do to it. All functions are pure. */
import { noFolds, type TimeFolds } from './folds.ts';

export interface Viewport {
  readonly start: number;
  readonly end: number;
}

/** What a view may show: times between `start` and `end`, with some air around. */
export type Domain = Viewport;

/** Shortest stretch that can fill the view, in milliseconds. A double keeps 0.25 µs of an epoch time. */
const shortest = 0.02;

/** Longest stretch when there is hardly anything to see. */
const leastWhole = 10_000;

export const lengthOf = ({ start, end }: Viewport): number => end - start;

/** The viewport over a width in pixels. */
export interface TimeScale {
  readonly viewport: Viewport;
  readonly width: number;
  /** Where time is not folded. */
  readonly msPerPixel: number;
  readonly folds: TimeFolds;
  /** Pixels from the left edge. */
  x(time: number): number;
  time(x: number): number;
}

export function timeScale(viewport: Viewport, width: number, folds = noFolds): TimeScale {
  const start = folds.shown(viewport.start);
  const msPerPixel = Math.max(folds.shown(viewport.end) - start, 1e-9) / Math.max(1, width);
  const base = { viewport, width, msPerPixel, folds };
  if (folds.isEmpty) return { ...base, x: (time) => (time - start) / msPerPixel, time: (x) => start + x * msPerPixel };
  return { ...base, x: (time) => (folds.shown(time) - start) / msPerPixel, time: (x) => folds.real(start + x * msPerPixel) };
}

/** Keeps a viewport between the shortest stretch and twice the domain, and its middle inside the domain. */
export function clampViewport(viewport: Viewport, domain: Domain): Viewport {
  const whole = Math.max(leastWhole, lengthOf(domain) * 2);
  const middle = (viewport.start + viewport.end) / 2;
  const length = Math.min(whole, Math.max(shortest, lengthOf(viewport)));
  const at = Math.min(Math.max(middle, domain.start), Math.max(domain.start, domain.end));
  return length === lengthOf(viewport) && at === middle ? viewport : { start: at - length / 2, end: at + length / 2 };
}

/** Makes the stretch `factor` times as short (above 1 comes closer) and leaves `anchor` where it is on the screen. */
export function zoomAround(viewport: Viewport, anchor: number, factor: number, domain: Domain): Viewport {
  const whole = Math.max(leastWhole, lengthOf(domain) * 2);
  const length = Math.min(whole, Math.max(shortest, lengthOf(viewport) / factor));
  const fraction = (anchor - viewport.start) / lengthOf(viewport);
  const start = anchor - fraction * length;
  return clampViewport({ start, end: start + length }, domain);
}

export const panBy = (viewport: Viewport, ms: number, domain: Domain): Viewport =>
  clampViewport({ start: viewport.start + ms, end: viewport.end + ms }, domain);

/** A viewport around `range` with air on both sides, `air` being a share of its length. */
export function around(range: Viewport, air: number): Viewport {
  const length = Math.max(shortest, lengthOf(range));
  return { start: range.start - length * air, end: range.start + length * (1 + air) };
}

/** One frame of smooth motion from `current` towards `target`; `target` itself once they can't be told apart. Keeps an anchor that both share. */
export function approach(current: Viewport, target: Viewport, elapsed: number, width: number): Viewport {
  const share = 1 - Math.exp(-elapsed / 55);
  const start = current.start + (target.start - current.start) * share;
  const end = current.end + (target.end - current.end) * share;
  const pixel = (target.end - target.start) / Math.max(1, width);
  const isThere = Math.abs(target.start - start) < pixel / 3 && Math.abs(target.end - end) < pixel / 3;
  return isThere ? target : { start, end };
}
