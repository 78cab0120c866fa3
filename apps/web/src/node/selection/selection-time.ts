/** Finds the instant of a selected item. */
import type { Selection } from './resolve-selection.ts';

/** Returns the time of the item, in milliseconds since the Unix epoch; undefined for the pod and for spans. */
export function selectionTime(selection: Selection): number | undefined {
  switch (selection.kind) {
    case 'attempt':
      return selection.attempt.createdAt ?? selection.attempt.startedAt;
    case 'backOff':
      return selection.backOff.since;
    case 'event':
      return selection.event.time;
    case 'stop':
      return selection.stop.start;
    default:
      return undefined;
  }
}
