/** The node's clock for ages and countdowns: one timer for the whole page. */
import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from './node-session.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 250);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The node's time, whole seconds: re-renders once a second. While not `active` it stands still. */
export function useNow(active = true): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => Math.floor(run.now() / 1000) * 1000,
  );
}

/** The browser's time in steps of a quarter second, for what counts in it. */
export function useBrowserNow(active = true): number {
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => Math.floor(Date.now() / 250) * 250,
  );
}
