/** Measures the rendered rows of a virtual list whose rows have different heights. */
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { evenRows, measuredRows, type RowOffsets } from './row-offsets.ts';

interface MeasuredRowsOptions {
  /** Keys of all rows, in order. A row keeps its key when rows are added before it. */
  readonly keys: readonly number[];
  /** Height of a row before it is measured, in pixels. */
  readonly rowHeight: number;
  /** True if rows have different heights. If false, all rows have `rowHeight`. */
  readonly isMeasured: boolean;
  /** The scrolling element. */
  readonly list: RefObject<HTMLElement | null>;
  /** Contains the rendered rows, each with its key in `data-key`. */
  readonly canvas: RefObject<HTMLElement | null>;
}

/**
 * Returns the positions of the rows. Rows in view stay in place if a measured row above them turns out to be higher or
 * lower than assumed.
 */
export function useMeasuredRows({ keys, rowHeight, isMeasured, list, canvas }: MeasuredRowsOptions): RowOffsets {
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map());
  const width = useRef(0);
  const offsets = useMemo(
    () =>
      isMeasured ? measuredRows(keys.map((key) => heights.get(key) ?? rowHeight)) : evenRows(keys.length, rowHeight),
    [keys, heights, rowHeight, isMeasured],
  );
  const measure = useCallback(() => {
    const scrolling = list.current;
    if (!isMeasured || !scrolling || !canvas.current) return;
    const isResized = width.current !== scrolling.clientWidth;
    width.current = scrolling.clientWidth;
    const known = isResized ? new Map<number, number>() : heights;
    const found = new Map<number, number>();
    let above = 0;
    for (const row of canvas.current.querySelectorAll<HTMLElement>(':scope > [data-key]')) {
      const key = Number(row.dataset['key']);
      const before = known.get(key);
      if (row.offsetHeight === 0 || row.offsetHeight === before) continue;
      found.set(key, row.offsetHeight);
      const isAbove = row.getBoundingClientRect().bottom <= scrolling.getBoundingClientRect().top;
      if (isAbove) above += row.offsetHeight - (before ?? rowHeight);
    }
    if (found.size === 0) return;
    setHeights(new Map([...known, ...found]));
    if (above !== 0) scrolling.scrollBy(0, above);
  }, [heights, rowHeight, isMeasured, list, canvas]);
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const scrolling = list.current;
    if (!isMeasured || !scrolling) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(scrolling);
    return () => observer.disconnect();
  }, [isMeasured, list, measure]);
  return offsets;
}
