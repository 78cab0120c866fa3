/** Markers: a shape for each kind, a number for a heap. */

import type { RowBox } from '../layout.ts';
import type { Marker } from '../model.ts';
import type { MarkerHeap } from '../summaries/lane-index.ts';
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
  }
}

const colorOf = ({ theme }: Pen, kind: Marker['kind']): string =>
  ({ event: theme.marker, warning: theme.markerWarning, exit: theme.states.succeeded.ink, failure: theme.states.error.fill, stop: theme.states.paused.fill })[
    kind
  ];

/** Draws a heap: alone in its lane in the middle, on top of bars as a badge with its code. */
export function drawHeap(pen: Pen, heap: MarkerHeap, row: RowBox, isAlone: boolean): void {
  const { context, theme, scale, text } = pen;
  const { marker, count } = heap;
  const x = scale.x(heap.time);
  const y = row.y + row.height / 2;
  if (!isAlone) {
    drawBadge(pen, marker, count, x, row);
    return;
  }
  const size = 5.5 * theme.scale;
  shapeOf(context, marker.kind, x, y, size);
  context.fillStyle = colorOf(pen, marker.kind);
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = theme.bg;
  context.stroke();
  if (count < 2) return;
  text.use(fontOf(theme, 9.5, 600));
  context.textBaseline = 'middle';
  context.fillStyle = theme.textMuted;
  context.fillText(count > 99 ? '99+' : String(count), x + size + 1, y - size + 1);
}

/** On a bar: a pill with the exit code, inside the bar that it ends. */
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
  const left = x - width - 3;
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
