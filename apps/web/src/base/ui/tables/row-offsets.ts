/** Computes the positions of the rows of a virtual list, for rows of equal height and for rows of measured height. */

/** Positions are in pixels from the first row. */
export interface RowOffsets {
  /** Sum of the heights of all rows. */
  readonly total: number;
  /** Returns the position of a row. For the index after the last row, returns `total`. */
  readonly top: (index: number) => number;
  /**
   * Returns the index of the row at a position. Returns 0 above the first row, and the last index below the last row.
   */
  readonly at: (position: number) => number;
}

/** Returns the offsets of rows with one height. */
export const evenRows = (count: number, rowHeight: number): RowOffsets => ({
  total: count * rowHeight,
  top: (index) => index * rowHeight,
  at: (position) => Math.min(Math.max(0, count - 1), Math.max(0, Math.floor(position / rowHeight))),
});

/** Returns the offsets of rows with the given heights. */
export function measuredRows(heights: readonly number[]): RowOffsets {
  const tops = new Float64Array(heights.length + 1);
  for (const [index, height] of heights.entries()) tops[index + 1] = (tops[index] ?? 0) + height;
  const total = tops.at(-1) ?? 0;
  return {
    total,
    top: (index) => tops[Math.max(0, index)] ?? total,
    at: (position) => {
      let low = 0;
      let high = Math.max(0, heights.length - 1);
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((tops[middle] ?? 0) <= position) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
