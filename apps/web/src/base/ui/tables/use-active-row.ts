/** Implements keyboard navigation of a virtual list: the list has the focus, and one row is active. */
import { type KeyboardEvent, useState } from 'react';

interface ActiveRowOptions {
  readonly count: number;
  /** Number of rows by which Page Up and Page Down move. */
  readonly page?: number;
  /** Called with the new active row, to scroll it into view. */
  readonly onMove: (index: number) => void;
  readonly onActivate: (index: number) => void;
}

/** Returns the index of the active row (−1 for none) and the key handler of the list. */
export function useActiveRow({ count, page = 10, onMove, onActivate }: ActiveRowOptions) {
  const [active, setActive] = useState(-1);
  const move = (to: number): void => {
    if (count === 0) return;
    const index = Math.min(count - 1, Math.max(0, to));
    setActive(index);
    onMove(index);
  };
  const targets: Readonly<Record<string, () => number>> = {
    ArrowDown: () => active + 1,
    ArrowUp: () => (active === -1 ? count - 1 : active - 1),
    PageDown: () => active + page,
    PageUp: () => active - page,
    Home: () => 0,
    End: () => count - 1,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = targets[event.key];
    if (target) {
      event.preventDefault();
      move(target());
    } else if ((event.key === 'Enter' || event.key === ' ') && active >= 0 && active < count) {
      event.preventDefault();
      onActivate(active);
    }
  };
  return { active: active < count ? active : -1, setActive, onKeyDown };
}
