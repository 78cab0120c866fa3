/** Draws the time axis: clock time above, time since the origin below. The grid follows the lower row. */
import { formatClock, formatRelative, type TimeZoneName } from '../base/format.ts';
import { roundStep, type Ticks, ticks } from '../scale/ticks.ts';
import type { TimeScale } from '../scale/time-scale.ts';
import { crisp, fontOf, type Pen } from './pen.ts';

/** Distance between ticks in pixels, before the theme's scale. */
const clockSpacing = 132;
const relativeSpacing = 88;

export interface AxisTicks {
  readonly clock: Ticks;
  readonly relative: Ticks;
}

/** Returns the midnight before `time` in the zone, so that ticks are at full hours and days. */
const midnight = (time: number, zone: TimeZoneName): number => {
  const offset = zone === 'utc' ? 0 : new Date(time).getTimezoneOffset() * 60_000;
  return Math.floor((time - offset) / 86_400_000) * 86_400_000 + offset;
};

export function axisTicks(scale: TimeScale, origin: number, zone: TimeZoneName, factor: number): AxisTicks {
  const from = midnight(scale.viewport.start, zone);
  const clockStep = scale.msPerPixel * clockSpacing * factor;
  const relativeStep = scale.msPerPixel * relativeSpacing * factor;
  return {
    clock: unfolded(scale, clockStep, from, 40 * factor),
    relative: unfolded(scale, relativeStep, origin, 28 * factor),
  };
}

/**
 * Returns the ticks between the folds.
 * @param room how many pixels a label needs before the next fold
 */
function unfolded(scale: TimeScale, leastMs: number, origin: number, room: number): Ticks {
  const { viewport, folds } = scale;
  if (folds.isEmpty) return ticks(viewport, leastMs, origin);
  const step = roundStep(leastMs);
  const margin = scale.msPerPixel * room;
  const times = folds.unfolded(viewport).flatMap(({ start, end }) => {
    const isCut = end < viewport.end;
    return ticks(
      { start: start > viewport.start ? start + margin / 2 : start, end: isCut ? end - margin : end },
      leastMs,
      origin,
    ).times;
  });
  return { step, times };
}

/** Draws the grid lines behind the lanes. */
export function drawGrid({ context, theme, scale }: Pen, { relative }: AxisTicks, top: number, bottom: number): void {
  context.lineWidth = 1;
  context.strokeStyle = theme.grid;
  context.beginPath();
  for (const time of relative.times) {
    const x = crisp(scale.x(time));
    context.moveTo(x, top);
    context.lineTo(x, bottom);
  }
  context.stroke();
}

/** Draws the two rows of labels in a band of `height` pixels. */
export function drawAxis(
  { context, theme, text, scale, zone }: Pen,
  { clock, relative }: AxisTicks,
  origin: number,
  height: number,
): void {
  const middle = Math.round(height * 0.5);
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  context.strokeStyle = theme.gridStrong;
  context.beginPath();
  for (const time of clock.times) {
    context.moveTo(crisp(scale.x(time)), 4);
    context.lineTo(crisp(scale.x(time)), middle);
  }
  for (const time of relative.times) {
    context.moveTo(crisp(scale.x(time)), height - 7);
    context.lineTo(crisp(scale.x(time)), height);
  }
  context.stroke();
  text.use(fontOf(theme, 11, 550));
  context.fillStyle = theme.text;
  // A label that the edge would cut is omitted, because half of a number looks like a different number.
  for (const time of clock.times) {
    const label = formatClock(time, clock.step, zone);
    const x = scale.x(time) + 5;
    if (x + text.width(label) <= scale.width) context.fillText(label, x, middle / 2 + 2);
  }
  text.use(fontOf(theme, 11, 450));
  context.fillStyle = theme.textMuted;
  context.textAlign = 'center';
  for (const time of relative.times) {
    const label = formatRelative(time - origin, relative.step);
    const x = scale.x(time);
    const half = text.width(label) / 2;
    if (x > half && x + half <= scale.width) context.fillText(label, x, middle + (height - middle) / 2 - 2);
  }
  context.textAlign = 'left';
}
