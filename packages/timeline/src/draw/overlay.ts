/**
 * Draws the parts that can change while the lanes stay the same: current time, cursor, hover, selection and measured
 * range.
 */
import { formatClock, formatExact } from '../base/format.ts';
import { badgeWidth } from '../items/hit-test.ts';
import { endOf, hasOwnMarkers, type Item, type Marker } from '../model.ts';
import type { Viewport } from '../scale/viewport.ts';
import type { LaneBox, Layout, RowBox } from '../view/layout.ts';
import { crisp, fontOf, type Pen } from './pen.ts';

export interface Highlight {
  readonly laneId: string;
  readonly item?: Item | undefined;
  readonly marker?: Marker | undefined;
}

export interface OverlayState {
  readonly layout: Layout;
  readonly live: boolean;
  readonly selection: Highlight | undefined;
  readonly hover: Highlight | undefined;
  /** Id of the highlighted lane. */
  readonly pointedLane: string | undefined;
  readonly cursor: number | undefined;
  readonly range: Viewport | undefined;
  /** Position of the pointer over the lanes, in pixels from their left edge. */
  readonly pointerX: number | undefined;
  /** Height of the axis; `height` is the height of the whole canvas. */
  readonly axis: number;
  readonly height: number;
  readonly scrollTop: number;
  /** True if the timeline has the keyboard focus. */
  readonly focused: boolean;
}

/** Draws a label in the axis with the time of a line. */
function flag(
  { context, theme, text, scale }: Pen,
  label: string,
  x: number,
  y: number,
  color: string,
  ink: string,
): void {
  text.use(fontOf(theme, 10.5, 600));
  const width = text.width(label) + 10;
  const height = 17 * theme.scale;
  const left = Math.min(Math.max(0, x - width / 2), scale.width - width);
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(left, y, width, height, 4);
  context.fill();
  context.fillStyle = ink;
  context.textBaseline = 'middle';
  context.fillText(label, left + 5, y + height / 2 + 0.5);
}

function line(
  { context }: Pen,
  x: number,
  top: number,
  bottom: number,
  color: string,
  width: number,
  dash: number[] = [],
): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(width % 2 === 1 ? crisp(x) : Math.round(x), top);
  context.lineTo(width % 2 === 1 ? crisp(x) : Math.round(x), bottom);
  context.stroke();
  context.setLineDash([]);
}

function drawRange(pen: Pen, range: Viewport, state: OverlayState): void {
  const { context, theme, scale, text } = pen;
  const left = scale.x(range.start);
  const right = scale.x(range.end);
  context.fillStyle = theme.range;
  context.fillRect(left, 0, right - left, state.height);
  line(pen, left, 0, state.height, theme.cursor, 1);
  line(pen, right, 0, state.height, theme.cursor, 1);
  const label = formatExact(range.end - range.start);
  text.use(fontOf(theme, 12, 650));
  const width = text.width(label) + 14;
  const x = Math.min(Math.max((left + right) / 2 - width / 2, 0), scale.width - width);
  const y = state.axis + 6;
  context.fillStyle = theme.cursor;
  context.beginPath();
  context.roundRect(x, y, width, 22 * theme.scale, 5);
  context.fill();
  context.fillStyle = theme.bg;
  context.textBaseline = 'middle';
  context.fillText(label, x + 7, y + 11 * theme.scale + 0.5);
}

const rowOf = (box: LaneBox, { item, marker }: Highlight): RowBox | undefined =>
  box.rows[Math.min(item?.row ?? marker?.row ?? 0, box.rows.length - 1)];

function drawHighlight(pen: Pen, highlight: Highlight, state: OverlayState, color: string, width: number): void {
  const { context, scale, theme, now } = pen;
  const box = state.layout.boxes.find(({ lane }) => lane.id === highlight.laneId);
  const row = box && rowOf(box, highlight);
  if (!row) return;
  const y = row.y + state.axis - state.scrollTop;
  context.save();
  context.beginPath();
  context.rect(-4, state.axis, scale.width + 8, state.height - state.axis);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  if (highlight.item) {
    const left = Math.max(scale.x(highlight.item.start), -10);
    const right = Math.min(Math.max(left + 3, scale.x(endOf(highlight.item, now))), scale.width + 10);
    // A rim in the background colour separates the outline from a bar of any colour.
    context.roundRect(left - 1.5, y - 1.5, right - left + 2, row.height + 3, 5);
    if (width >= 2) {
      context.strokeStyle = theme.bg;
      context.lineWidth = width + 2.5;
      context.stroke();
      context.strokeStyle = color;
      context.lineWidth = width;
    }
  } else if (highlight.marker) {
    const x = scale.x(highlight.marker.time);
    if (hasOwnMarkers(box.lane))
      context.arc(x, y + row.height / 2, Math.min(11, row.height / 2 + 1) * theme.scale, 0, Math.PI * 2);
    else
      context.roundRect(
        x - (badgeWidth + 4) * theme.scale,
        y + row.height / 2 - 10 * theme.scale,
        (badgeWidth + 6) * theme.scale,
        20 * theme.scale,
        5,
      );
  }
  context.stroke();
  context.restore();
}

function drawPointedLane({ context, theme, scale }: Pen, id: string, state: OverlayState): void {
  const box = state.layout.boxes.find(({ lane }) => lane.id === id);
  if (!box) return;
  context.save();
  context.beginPath();
  context.rect(0, state.axis, scale.width, state.height - state.axis);
  context.clip();
  context.strokeStyle = theme.focus;
  context.lineWidth = 3;
  context.strokeRect(1.5, box.y + state.axis - state.scrollTop + 1.5, scale.width - 3, box.height - 3);
  context.restore();
}

/** Draws the overlay. The context's origin is the top left of the axis. */
export function drawOverlay(pen: Pen, state: OverlayState): void {
  const { context, theme, scale, now, zone } = pen;
  const { cursor, pointerX } = state;
  if (state.range) drawRange(pen, state.range, state);
  if (cursor !== undefined) {
    // Everything after the cursor is dimmed, because it hasn't happened yet at that time.
    const x = scale.x(cursor);
    if (x < scale.width) {
      context.fillStyle = theme.bg;
      context.globalAlpha = 0.55;
      context.fillRect(Math.max(0, x), state.axis, scale.width - Math.max(0, x), state.height - state.axis);
      context.globalAlpha = 1;
    }
    line(pen, x, 0, state.height, theme.cursor, 2);
    flag(pen, formatClock(cursor, 1, zone), x, 1, theme.cursor, theme.bg);
  }
  if (state.live) {
    const x = scale.x(now);
    if (x >= 0 && x <= scale.width) {
      line(pen, x, state.axis - 6, state.height, theme.now, 1);
      context.fillStyle = theme.now;
      context.beginPath();
      context.moveTo(x - 4, state.axis - 7);
      context.lineTo(x + 5, state.axis - 7);
      context.lineTo(x + 0.5, state.axis);
      context.fill();
    }
  }
  if (state.pointedLane !== undefined) drawPointedLane(pen, state.pointedLane, state);
  if (state.hover) drawHighlight(pen, state.hover, state, theme.hover, 1.25);
  if (state.selection) drawHighlight(pen, state.selection, state, theme.selection, 2);
  if (pointerX !== undefined) {
    line(pen, pointerX, state.axis, state.height, theme.textMuted, 1, [2, 3]);
    const time = scale.time(pointerX);
    flag(
      pen,
      formatClock(time, scale.msPerPixel * 2 < 1000 ? Math.max(0.001, scale.msPerPixel) : 1000, zone),
      pointerX,
      1,
      theme.text,
      theme.bg,
    );
  }
  if (state.focused) {
    context.strokeStyle = theme.focus;
    context.lineWidth = 2;
    context.strokeRect(1, 1, scale.width - 2, state.height - 2);
  }
}
