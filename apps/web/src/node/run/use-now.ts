/** Provides the node's time for ages and countdowns, with one timer for the whole page. */
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
 * Returns the node's time, which is constant between two ticks of the timer. Virtual time may run a thousand times
 * faster than real time, and React would render endlessly with a value that differs on each read.
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
 * Returns the node's time in milliseconds, for the durations of spans that are still open. The time is updated four
 * times a second. It is the time of the node's clock and not of the last event. Otherwise an open span could be shown
 * as shorter than a finished span inside it.
 */
export const useExactNow = (active = true): number => useReading(active, nowOf);

/** Returns the browser's time in steps of a quarter second. */
export function useBrowserNow(active = true): number {
  return useSyncExternalStore(
    useCallback((listener) => (active ? subscribe(listener) : () => {}), [active]),
    () => Math.floor(Date.now() / period) * period,
  );
}
