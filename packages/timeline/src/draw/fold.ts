/** Draws folded time as a strip with torn edges across the lanes, and its real length in the axis. */
import { formatDuration } from '../base/format.ts';
import type { Fold } from '../scale/folds.ts';
import { fontOf, type Pen } from './pen.ts';

/** Width and height of one tooth of the torn edge, in pixels. */
const tooth = 5;

interface Strip {
  readonly fold: Fold;
  readonly left: number;
  readonly right: number;
}

const stripsOf = ({ scale }: Pen): readonly Strip[] =>
  scale.folds.within(scale.viewport).map((fold) => ({ fold, left: scale.x(fold.start), right: scale.x(fold.end) }));

function tear(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  const first = Math.floor(top / (tooth * 2)) * tooth * 2;
  context.moveTo(x, first);
  for (let y = first; y < bottom; y += tooth * 2) {
    context.lineTo(x + tooth * 0.6, y + tooth);
    context.lineTo(x, y + tooth * 2);
  }
}

/** Covers the folded ranges. The context's origin is the top left of the scrolled lanes. */
export function drawFolds(pen: Pen, top: number, bottom: number): void {
  const { context, theme, hatches } = pen;
  for (const { left, right } of stripsOf(pen)) {
    const width = Math.max(2, right - left);
    context.fillStyle = theme.gutter;
    context.globalAlpha = 0.86;
    context.fillRect(left, top, width, bottom - top);
    context.globalAlpha = 0.5;
    context.fillStyle = hatches.fill(theme.gridStrong, left, false, 1);
    context.fillRect(left, top, width, bottom - top);
    context.globalAlpha = 1;
    context.strokeStyle = theme.textMuted;
    context.lineWidth = 1;
    context.beginPath();
    tear(context, left, top, bottom);
    if (width > tooth * 2) tear(context, right - tooth * 0.6, top, bottom);
    context.stroke();
  }
}

/** Draws the lengths of the folded ranges in the axis, where they fit. */
export function drawFoldLabels(pen: Pen, height: number): void {
  const { context, theme, text } = pen;
  context.textBaseline = 'middle';
  text.use(fontOf(theme, 10.5, 600));
  let free = Number.NEGATIVE_INFINITY;
  const strips = stripsOf(pen);
  context.fillStyle = theme.gutter;
  for (const { left, right } of strips) context.fillRect(left, 0, Math.max(2, right - left), height);
  for (const { fold, left, right } of strips) {
    const label = formatDuration(fold.end - fold.start);
    const width = text.width(label) + 12;
    const middle = (left + right) / 2;
    const x = middle - width / 2;
    if (x < free) continue;
    free = x + width + 4;
    const pill = 17 * theme.scale;
    const y = height - pill - 3;
    context.fillStyle = theme.bg;
    context.strokeStyle = theme.textMuted;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, width - 1, pill - 1, 5);
    context.fill();
    context.stroke();
    context.fillStyle = theme.text;
    context.fillText(label, x + 6, y + pill / 2 + 0.5);
  }
}
