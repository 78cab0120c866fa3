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
 * Returns the node's time, which is constant during a tick. Virtual time may run a thousand times faster than real
 * time, and a value that differs on each read makes React render endlessly.
 */
function nowOf(run: RunStore): number {
  const current = timer === undefined ? Math.floor(Date.now() / period) : round;
  const { version } = run;
  const known = readings.get(run);
  if (known?.round === current && known.version === version) return known.now;
  const now = run.now();
  readings.set(run, { round: current, version, now });
  return now;
}

function useReading(active: boolean, read: (run: RunStore) => number): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => read(run),
  );
}

const inSeconds = (run: RunStore): number => Math.floor(nowOf(run) / 1000) * 1000;

/** Returns the node's time in whole seconds for ages and countdowns; constant while not `active`. */
export const useNow = (active = true): number => useReading(active, inSeconds);

/**
 * Returns the node's time in milliseconds, for the durations of spans that are still open. It is updated four times a
 * second. The node's clock is used instead of the last event's time, so that an open span is never shown as shorter
 * than a finished part of it.
 */
export const useExactNow = (active = true): number => useReading(active, nowOf);

/** Returns the browser's time in steps of a quarter second. */
export function useBrowserNow(active = true): number {
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => Math.floor(Date.now() / period) * period,
  );
}
