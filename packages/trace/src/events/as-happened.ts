/** Gives late events of a genuine kubelet the time at which they happened. */
import type { TraceEvent } from './event.ts';

/** Returns the event with the time at which it happened instead of the time at which the log received it. */
export const asHappened = (event: TraceEvent): TraceEvent =>
  event.at === undefined ? event : { ...event, time: event.at };
