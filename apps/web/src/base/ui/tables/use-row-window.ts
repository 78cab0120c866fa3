/**
 * Computes which rows of a virtual list are visible. Measures elements only when sizes change, never when rows are
 * added.
 */
import { type RefCallback, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { evenRows, type RowOffsets } from './row-offsets.ts';

interface RowWindowOptions {
  readonly count: number;
  /** Height of a row that isn't measured, in pixels. */
  readonly rowHeight: number;
  /** Positions of rows with different heights. If absent, every row has the height `rowHeight`. */
  readonly rows?: RowOffsets;
  /** Height of a sticky header that covers the first rows, in pixels. */
  readonly headHeight: number;
  /** True to keep the last row visible while rows are added, until the user scrolls away. */
  readonly followEnd: boolean;
  /** For a list whose parent stores `followEnd`: called when the user scrolls away from the end or back to it. */
  readonly onFollow?: (isFollowing: boolean) => void;
  /** Number of rows to render above and below those in view. Default: 8. */
  readonly spare?: number;
}

/** Assumed height before the list is measured, in pixels. */
const firstHeight = 600;

export interface RowWindow {
  /** Ref of the scrolling element. */
  readonly scroller: RefCallback<HTMLElement>;
  readonly onScroll: () => void;
  readonly onWheel: (event: { readonly deltaY: number }) => void;
  /** Range of rows to render; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
  /** Scrolls a row into view: to the nearest edge or to the center. The function changes only when sizes change. */
  readonly reveal: (index: number, block?: 'nearest' | 'center') => void;
}

export function useRowWindow({
  count,
  rowHeight,
  rows: measured,
  headHeight,
  followEnd,
  onFollow,
  spare = 8,
}: RowWindowOptions): RowWindow {
  const element = useRef<HTMLElement>(null);
  /** Scroll position when it was last read or set. */
  const lastTop = useRef(0);
  const [height, setHeight] = useState(firstHeight);
  const even = useMemo(() => evenRows(count, rowHeight), [count, rowHeight]);
  const rows = measured ?? even;
  const latestRows = useRef(rows);
  useLayoutEffect(() => {
    latestRows.current = rows;
  }, [rows]);
  /** First row in view; `end` while the list follows its end. */
  const [place, setPlace] = useState<number | 'end'>(followEnd ? 'end' : 0);
  const [followed, setFollowed] = useState(followEnd);
  if (followed !== followEnd) {
    setFollowed(followEnd);
    if (followEnd) setPlace('end');
    else if (place === 'end') setPlace(rows.at(rows.total - height));
  }
  const scroller = useCallback((list: HTMLElement | null) => {
    element.current = list;
    if (!list) return undefined;
    setHeight(list.clientHeight);
    const observer = new ResizeObserver(() => setHeight(list.clientHeight));
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const list = element.current;
    if (place !== 'end' || !list) return;
    // Any larger position is enough, because the browser limits it to the end. So the maximum isn't measured.
    list.scrollTop = headHeight + rows.total + rowHeight - height;
    lastTop.current = list.scrollTop;
  }, [place, rows, rowHeight, headHeight, height]);
  const reveal = useCallback(
    (index: number, block: 'nearest' | 'center' = 'nearest') => {
      const list = element.current;
      if (!list) return;
      const top = latestRows.current.top(index);
      const space = list.clientHeight - headHeight;
      const least = latestRows.current.top(index + 1) - space;
      const to = block === 'center' ? (top + least) / 2 : Math.min(top, Math.max(list.scrollTop, least));
      if (to === list.scrollTop) return;
      setPlace(latestRows.current.at(to));
      list.scrollTop = to;
    },
    [headHeight],
  );
  const bottom = (top: number): number => rows.at(rows.top(top) + height + rowHeight - 1) + 1;
  const lastTopRow = height < rows.total ? rows.at(rows.total - height) : 0;
  const top = place === 'end' ? lastTopRow : Math.min(place, lastTopRow);
  const release = (list: HTMLElement): void => {
    setPlace(rows.at(list.scrollTop));
    if (place === 'end') onFollow?.(false);
  };
  const follow = (list: HTMLElement): void => {
    if (!onFollow) setPlace('end');
    else if (place !== 'end') {
      setPlace(rows.at(list.scrollTop));
      onFollow(true);
    }
  };
  return {
    scroller,
    first: Math.max(0, top - spare),
    end: Math.min(count, bottom(top) + spare),
    onScroll: () => {
      const list = element.current;
      if (!list) return;
      const { scrollTop } = list;
      const left = list.scrollHeight - list.clientHeight - scrollTop;
      // True if the position decreased although the user didn't scroll: the list became shorter, or its size changed.
      const isMoved = scrollTop < lastTop.current;
      lastTop.current = scrollTop;
      // The list stops following its end after the user has scrolled up by half a row. It follows its end again only
      // after the user has scrolled to the very end.
      if ((followEnd || onFollow) && (place === 'end' ? !isMoved || left < rowHeight / 2 : left < 1)) follow(list);
      else release(list);
    },
    onWheel: ({ deltaY }) => {
      // Stop following when the wheel first turns. Otherwise, added rows would undo the scrolling.
      const list = element.current;
      if (deltaY < 0 && place === 'end' && list && list.scrollTop > 0) release(list);
    },
    reveal,
  };
}
