/** Detects whether the window is small or narrow: a phone, or a page at 200 % zoom. */
import { useSyncExternalStore } from 'react';

const smallWindow =
  typeof matchMedia === 'function' ? matchMedia('(max-height: 40rem), (max-width: 40rem)') : undefined;

function subscribe(listener: () => void): () => void {
  smallWindow?.addEventListener('change', listener);
  return () => smallWindow?.removeEventListener('change', listener);
}

/** Returns true while the window is at most 40 rem high or wide. */
export const useIsSmallWindow = (): boolean => useSyncExternalStore(subscribe, () => smallWindow?.matches === true);

function subscribeToWidth(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

/** Returns true while the window is narrower than a width in pixels. */
export const useIsNarrowerThan = (width: number): boolean =>
  useSyncExternalStore(subscribeToWidth, () => innerWidth < width);
