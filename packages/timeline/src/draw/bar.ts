/** Draws an item as a bar. Each state has its own shape, so that colour is never the only sign. */
import { formatCountdown } from '../base/format.ts';
import { endOf, type Item, type ItemState } from '../model.ts';
import type { RowBox } from '../view/layout.ts';
import { curveWidth, drawCurve } from './curve.ts';
import { boltPath } from './marker.ts';
import { fontOf, type Pen } from './pen.ts';

type Shape =
  /** A filled bar. */
  | 'solid'
  /** Filled up to the progress, the rest tinted. */
  | 'progress'
  /** Stripes on a light background. */
  | 'hatch'
  /** Filled, with thin stripes in the opposite direction. */
  | 'ribbed'
  /** A dashed outline for a wait; the label is its reason. */
  | 'outline'
  /** A tint above a line, for something that has ended. */
  | 'line';

const shapes: Readonly<Record<ItemState, Shape>> = {
  pending: 'solid',
  pulling: 'progress',
  creating: 'solid',
  running: 'solid',
  stopping: 'ribbed',
  succeeded: 'line',
  error: 'line',
  backoff: 'hatch',
  waiting: 'outline',
  worker: 'solid',
  sync: 'solid',
  step: 'solid',
  call: 'solid',
  hook: 'solid',
  paused: 'solid',
  probe: 'solid',
};

/** Minimum width of a bar, in pixels. */
const leastWidth = 1.5;

/** The minimum width for a label, in pixels. In a narrower bar, only a letter and an ellipsis would be visible. */
const leastLabel = 22;

/** Returns the colour for a bar that is too narrow to show its shape. */
const compactColor = (pen: Pen, state: ItemState): string =>
  state === 'backoff' ? pen.theme.backoffStripe : pen.theme.states[state].fill;

/** Adds the path of a bar. An open bar has no right edge. */
function outline(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  isOpen: boolean,
): void {
  if (width < 8) {
    context.beginPath();
    context.rect(x, y, width, height);
    return;
  }
  const radius = Math.min(4, width / 3, height / 3);
  context.beginPath();
  context.roundRect(x, y, width, height, isOpen ? [radius, 0, 0, radius] : radius);
}

/** Returns the fill of an open bar, which fades out over its last pixels. */
function fade({ context, shades }: Pen, color: string, x: number, width: number): CanvasGradient | string {
  if (width < 24) return color;
  const gradient = context.createLinearGradient(x, 0, x + width, 0);
  gradient.addColorStop(Math.max(0, 1 - 18 / width), color);
  gradient.addColorStop(1, shades.faded(color));
  return gradient;
}

/** Draws an item that is wide enough to have a shape. */
export function drawBar(pen: Pen, item: Item, row: RowBox): void {
  const { context, scale, theme, now } = pen;
  const left = Math.max(scale.x(item.start), -8);
  const end = scale.x(endOf(item, now));
  const right = Math.min(end, scale.width + 8);
  const width = Math.max(leastWidth, right - left);
  // Only an end that is visible can fade out.
  const isOpen = item.end === undefined && end === right;
  const { fill } = theme.states[item.state];
  // The progress is shown only while a pull is running.
  const shape = item.state === 'pulling' && item.end !== undefined ? 'solid' : shapes[item.state];
  const { y, height } = row;
  if (width < 3) {
    context.fillStyle = compactColor(pen, item.state);
    context.fillRect(left, shape === 'line' ? y + height - 4 : y, width, shape === 'line' ? 4 : height);
    return;
  }
  // Leaves a thin gap between neighboring bars.
  const shown = width > 6 ? width - 1 : width;
  switch (shape) {
    case 'solid':
      context.fillStyle = isOpen ? fade(pen, fill, left, shown) : fill;
      if (shown < 8) context.fillRect(left, y, shown, height);
      else {
        outline(context, left, y, shown, height, isOpen);
        context.fill();
        if (item.inferred && height >= 8) drawInferred(pen, item, left, y, shown, height, isOpen);
      }
      break;
    case 'progress':
      drawProgress(pen, item, isOpen, left, y, shown, height);
      break;
    case 'hatch':
      drawHatch(pen, item, left, y, shown, height);
      break;
    case 'ribbed':
      outline(context, left, y, shown, height, isOpen);
      context.fillStyle = fill;
      context.fill();
      context.globalAlpha = 0.22;
      context.fillStyle = pen.hatches.fill(theme.states[item.state].ink, scale.x(item.start), false, 2);
      context.fill();
      context.globalAlpha = 1;
      break;
    case 'outline':
      outline(context, left + 0.5, y + 0.5, shown - 1, height - 1, isOpen);
      context.globalAlpha = 0.45;
      context.fillStyle = fill;
      context.fill();
      context.globalAlpha = 0.5;
      context.strokeStyle = theme.states[item.state].ink;
      context.lineWidth = 1;
      context.setLineDash([3, 3]);
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      break;
    case 'line':
      context.globalAlpha = theme.isDark ? 0.3 : 0.22;
      context.fillStyle = isOpen ? fade(pen, fill, left, shown) : fill;
      context.fillRect(left, y, shown, height);
      context.globalAlpha = 1;
      context.fillRect(left, y + height - 3, shown, 3);
      break;
  }
  if (item.failed) drawFlaw(pen, left, y, shown, height);
  const curve = item.curve && height >= 18 && shown > curveWidth * 2.2 ? curveWidth : 0;
  if (curve > 0) drawCurve(pen, item, Math.min(left + shown, scale.width) - curve - 6, row);
  drawLabel(pen, item, shape, left, shown - (curve > 0 ? curve + 6 : 0), row);
  if (item.injected && shown > 6) drawInjected(pen, Math.min(left + shown, scale.width) - 8, row);
}

/** Draws a dashed edge inside an item that was inferred and not observed. */
function drawInferred(
  { context, theme }: Pen,
  item: Item,
  x: number,
  y: number,
  width: number,
  height: number,
  isOpen: boolean,
): void {
  outline(context, x + 1, y + 1, width - 2, height - 2, isOpen);
  context.globalAlpha = 0.75;
  context.strokeStyle = theme.states[item.state].ink;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawProgress(
  { context, theme }: Pen,
  item: Item,
  isOpen: boolean,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const { fill } = theme.states[item.state];
  outline(context, x, y, width, height, isOpen);
  context.globalAlpha = 0.28;
  context.fillStyle = fill;
  context.fill();
  context.globalAlpha = 1;
  if (item.progress === undefined) {
    // The progress is unknown, so a line at the bottom marks the pull as running.
    context.fillRect(x, y + height - 3, width, 3);
    return;
  }
  context.save();
  context.clip();
  context.fillRect(x, y, width * item.progress, height);
  context.restore();
}

/** Draws a back-off: bold stripes for the elapsed time, faint ones for the remaining time. */
function drawHatch(
  { context, theme, hatches, scale, now }: Pen,
  item: Item,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const { fill } = theme.states[item.state];
  const stripes = theme.isDark ? 0.65 : 0.6;
  outline(context, x, y, width, height, false);
  context.fillStyle = fill;
  context.fill();
  const passed = Math.min(width, Math.max(0, scale.x(now) - x));
  context.fillStyle = hatches.fill(theme.backoffStripe, scale.x(item.start));
  if (passed === width) {
    context.globalAlpha = stripes;
    context.fill();
  } else {
    context.save();
    context.clip();
    context.globalAlpha = stripes;
    context.fillRect(x, y, passed, height);
    context.globalAlpha = stripes / 2;
    context.fillRect(x + passed, y, width - passed, height);
    context.restore();
  }
  context.globalAlpha = 1;
  context.strokeStyle = theme.backoffStripe;
  context.lineWidth = 1;
  outline(context, x + 0.5, y + 0.5, width - 1, height - 1, false);
  context.stroke();
}

/** Draws the end of a failed item: a dark edge with a notch. */
function drawFlaw({ context, theme }: Pen, x: number, y: number, width: number, height: number): void {
  const edge = x + width;
  const size = Math.min(6, height / 3, width);
  context.fillStyle = theme.states.error.fill;
  context.fillRect(edge - Math.min(3, width), y, Math.min(3, width), height);
  context.beginPath();
  context.moveTo(edge - size - 2, y);
  context.lineTo(edge, y);
  context.lineTo(edge, y + size + 2);
  context.fill();
}

/** Draws a bolt at the end of an item that a fault or a user changed. */
function drawInjected({ context, theme }: Pen, x: number, { y, height }: RowBox): void {
  const size = Math.min(6 * theme.scale, height * 0.36);
  context.beginPath();
  boltPath(context, x, y + height / 2, size);
  context.lineWidth = 2.5;
  context.strokeStyle = theme.bg;
  context.stroke();
  context.fillStyle = theme.text;
  context.fill();
}

const countdown = (item: Item, { now, words }: Pen): string =>
  item.countdownTo === undefined || item.countdownTo <= now ? '' : words.left(formatCountdown(item.countdownTo - now));

/** Returns true for shapes on which most of the label is on the background. */
const isLight = (shape: Shape): boolean => shape === 'progress' || shape === 'line';

function drawLabel(pen: Pen, item: Item, shape: Shape, left: number, width: number, row: RowBox): void {
  const { context, theme, text, scale } = pen;
  // A thin row has no room for letters.
  if (row.height < 10 * theme.scale) return;
  // The label is shown while any part of its bar is visible.
  const from = Math.max(left, 0) + 7;
  const to = Math.min(left + width, scale.width) - (item.failed ? 22 : item.injected ? 16 : 6);
  if (to - from < leastLabel) return;
  const size = row.height >= 20 * theme.scale ? 12 : 10.5;
  text.use(fontOf(theme, size, 550));
  const label = text.fit(item.label, to - from);
  if (label === '') return;
  const y = row.y + row.height / 2 + 0.5;
  const labelWidth = text.width(label);
  context.textBaseline = 'middle';
  context.fillStyle = isLight(shape) ? theme.text : theme.states[item.state].ink;
  const more = [countdown(item, pen), item.detail].filter(Boolean).join('  ·  ');
  const rest = to - from - labelWidth - 8;
  let detail = '';
  // Setting a font is slow, and most bars have only a label. So the font is set only if a detail follows.
  if (more && label === item.label) {
    text.use(fontOf(theme, size, 450));
    detail = text.fit(more, rest);
  }
  if (shape === 'hatch' || shape === 'progress')
    plate(pen, item, shape, from, row, labelWidth + (detail ? text.width(detail) + 8 : 0));
  text.use(fontOf(theme, size, 550));
  context.fillText(label, from, y);
  if (!detail) return;
  text.use(fontOf(theme, size, 450));
  context.globalAlpha = 0.82;
  context.fillText(detail, from + labelWidth + 8, y);
  context.globalAlpha = 1;
}

/** Draws a plain background for text on stripes or on progress. */
function plate({ context, theme }: Pen, item: Item, shape: Shape, x: number, row: RowBox, width: number): void {
  const ink = context.fillStyle;
  context.globalAlpha = shape === 'hatch' ? 0.92 : 0.78;
  context.fillStyle = shape === 'hatch' ? theme.states[item.state].fill : theme.bg;
  context.beginPath();
  context.roundRect(x - 4, row.y + 3, width + 8, row.height - 6, 4);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = ink;
}
