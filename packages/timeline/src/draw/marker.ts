/** Draws markers: one shape per kind, and a count for merged markers. */

import type { Marker } from '../model.ts';
import type { MarkerHeap } from '../summaries/marker-row.ts';
import type { RowBox } from '../view/layout.ts';
import { fontOf, type Pen } from './pen.ts';

function shapeOf(context: CanvasRenderingContext2D, kind: Marker['kind'], x: number, y: number, size: number): void {
  context.beginPath();
  switch (kind) {
    case 'event':
      context.arc(x, y, size * 0.7, 0, Math.PI * 2);
      return;
    case 'warning':
      context.moveTo(x, y - size);
      context.lineTo(x + size, y + size * 0.8);
      context.lineTo(x - size, y + size * 0.8);
      context.closePath();
      return;
    case 'exit':
      context.rect(x - size * 0.7, y - size * 0.7, size * 1.4, size * 1.4);
      return;
    case 'failure':
      context.moveTo(x, y - size * 1.1);
      context.lineTo(x + size * 1.1, y);
      context.lineTo(x, y + size * 1.1);
      context.lineTo(x - size * 1.1, y);
      context.closePath();
      return;
    case 'stop':
      context.rect(x - size * 0.8, y - size * 0.8, size * 0.55, size * 1.6);
      context.rect(x + size * 0.25, y - size * 0.8, size * 0.55, size * 1.6);
      return;
    case 'fault':
      boltPath(context, x, y, size);
      return;
    case 'probeSuccess':
      context.arc(x, y, size * 0.62, 0, Math.PI * 2);
      return;
    case 'probeWarning':
    case 'probeError':
      context.moveTo(x, y - size);
      context.lineTo(x + size, y + size * 0.8);
      context.lineTo(x - size, y + size * 0.8);
      context.closePath();
      return;
    case 'probeFailure':
      crossPath(context, x, y, size * 0.85);
      return;
    case 'probeMissed':
      context.arc(x, y, size * 0.62, 0, Math.PI * 2);
  }
}

/** Adds the path of a lightning bolt, the sign of faults and user changes. */
export function boltPath(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.moveTo(x + size * 0.35, y - size * 1.1);
  context.lineTo(x - size * 0.7, y + size * 0.2);
  context.lineTo(x - size * 0.05, y + size * 0.2);
  context.lineTo(x - size * 0.35, y + size * 1.1);
  context.lineTo(x + size * 0.7, y - size * 0.25);
  context.lineTo(x + size * 0.05, y - size * 0.25);
  context.closePath();
}

/** Adds the path of a cross with thick arms. */
function crossPath(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  const arm = size * 0.38;
  const points = [
    [-size, -size + arm],
    [-size + arm, -size],
    [0, -arm],
    [size - arm, -size],
    [size, -size + arm],
    [arm, 0],
    [size, size - arm],
    [size - arm, size],
    [0, arm],
    [-size + arm, size],
    [-size, size - arm],
    [-arm, 0],
  ] as const;
  for (const [at, [dx, dy]] of points.entries()) {
    if (at === 0) context.moveTo(x + dx, y + dy);
    else context.lineTo(x + dx, y + dy);
  }
  context.closePath();
}

function colorOf({ theme }: Pen, kind: Marker['kind']): string {
  switch (kind) {
    case 'event':
      return theme.marker;
    case 'warning':
    case 'probeWarning':
      return theme.markerWarning;
    case 'exit':
      return theme.states.succeeded.ink;
    case 'failure':
    case 'probeFailure':
    case 'probeError':
      return theme.states.error.fill;
    case 'stop':
      return theme.states.paused.fill;
    case 'fault':
      return theme.states.hook.ink;
    case 'probeSuccess':
      return theme.states.running.fill;
    case 'probeMissed':
      return theme.textMuted;
  }
}

/** Returns true for a kind of marker that is drawn as an outline, because its action didn't happen. */
const isHollow = (kind: Marker['kind']): boolean => kind === 'probeMissed';

/** Draws the line of a marker whose activity lasts longer than its shape is wide. */
function drawSpan(pen: Pen, { time, from = time, until = time, kind }: Marker, y: number, height: number): void {
  const { context, scale, now } = pen;
  const left = Math.max(-4, scale.x(from));
  const right = Math.min(scale.width + 4, scale.x(Math.min(until, Math.max(now, time))));
  if (right - left < 8) return;
  context.globalAlpha = kind === 'stop' ? 0.55 : 0.4;
  context.fillStyle = colorOf(pen, kind);
  context.beginPath();
  context.roundRect(left, y - height / 2, right - left, height, height / 2);
  context.fill();
  context.globalAlpha = 1;
}

/**
 * Draws merged markers as one: in the middle of a lane of markers, or as a badge with the exit code on a bar.
 * @param room pixels to the next marker; a count that doesn't fit is omitted
 */
export function drawHeap(
  pen: Pen,
  heap: MarkerHeap,
  row: RowBox,
  isAlone: boolean,
  room: number = Number.POSITIVE_INFINITY,
): void {
  const { context, theme, scale, text } = pen;
  const { marker, count } = heap;
  const x = scale.x(heap.time);
  const y = row.y + row.height / 2;
  if (!isAlone) {
    drawBadge(pen, marker, count, x, row);
    return;
  }
  const size = Math.min(5.5 * theme.scale, row.height * 0.31);
  if (count === 1) drawSpan(pen, marker, y, marker.kind === 'stop' ? row.height * 0.55 : row.height * 0.3);
  shapeOf(context, marker.kind, x, y, size);
  const color = colorOf(pen, marker.kind);
  context.lineWidth = 1.5;
  context.fillStyle = isHollow(marker.kind) ? theme.bg : color;
  context.strokeStyle = isHollow(marker.kind) ? color : theme.bg;
  // The edge is drawn around the shape. If the shape is an outline, the edge is the whole shape.
  if (isHollow(marker.kind)) context.fill();
  context.stroke();
  if (!isHollow(marker.kind)) context.fill();
  if (count < 2) return;
  text.use(fontOf(theme, 9.5, 600));
  const label = count > 99 ? '99+' : String(count);
  if (size + 1 + text.width(label) > room - size) return;
  context.textBaseline = 'middle';
  context.fillStyle = theme.textMuted;
  context.fillText(label, x + size + 1, y - size + 1);
}

/** Draws a badge with the exit code at the inner end of the bar. */
function drawBadge(pen: Pen, marker: Marker, count: number, x: number, row: RowBox): void {
  const { context, theme, text } = pen;
  const color = colorOf(pen, marker.kind);
  const label = count > 1 ? `×${count}` : (marker.badge ?? '');
  context.fillStyle = color;
  context.fillRect(x - 1.5, row.y - 2, 2, row.height + 4);
  if (label === '') {
    shapeOf(context, marker.kind, x - 8 * theme.scale, row.y + row.height / 2, 4.5 * theme.scale);
    context.fill();
    return;
  }
  text.use(fontOf(theme, 10, 650, true));
  const width = text.width(label) + 8;
  const height = 14 * theme.scale;
  const y = row.y + (row.height - height) / 2;
  // A marker at the left edge of the lanes has no space before it.
  const left = x > 0 ? Math.max(2, x - width - 3) : x - width - 3;
  context.beginPath();
  context.roundRect(left, y, width, height, marker.kind === 'failure' ? 3 : height / 2);
  context.fillStyle = marker.kind === 'failure' ? color : theme.bg;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = marker.kind === 'failure' ? theme.bg : color;
  context.stroke();
  context.fillStyle = marker.kind === 'failure' ? theme.states.error.ink : theme.text;
  context.textBaseline = 'middle';
  context.fillText(label, left + 4, row.y + row.height / 2 + 0.5);
}
