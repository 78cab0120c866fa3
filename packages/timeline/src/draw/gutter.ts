/** Draws the column of lane names. */

import { isThinLane } from '../model.ts';
import { type LaneBox, type Layout, sizes } from '../view/layout.ts';
import type { TimelineWords } from '../words/words.ts';
import { crisp, fontOf } from './pen.ts';
import type { TextFitter } from './text.ts';
import type { Theme } from './theme.ts';

interface GutterPen {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly text: TextFitter;
  readonly words: TimelineWords;
}

/** Draws the names of the visible lanes. The context's origin is the top left of the scrolled lanes. */
export function drawGutter(pen: GutterPen, layout: Layout, width: number, top: number, bottom: number): void {
  const { context, theme } = pen;
  for (const box of layout.boxes) {
    if (box.y + box.height < top || box.y > bottom) continue;
    drawName(pen, box, width);
    context.strokeStyle = theme.gridStrong;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, crisp(box.y + box.height) - 1);
    context.lineTo(width, crisp(box.y + box.height) - 1);
    context.stroke();
  }
}

function drawName({ context, theme, text, words }: GutterPen, box: LaneBox, width: number): void {
  const left = 14 * theme.scale;
  const right = width - 10 * theme.scale;
  context.textBaseline = 'middle';
  if (box.heading > 0 && box.lane.group) {
    text.use(fontOf(theme, 12, 650));
    context.fillStyle = theme.text;
    context.fillText(text.fit(box.lane.group, right - left), left, box.y + box.heading / 2 + 3);
  }
  const [first] = box.rows;
  if (!first) return;
  const isThin = isThinLane(box.lane);
  const y = isThin ? box.y + 13 * theme.scale : first.y + first.height / 2 + 0.5;
  const kind = words.kinds[box.lane.kind];
  let end = right;
  if (kind) {
    text.use(fontOf(theme, 10, 550));
    const kindWidth = text.width(kind) + 10 * theme.scale;
    const height = 15 * theme.scale;
    end = right - kindWidth - 6;
    context.strokeStyle = theme.border;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(right - kindWidth + 0.5, Math.round(y - height / 2) + 0.5, kindWidth - 1, height - 1, height / 2);
    context.stroke();
    context.fillStyle = theme.textMuted;
    context.fillText(kind, right - kindWidth + 5 * theme.scale, y + 0.5);
  }
  const { rowLabels } = box.lane;
  if (rowLabels) {
    text.use(fontOf(theme, 10.5, 450));
    context.fillStyle = theme.textMuted;
    for (const [at, name] of rowLabels.entries()) {
      const row = box.rows[at];
      const rowWidth = text.width(name);
      if (row) context.fillText(name, right - rowWidth, row.y + row.height / 2 + 0.5);
      if (at === 0) end = right - rowWidth - 8;
    }
  }
  text.use(fontOf(theme, 12.5, 550));
  context.fillStyle = theme.text;
  const label = text.fitMiddle(box.lane.label, end - left);
  context.fillText(label, left, y);
  const { note } = box.lane;
  if (!note) return;
  const labelWidth = text.width(label);
  text.use(fontOf(theme, 10.5, 450));
  context.fillStyle = theme.textMuted;
  const [, second] = box.rows;
  // The note is beside the name, or below it if the lane has a second row.
  if (isThin) context.fillText(text.fit(note, right - left), left, y + 14 * theme.scale);
  else if (second && second.height > sizes.thin * theme.scale)
    context.fillText(text.fit(note, (rowLabels ? end : right) - left), left, second.y + second.height / 2);
  else if (!kind && (!rowLabels || text.width(note) <= end - left - labelWidth - 10))
    context.fillText(text.fit(note, end - left - labelWidth - 10), left + labelWidth + 10, y + 0.5);
}
