/** Computes the positions of lanes and rows, in CSS pixels from the top of the lanes. */
import { hasOwnMarkers, isThinLane, type Lane } from '../model.ts';

export interface RowBox {
  readonly y: number;
  readonly height: number;
}

export interface LaneBox {
  readonly lane: Lane;
  readonly index: number;
  readonly y: number;
  readonly height: number;
  readonly rows: readonly RowBox[];
  /** Height of the group's name above the lane; 0 without a name. */
  readonly heading: number;
}

/** Minimum height of a collapsed lane in pixels, so that the lane has room for its name. */
const leastNamed = 34;

export interface Layout {
  readonly boxes: readonly LaneBox[];
  readonly height: number;
}

/** Sizes in CSS pixels at a scale of 1. */
export const sizes = {
  gutter: 176,
  minimap: 46,
  axis: 42,
  padding: 7,
  row: 24,
  nested: 15,
  compact: 17,
  gap: 2,
  markers: 22,
  probes: 18,
  layer: 13,
  thin: 6,
  heading: 26,
  scrollbar: 9,
} as const;

const rowHeight = (lane: Lane, row: number): number => {
  if (isThinLane(lane) || (lane.kind === 'overview' && row > 0)) return sizes.thin;
  if (lane.kind === 'probes') return sizes.probes;
  if (hasOwnMarkers(lane)) return sizes.markers;
  if (lane.kind === 'pulls') return row === 0 ? sizes.row : sizes.layer;
  if (lane.compact) return sizes.compact;
  return row === 0 ? sizes.row : sizes.nested;
};

/** Returns the positions of the lanes and their rows, stacked. */
export function layOut(lanes: readonly Lane[], scale: number): Layout {
  const boxes: LaneBox[] = [];
  let y = 0;
  let group: string | undefined;
  for (const [index, lane] of lanes.entries()) {
    const heading = lane.group !== undefined && lane.group !== group ? sizes.heading * scale : 0;
    group = lane.group;
    let rowY = y + heading + sizes.padding * scale;
    const rows: RowBox[] = [];
    for (let row = 0; row < Math.max(1, lane.rows); row++) {
      const height = Math.round(rowHeight(lane, row) * scale);
      rows.push({ y: rowY, height });
      rowY += height + sizes.gap * scale;
    }
    const natural = rowY - sizes.gap * scale + sizes.padding * scale;
    const bottom = isThinLane(lane) ? Math.max(natural, y + leastNamed * scale) : natural;
    boxes.push({ lane, index, y, height: bottom - y, rows, heading });
    y = bottom;
  }
  return { boxes, height: y };
}

/** Returns the lane at `y` pixels below the top of the lanes. */
export const laneAt = (layout: Layout, y: number): LaneBox | undefined =>
  layout.boxes.find((box) => y >= box.y && y < box.y + box.height);

/** Returns the row of a lane at a height; between two rows, the nearest one. */
export function rowAt(box: LaneBox, y: number): number {
  let best = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [at, row] of box.rows.entries()) {
    const away = y < row.y ? row.y - y : Math.max(0, y - row.y - row.height);
    if (away < distance) {
      best = at;
      distance = away;
    }
  }
  return best;
}
