/** Provides the node's time for ages and countdowns with one timer for the page. */
import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from './node-session.ts';
import type { RunStore } from './run-store.ts';

const period = 250;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
/** Grows with each tick. */
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
 * The node's time in whole seconds, constant during a tick: virtual time may run a thousand times faster, and a value
 * that differs on each read makes React render endlessly.
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

/** Returns the node's time in whole seconds, updated once a second; constant while not `active`. */
export function useNow(active = true): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => nowOf(run),
  );
}

/** Returns the browser's time in steps of a quarter second. */
export function useBrowserNow(active = true): number {
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => Math.floor(Date.now() / period) * period,
  );
}
