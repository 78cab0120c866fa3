/** Finds the item or marker under the pointer. */

import { endOf, hasOwnMarkers, type Item, type Lane, type Marker } from '../model.ts';
import type { TimeScale } from '../scale/time-scale.ts';
import type { LaneIndex } from '../summaries/lane-index.ts';
import type { RowSummary } from '../summaries/row-summary.ts';
import { type Layout, laneAt, rowAt } from '../view/layout.ts';

export interface Hit {
  readonly lane: Lane;
  readonly item?: Item | undefined;
  readonly marker?: Marker | undefined;
  /** How many items or markers are at this position, if they are too small to distinguish; 1 for a single one. */
  readonly count: number;
}

/** Maximum distance of the pointer from a small item, in pixels. */
const reach = 4;

/** Maximum distance from a marker, in pixels. */
const markerReach = 9;

/** How far from a badge the pointer may be, in pixels. The distance is small because a badge covers its bar. */
const badgeReach = 1;

/** How many items on either side are examined at most. Without a limit, many instants at one place would take long. */
const lookAround = 24;

/**
 * Returns the item of a row at `x`; without an item at `x`, the nearest item within reach. A failed item takes
 * precedence.
 */
function itemAt(
  row: RowSummary,
  scale: TimeScale,
  x: number,
  now: number,
): { readonly item: Item; readonly count: number } | undefined {
  const from = scale.time(x - reach);
  const to = scale.time(x + reach);
  const last = row.lastStartedAt(to);
  let best: Item | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  let count = 0;
  for (let at = last; at >= 0 && at > last - lookAround; at--) {
    const item = row.items[at];
    if (!item) break;
    const end = endOf(item, now);
    if (end < from) break;
    count++;
    const left = scale.x(item.start);
    const right = Math.max(left + 1, scale.x(end));
    const away = (x < left ? left - x : Math.max(0, x - right)) - (item.failed && right - left < reach * 2 ? reach : 0);
    if (away < bestDistance) {
      best = item;
      bestDistance = away;
    }
  }
  if (!best) return undefined;
  const isWide = endOf(best, now) - best.start > scale.msPerPixel * reach * 2;
  return { item: best, count: isWide ? 1 : count };
}

/** Returns what is at a position: `x` from the left edge of the lanes, `y` from the top of their content. */
export function hitTest(
  layout: Layout,
  indexes: ReadonlyMap<string, LaneIndex>,
  scale: TimeScale,
  x: number,
  y: number,
  now: number,
): Hit | undefined {
  const box = laneAt(layout, y);
  const index = box && indexes.get(box.lane.id);
  if (!box || !index) return undefined;
  const row = rowAt(box, y);
  const markers = index.markerRows[row];
  if (markers) {
    const isOwn = hasOwnMarkers(box.lane);
    let marked: Hit | undefined;
    let nearest = isOwn ? markerReach : badgeReach;
    const heapWidth = scale.msPerPixel * markerSpacing(box.lane);
    markers.visit(
      scale.time(x) - heapWidth * 2,
      scale.time(x + markerReach + badgeWidth),
      heapWidth,
      ({ marker, count, time }) => {
        const away = isOwn ? ownDistance(marker, count, scale, x) : badgeDistance(x - scale.x(time));
        if (away < nearest) {
          nearest = away;
          marked = { lane: box.lane, marker, count };
        }
      },
    );
    if (marked) return marked;
  }
  const summary = index.rows[row];
  const found = summary && itemAt(summary, scale, x, now);
  return found ? { lane: box.lane, item: found.item, count: found.count } : { lane: box.lane, count: 0 };
}

/** Returns the distance from a badge. The badge is drawn to the left of its time. */
const badgeDistance = (dx: number): number => Math.max(0, dx - 2, -badgeWidth - dx);

/** Returns the distance from a marker of a marker lane, including the lines that lead to it or away from it. */
function ownDistance({ time, from = time, until = time }: Marker, count: number, scale: TimeScale, x: number): number {
  const [left, right] = count > 1 ? [time, time] : [from, until];
  return Math.max(0, scale.x(left) - x, x - scale.x(right)) || Math.min(1, Math.abs(x - scale.x(time)));
}

/** Approximate width of an exit badge. */
export const badgeWidth = 18;

/** Markers closer than this many pixels are merged. Badges need more space because they contain a number. */
export const markerSpacing = (lane: Lane): number => (hasOwnMarkers(lane) ? 13 : 28);
