/** The node's clock for ages and countdowns: one timer for the whole page. */
import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from './node-session.ts';
import type { RunStore } from './run-store.ts';

const period = 250;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
/** Grows with each round of the timer. */
let round = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    round++;
    for (const each of listeners) each();
  }, period);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface Reading {
  readonly round: number;
  readonly version: number;
  readonly now: number;
}
const readings = new WeakMap<RunStore, Reading>();

/**
 * The node's time in whole seconds, the same for a whole round: virtual time may be a thousand times as fast as the page, and what differs
 * each time it is looked at makes React render without end.
 */
function nowOf(run: RunStore): number {
  const current = timer === undefined ? Math.floor(Date.now() / period) : round;
  const { version } = run;
  const known = readings.get(run);
  if (known?.round === current && known.version === version) return known.now;
  const now = Math.floor(run.now() / 1000) * 1000;
  readings.set(run, { round: current, version, now });
  return now;
}

/** The node's time, whole seconds: re-renders once a second. While not `active` it stands still. */
export function useNow(active = true): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => nowOf(run),
  );
}

/** The browser's time in steps of a quarter second, for what counts in it. */
export function useBrowserNow(active = true): number {
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => Math.floor(Date.now() / period) * period,
  );
}
