/** Maps times of a viewport to pixels and back. */
import { noFolds, type TimeFolds } from './folds.ts';
import type { Viewport } from './viewport.ts';

/** Maps a viewport to a width in pixels. */
export interface TimeScale {
  readonly viewport: Viewport;
  readonly width: number;
  /** Milliseconds per pixel outside of folds. */
  readonly msPerPixel: number;
  readonly folds: TimeFolds;
  /** Returns pixels from the left edge. */
  x(time: number): number;
  time(x: number): number;
}

export function timeScale(viewport: Viewport, width: number, folds = noFolds): TimeScale {
  const start = folds.shown(viewport.start);
  const msPerPixel = Math.max(folds.shown(viewport.end) - start, 1e-9) / Math.max(1, width);
  const base = { viewport, width, msPerPixel, folds };
  if (folds.isEmpty) return { ...base, x: (time) => (time - start) / msPerPixel, time: (x) => start + x * msPerPixel };
  return {
    ...base,
    x: (time) => (folds.shown(time) - start) / msPerPixel,
    time: (x) => folds.real(start + x * msPerPixel),
  };
}
