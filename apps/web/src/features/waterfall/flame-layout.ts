/**
 * Arranges the spans of a sync in rows. The row of a call is below the row of its caller. Calls that run at the same
 * time are in different rows.
 */
import type { SpanRecord } from '@podscope/trace';

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** A span with its row. */
export interface FlameBar {
  readonly span: SpanRecord;
  /** Number of the row, from 0 (the sync itself). */
  readonly row: number;
  /** Depth of the call, from 1. */
  readonly level: number;
  readonly start: number;
  readonly end: number;
  /** Index of the caller's bar; −1 for the sync, which has no caller. */
  readonly parent: number;
}

export interface FlameChart {
  /** The bars in the order of the log, so that callers precede their callees. */
  readonly bars: readonly FlameBar[];
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the chart of a sync.
 * @param now time used as the end of open spans, in milliseconds since the Unix epoch
 */
export function flameChart(root: SpanRecord, spanOf: SpanOf, now: number): FlameChart {
  const bars: FlameBar[] = [];
  /** For each row, the end of its last bar so far. */
  const busyUntil: number[] = [];
  const add = (span: SpanRecord, level: number, least: number, parent: number): void => {
    const { start } = span;
    const end = Math.max(start, span.end ?? now);
    let row = least;
    while ((busyUntil[row] ?? start) > start) row++;
    busyUntil[row] = end;
    const index = bars.length;
    bars.push({ span, row, level, start, end, parent });
    for (const id of span.children) {
      const child = spanOf(id);
      if (child) add(child, level + 1, row + 1, index);
    }
  };
  add(root, 1, 0, -1);
  return {
    bars,
    rows: busyUntil.length,
    start: root.start,
    end: bars.reduce((latest, { end }) => Math.max(latest, end), root.start),
  };
}

/** A bar, or several bars of one row that are too narrow to be distinguished. */
export interface FlameCluster {
  /** Indexes of the chart's bars: one for a single bar, several for a cluster. */
  readonly bars: readonly number[];
  readonly row: number;
  /** Distance from the left edge, in pixels. */
  readonly left: number;
  readonly width: number;
}

/** Bars narrower than this are joined with their neighbors in the row, in pixels. */
const narrow = 4;

/**
 * Returns the elements to draw between two positions: every wide bar, and clusters of narrow bars. This way, the number
 * of elements depends on the width and not on the number of spans. Positions are in pixels.
 * @param scale pixels per millisecond
 */
export function visibleBars(
  { bars, start }: FlameChart,
  scale: number,
  from: number,
  to: number,
): readonly FlameCluster[] {
  const found: { bars: number[]; row: number; left: number; width: number }[] = [];
  /** By row, the cluster to which the next narrow bar is added. */
  const open = new Map<number, (typeof found)[number]>();
  for (const [index, bar] of bars.entries()) {
    const left = (bar.start - start) * scale;
    const width = Math.max(narrow, (bar.end - bar.start) * scale);
    if (left > to || left + width < from) continue;
    const before = open.get(bar.row);
    if (width > narrow) open.delete(bar.row);
    else if (before && left <= before.left + before.width) {
      before.bars.push(index);
      before.width = Math.max(before.width, left + width - before.left);
      continue;
    }
    const made = { bars: [index], row: bar.row, left, width };
    if (width <= narrow) open.set(bar.row, made);
    found.push(made);
  }
  return found;
}
