/** Draws the minimap of the whole run: a line per row, ticks for failures, and a window for the visible range. */
import type { ItemState } from '../model.ts';
import type { TimeFolds } from '../scale/folds.ts';
import { type TimeScale, timeScale } from '../scale/time-scale.ts';
import { type Viewport } from '../scale/viewport.ts';
import type { LaneIndex } from '../summaries/lane-index.ts';
import type { Theme } from './theme.ts';

/** Width of the handles of the window, in pixels. */
const handleWidth = 8;

/** Space above and below the lines, in pixels. */
const inset = 5;

/** Returns false for nested rows, which the minimap omits. */
const isShown = (row: number, kind: string): boolean => row === 0 || (kind === 'worker' && row === 1);

const colorOf = (theme: Theme, state: ItemState): string =>
  state === 'backoff' ? theme.backoffStripe : theme.states[state].fill;

/** Draws the lines. They change only with the model, so they are drawn separately from the window. */
export function drawMinimapLanes(
  context: CanvasRenderingContext2D,
  theme: Theme,
  indexes: readonly LaneIndex[],
  scale: TimeScale,
  height: number,
  now: number,
): void {
  const lines = indexes.flatMap((index) => index.rows.filter((_, row) => isShown(row, index.lane.kind)));
  const pitch = Math.min(7, (height - inset * 2) / Math.max(1, lines.length));
  const thickness = Math.max(1, pitch - 1);
  const top = (height - pitch * lines.length) / 2;
  const least = scale.msPerPixel * 1.5;
  const failures: { readonly x: number; readonly y: number }[] = [];
  for (const [at, row] of lines.entries()) {
    const y = top + at * pitch;
    const bar = (first: number, longest: number, end: number, failed: boolean): void => {
      const item = row.items[first];
      const state = row.items[longest]?.state;
      if (!item || !state) return;
      const x = scale.x(item.start);
      const width = Math.max(1.2, scale.x(end) - x);
      context.fillStyle = colorOf(theme, state);
      context.globalAlpha = state === 'waiting' || state === 'succeeded' ? 0.4 : 1;
      context.fillRect(x, y, width, thickness);
      if (failed) failures.push({ x: x + width, y });
    };
    row.visit(scale.viewport.start, scale.viewport.end, least, now, {
      item: (index) => bar(index, index, row.items[index]?.end ?? now, row.items[index]?.failed === true),
      group: (first, _last, longest, failed, _covered, end) => bar(first, longest, end, failed),
    });
  }
  context.globalAlpha = 1;
  context.fillStyle = theme.states.error.fill;
  for (const { x, y } of failures) context.fillRect(x - 2, y - 1, 2.5, thickness + 2);
}

/** Draws the window and dims both sides of it. */
export function drawMinimapWindow(
  context: CanvasRenderingContext2D,
  theme: Theme,
  scale: TimeScale,
  viewport: Viewport,
  height: number,
  isActive: boolean,
): void {
  const left = Math.max(-2, scale.x(viewport.start));
  const right = Math.min(scale.width + 2, Math.max(scale.x(viewport.end), left + 4));
  context.fillStyle = theme.bg;
  context.globalAlpha = theme.isDark ? 0.5 : 0.6;
  context.fillRect(0, 0, left, height);
  context.fillRect(right, 0, scale.width - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = isActive ? theme.cursor : theme.textMuted;
  context.lineWidth = isActive ? 2 : 1;
  context.beginPath();
  context.roundRect(left + 0.5, 1.5, right - left - 1, height - 3, 4);
  context.stroke();
  context.fillStyle = context.strokeStyle;
  for (const x of [left, right]) {
    context.beginPath();
    context.roundRect(x - 2, height / 2 - 7, 4, 14, 2);
    context.fill();
  }
}

/** Returns the scale that fits the whole model, with space on both sides, into `width` pixels. */
export const minimapScale = (domain: Viewport, width: number, folds: TimeFolds): TimeScale => {
  const air = (folds.shown(domain.end) - folds.shown(domain.start)) * 0.012;
  return timeScale({ start: domain.start - air, end: domain.end + air }, width, folds);
};

export type MinimapPart = 'start' | 'window' | 'end' | 'outside';

/** Returns the part of the window at `x`. */
export function minimapPartAt(scale: TimeScale, viewport: Viewport, x: number): MinimapPart {
  const left = scale.x(viewport.start);
  const right = scale.x(viewport.end);
  const grip = right - left < handleWidth * 3 ? handleWidth / 2 : handleWidth;
  if (Math.abs(x - left) <= grip && left > 0) return 'start';
  if (Math.abs(x - right) <= grip && right < scale.width) return 'end';
  return x > left && x < right ? 'window' : 'outside';
}
