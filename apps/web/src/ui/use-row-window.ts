/** Which rows of a list of equally high ones are in view. Asks the page for sizes only when they changed, never while rows come in. */
import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react';

interface RowWindowOptions {
  readonly count: number;
  /** In pixels. */
  readonly rowHeight: number;
  /** Pixels that a head lies over the first rows. */
  readonly headHeight: number;
  /** Stay at the last row as rows come in, until scrolled away from it. */
  readonly followEnd: boolean;
}

/** Rows drawn above and below those in view. */
const spare = 8;

/** Drawn before the size of the list is known. */
const firstHeight = 600;

export interface RowWindow {
  /** The element that scrolls. */
  readonly scroller: RefCallback<HTMLElement>;
  readonly onScroll: () => void;
  readonly onWheel: (event: { readonly deltaY: number }) => void;
  /** The first row to draw, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Brings a row into view; the same function until sizes change. */
  readonly reveal: (index: number) => void;
}

export function useRowWindow({ count, rowHeight, headHeight, followEnd }: RowWindowOptions): RowWindow {
  const element = useRef<HTMLElement>(null);
  /** Where the list stood when it was last looked at or moved. */
  const lastTop = useRef(0);
  const [height, setHeight] = useState(firstHeight);
  /** The first row in view; `end` while the list stays at its end. */
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
    // A row further than there is: it need not be asked how far that is.
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
      // Nobody moved it: the list became smaller, or the size that it was moved by was not its own any more.
      const isMoved = scrollTop < lastTop.current;
      lastTop.current = scrollTop;
      // It lets go after half a row, and stays let go until it is back at the very end.
      if (followEnd && (place === 'end' ? !isMoved || left < rowHeight / 2 : left < 1)) setPlace('end');
      else release(list);
    },
    onWheel: ({ deltaY }) => {
      // Rows that come in would take back what a turn of the wheel begins.
      const list = element.current;
      if (deltaY < 0 && place === 'end' && list && list.scrollTop > 0) release(list);
    },
    reveal,
  };
}
