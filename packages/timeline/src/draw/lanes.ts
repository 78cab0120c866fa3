/** Draws the items and markers of the lanes. */

import { markerSpacing } from '../items/hit-test.ts';
import { hasOwnMarkers } from '../model.ts';
import type { LaneIndex } from '../summaries/lane-index.ts';
import type { MarkerHeap } from '../summaries/marker-row.ts';
import type { RowSummary } from '../summaries/row-summary.ts';
import type { LaneBox, Layout, RowBox } from '../view/layout.ts';
import { drawBar } from './bar.ts';
import { drawHeap } from './marker.ts';
import { crisp, type Pen } from './pen.ts';

/**
 * Minimum width of an item in pixels. A narrower item is merged with its neighbors, so a row has at most one bar per
 * four pixel columns.
 */
const leastPixels = 4;

/**
 * Collects the merged bars of a row and draws all bars of one color together, because setting the color costs more than
 * drawing a rectangle.
 */
class MergedBars {
  readonly #byColor = new Map<string, number[]>();
  readonly #pen: Pen;
  readonly #row: RowSummary;
  #left = 0;
  #right = Number.NEGATIVE_INFINITY;
  #longest = 0;
  #longestLength = -1;
  #covered = 0;

  constructor(pen: Pen, row: RowSummary) {
    this.#pen = pen;
    this.#row = row;
  }

  /**
   * Adds items between `left` and `right`.
   * @param covered how many pixels of that range the items cover
   */
  add(left: number, right: number, longest: number, covered: number): void {
    if (left - this.#left > leastPixels) this.#end();
    if (this.#right < this.#left) this.#left = left;
    this.#right = Math.max(this.#right, right, left + 1.5);
    this.#covered += covered;
    const length = this.#row.lengthOf(longest);
    if (length <= this.#longestLength) return;
    this.#longest = longest;
    this.#longestLength = length;
  }

  #end(): void {
    const width = this.#right - this.#left;
    const item = this.#row.items[this.#longest];
    if (width > 0 && item) {
      const color = this.#pen.shades.of(item.state, this.#covered / width);
      const bars = this.#byColor.get(color);
      const last = bars ? (bars.at(-2) ?? 0) + (bars.at(-1) ?? 0) : Number.NEGATIVE_INFINITY;
      // Adjacent bars of the same colour become one rectangle.
      if (bars && this.#left - last < 1) bars[bars.length - 1] = this.#right - (bars.at(-2) ?? 0);
      else if (bars) bars.push(this.#left, width);
      else this.#byColor.set(color, [this.#left, width]);
    }
    this.#right = Number.NEGATIVE_INFINITY;
    this.#left = 0;
    this.#longestLength = -1;
    this.#covered = 0;
  }

  draw({ y, height }: RowBox): void {
    this.#end();
    const { context } = this.#pen;
    for (const [color, bars] of this.#byColor) {
      context.fillStyle = color;
      for (let at = 0; at < bars.length; at += 2) context.fillRect(bars[at] ?? 0, y, bars[at + 1] ?? 0, height);
    }
  }
}

/** Draws a row: wide items as bars, narrow ones merged, failures always on top. */
function drawRow(pen: Pen, row: RowSummary, box: RowBox): void {
  const { context, scale, now } = pen;
  const { start, end } = scale.viewport;
  const least = scale.msPerPixel * leastPixels;
  const merged = new MergedBars(pen, row);
  const failures: number[] = [];
  row.visit(start - least, end + least, least, now, {
    item: (index) => {
      const item = row.items[index];
      if (item) drawBar(pen, item, box);
    },
    group: (first, _last, longest, failed, covered, groupEnd) => {
      const x = scale.x(row.startOf(first));
      merged.add(x, scale.x(groupEnd), longest, covered / scale.msPerPixel);
      if (failed && x - (failures.at(-1) ?? Number.NEGATIVE_INFINITY) > leastPixels) failures.push(x);
    },
  });
  merged.draw(box);
  context.fillStyle = pen.theme.states.error.fill;
  for (const x of failures) {
    context.fillRect(x, box.y, 2.5, box.height);
    context.beginPath();
    context.moveTo(x - 2.5, box.y - 2);
    context.lineTo(x + 5, box.y - 2);
    context.lineTo(x + 1.25, box.y + 4);
    context.fill();
  }
}

/** Draws the visible lanes. The context's origin is the top left of the scrolled lanes. */
export function drawLanes(
  pen: Pen,
  layout: Layout,
  indexes: ReadonlyMap<string, LaneIndex>,
  top: number,
  bottom: number,
): void {
  for (const box of layout.boxes) {
    if (box.y + box.height < top || box.y > bottom) continue;
    drawSeparator(pen, box);
    const index = indexes.get(box.lane.id);
    for (const [at, row] of box.rows.entries()) {
      const summary = index?.rows[at];
      if (summary) drawRow(pen, summary, row);
    }
    if (index) drawMarkers(pen, index, box);
  }
}

function drawMarkers(pen: Pen, index: LaneIndex, { rows, lane }: LaneBox): void {
  const { msPerPixel, viewport } = pen.scale;
  const margin = msPerPixel * markerSpacing(lane);
  const isOwn = hasOwnMarkers(lane);
  for (const [at, markers] of index.markerRows.entries()) {
    const row = rows[at];
    if (!row) continue;
    const heaps: MarkerHeap[] = [];
    markers.visit(viewport.start - margin, viewport.end + margin, margin, (heap) => heaps.push(heap));
    for (const [place, heap] of heaps.entries()) {
      const next = heaps[place + 1];
      drawHeap(pen, heap, row, isOwn, next && pen.scale.x(next.time) - pen.scale.x(heap.time));
    }
  }
}

function drawSeparator({ context, theme, scale }: Pen, box: LaneBox): void {
  context.strokeStyle = theme.gridStrong;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, crisp(box.y + box.height) - 1);
  context.lineTo(scale.width, crisp(box.y + box.height) - 1);
  context.stroke();
}
