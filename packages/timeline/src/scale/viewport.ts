/** Computes the visible time range and its changes by zooming and panning. All functions are pure. */

export interface Viewport {
  readonly start: number;
  readonly end: number;
}

/** The range that a view may show: from `start` to `end`, with some space around it. */
export type Domain = Viewport;

/** The shortest visible range in ms. A double keeps 0.25 µs of an epoch time. */
const shortest = 0.02;

/** Longest visible range if the domain is short, in milliseconds. */
const leastWhole = 10_000;

export const lengthOf = ({ start, end }: Viewport): number => end - start;

/** Limits the length of a viewport to twice the domain and keeps its middle inside the domain. */
export function clampViewport(viewport: Viewport, domain: Domain): Viewport {
  const whole = Math.max(leastWhole, lengthOf(domain) * 2);
  const middle = (viewport.start + viewport.end) / 2;
  const length = Math.min(whole, Math.max(shortest, lengthOf(viewport)));
  const at = Math.min(Math.max(middle, domain.start), Math.max(domain.start, domain.end));
  return length === lengthOf(viewport) && at === middle ? viewport : { start: at - length / 2, end: at + length / 2 };
}

/** Divides the length of the range by `factor` (above 1 zooms in) and keeps `anchor` in place on the screen. */
export function zoomAround(viewport: Viewport, anchor: number, factor: number, domain: Domain): Viewport {
  const whole = Math.max(leastWhole, lengthOf(domain) * 2);
  const length = Math.min(whole, Math.max(shortest, lengthOf(viewport) / factor));
  const fraction = (anchor - viewport.start) / lengthOf(viewport);
  const start = anchor - fraction * length;
  return clampViewport({ start, end: start + length }, domain);
}

export const panBy = (viewport: Viewport, ms: number, domain: Domain): Viewport =>
  clampViewport({ start: viewport.start + ms, end: viewport.end + ms }, domain);

/** Returns a viewport around `range` with space on both sides; `air` is a share of its length. */
export function around(range: Viewport, air: number): Viewport {
  const length = Math.max(shortest, lengthOf(range));
  return { start: range.start - length * air, end: range.start + length * (1 + air) };
}

/**
 * Returns the next frame of a smooth motion from `current` to `target`; `target` itself once both look the same on the
 * screen. If `current` and `target` have a time at the same place, that time doesn't move.
 */
export function approach(current: Viewport, target: Viewport, elapsed: number, width: number): Viewport {
  const share = 1 - Math.exp(-elapsed / 55);
  const start = current.start + (target.start - current.start) * share;
  const end = current.end + (target.end - current.end) * share;
  const pixel = (target.end - target.start) / Math.max(1, width);
  const isThere = Math.abs(target.start - start) < pixel / 3 && Math.abs(target.end - end) < pixel / 3;
  return isThere ? target : { start, end };
}
