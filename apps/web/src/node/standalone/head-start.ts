/** Computes how much virtual time of a run in the page passes at once, before its first client connects. */
import type { EngineOptions } from './engine-messages.ts';

/**
 * The longest loading time in ms that a run makes up for. A page on a slow connection takes longer to load; its user
 * still sees the following seconds happen.
 */
const longest = 1_000;

/**
 * Returns the virtual time in ms that passes at once when a run starts: the `time` of its options, or the time that its
 * page took to load. The run of a link so begins with the navigation, and a loaded page shows its pod without the
 * loading time. A run that is paused or has a speed of its own begins at its first instant.
 * @param loading time in ms from the navigation to the start of the run; 0 for a run that a loaded page starts
 */
export function headStart({ speed, paused, time }: EngineOptions, loading: number): number {
  if (time !== undefined) return time * 1_000;
  if (speed !== undefined || paused) return 0;
  return Math.min(longest, Math.max(0, loading));
}
