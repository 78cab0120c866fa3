/** Records back-off entries on a container's track. */
import type { TraceEventOf } from '../../events/event.ts';
import { sourceOf } from '../fact-source.ts';
import { containerOf, type MutableContainer, type MutablePod, touch } from '../state/mutable-tracks.ts';
import type { BackOffRecord } from '../tracks.ts';

export function applyBackOff(pod: MutablePod, event: TraceEventOf<'backOff'>): void {
  const track = containerOf(pod, event.container);
  touch(track);
  if (event.state === 'reset') {
    endBackOffs(track, event.time, [event.kind], false);
    return;
  }
  const waiting = event.state === 'waiting';
  // Each sync that finds the entry active emits the event again.
  const at = indexOfEntry(track, event);
  const known = track.backOffs[at];
  if (known) {
    track.backOffs[at] = { ...known, waiting: known.waiting || waiting, seconds: event.seconds, ...sourceOf(event) };
    return;
  }
  track.backOffs.push({
    kind: event.kind,
    seconds: event.seconds,
    since: event.since,
    until: event.until,
    image: event.image,
    waiting,
    endedAt: undefined,
    ...sourceOf(event),
  });
}

/**
 * Returns the index of the entry that the event repeats; −1 for a new one. Entries are ordered by their beginnings, so
 * the search stops at the first entry that began earlier.
 */
function indexOfEntry(track: MutableContainer, { kind, since, until }: TraceEventOf<'backOff'>): number {
  for (let at = track.backOffs.length - 1; at >= 0; at--) {
    const entry = track.backOffs[at];
    if (entry?.kind !== kind) continue;
    if (entry.since < since) return -1;
    if (entry.since === since && entry.until === until) return at;
  }
  return -1;
}

/**
 * Ends the entries for which a start or pull at `time` was waiting. With `onlyWaiting`, armed entries are kept, because
 * they apply to the next failure.
 */
export function endBackOffs(
  track: MutableContainer,
  time: number,
  kinds: readonly BackOffRecord['kind'][],
  onlyWaiting = true,
): void {
  // Searches from the newest entry. All entries before one that has ended have ended, too.
  for (let at = track.backOffs.length - 1; at >= 0; at--) {
    const entry = track.backOffs[at];
    if (!entry || !kinds.includes(entry.kind)) continue;
    if (onlyWaiting && !entry.waiting) continue;
    if (entry.endedAt !== undefined) return;
    track.backOffs[at] = { ...entry, endedAt: time };
    touch(track);
  }
}
