/**
 * Computes which rows of a virtual list with equal row heights are in view. Measures the page only when sizes change,
 * never while rows arrive.
 */
import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react';

interface RowWindowOptions {
  readonly count: number;
  /** Height in pixels. */
  readonly rowHeight: number;
  /** Height of a sticky header that covers the first rows, in pixels. */
  readonly headHeight: number;
  /** Stays at the last row as rows arrive, until the user scrolls away. */
  readonly followEnd: boolean;
}

/** Rows rendered above and below those in view. */
const spare = 8;

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
  /** Scrolls a row into view. The function changes only when sizes change. */
  readonly reveal: (index: number) => void;
}

export function useRowWindow({ count, rowHeight, headHeight, followEnd }: RowWindowOptions): RowWindow {
  const element = useRef<HTMLElement>(null);
  /** Scroll position when it was last read or set. */
  const lastTop = useRef(0);
  const [height, setHeight] = useState(firstHeight);
  /** First row in view; `end` while the list follows its end. */
  const [place, setPlace] = useState<number | 'end'>(followEnd ? 'end' : 0);
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
    // Scrolling past the end is clamped by the browser, so the maximum need not be measured.
    list.scrollTop = headHeight + (count + 1) * rowHeight - height;
    lastTop.current = list.scrollTop;
  }, [place, count, rowHeight, headHeight, height]);
  const reveal = useCallback(
    (index: number) => {
      const list = element.current;
      if (!list) return;
      const least = (index + 1) * rowHeight - (list.clientHeight - headHeight);
      const to = Math.min(index * rowHeight, Math.max(list.scrollTop, least));
      if (to === list.scrollTop) return;
      setPlace(Math.floor(to / rowHeight));
      list.scrollTop = to;
    },
    [rowHeight, headHeight],
  );
  const shown = Math.ceil(height / rowHeight);
  const top = Math.max(0, Math.min(place === 'end' ? count : place, count - shown));
  const release = (list: HTMLElement): void => setPlace(Math.floor(list.scrollTop / rowHeight));
  return {
    scroller,
    first: Math.max(0, top - spare),
    end: Math.min(count, top + shown + spare),
    onScroll: () => {
      const list = element.current;
      if (!list) return;
      const { scrollTop } = list;
      const left = list.scrollHeight - list.clientHeight - scrollTop;
      // Not scrolled by the user: the list became shorter, or its size changed.
      const isMoved = scrollTop < lastTop.current;
      lastTop.current = scrollTop;
      // It stops following after half a row, and follows again only at the very end.
      if (followEnd && (place === 'end' ? !isMoved || left < rowHeight / 2 : left < 1)) setPlace('end');
      else release(list);
    },
    onWheel: ({ deltaY }) => {
      // Arriving rows would otherwise undo the first turn of the wheel.
      const list = element.current;
      if (deltaY < 0 && place === 'end' && list && list.scrollTop > 0) release(list);
    },
    reveal,
  };
}
