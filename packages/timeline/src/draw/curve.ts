/**
 * Draws the growing delays of a back-off as stairs at the end of its bar: the current step filled, the cap as a line.
 */

import { curveSteps, type Item } from '../model.ts';
import type { RowBox } from '../view/layout.ts';
import type { Pen } from './pen.ts';

const stepWidth = 6;

/** Width of the stairs, in pixels. */
export const curveWidth = 44;

export function drawCurve({ context, theme }: Pen, { curve, state }: Item, x: number, { y, height }: RowBox): void {
  if (!curve) return;
  const steps = curveSteps(curve);
  const bottom = y + height - 4;
  const room = height - 9;
  const top = bottom - room;
  context.fillStyle = theme.states[state].fill;
  context.globalAlpha = 0.92;
  context.beginPath();
  context.roundRect(x - 4, y + 2.5, steps.length * stepWidth + 8, height - 5, 4);
  context.fill();
  context.globalAlpha = 1;
  for (const [at, seconds] of steps.entries()) {
    // Each delay is twice the previous one, so on a logarithmic scale the stairs have equal heights.
    const share = (at + 1) / steps.length;
    const stair = Math.max(2, room * share);
    const left = x + at * stepWidth;
    const isReached = seconds <= curve.seconds;
    context.fillStyle = isReached ? theme.states[state].ink : theme.backoffStripe;
    context.globalAlpha = seconds === curve.seconds ? 1 : isReached ? 0.55 : 0.45;
    context.fillRect(left, bottom - stair, stepWidth - 1.5, stair);
  }
  context.globalAlpha = 0.8;
  context.fillStyle = theme.states[state].ink;
  context.fillRect(x - 1, top - 1.5, steps.length * stepWidth + 1, 1);
  context.globalAlpha = 1;
}
