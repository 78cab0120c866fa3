/** Detects whether the window is small: a phone, or a page at 200 % zoom. */
import { useSyncExternalStore } from 'react';

const smallWindow =
  typeof matchMedia === 'function' ? matchMedia('(max-height: 40rem), (max-width: 40rem)') : undefined;

function subscribe(listener: () => void): () => void {
  smallWindow?.addEventListener('change', listener);
  return () => smallWindow?.removeEventListener('change', listener);
}

/** Returns true while the window is at most 40 rem high or wide. */
export const useIsSmallWindow = (): boolean => useSyncExternalStore(subscribe, () => smallWindow?.matches === true);
