/**
 * Selects the sync that the page shows: the requested one, the one that contains the selection, or the latest that did
 * something.
 */
import type { PodTrack, SpanRecord, SyncRecord } from '@podscope/trace';

export type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** Facts from the page's address that select the sync. */
export interface WantedSync {
  /** Number of the sync. */
  readonly number: number | undefined;
  /** Selected span. */
  readonly span: number | undefined;
  /** Time of the selected item if it isn't a span, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
}

/** Returns the spans that led to a sync of the pod worker, outermost first: iteration, handler, UpdatePod. */
export function causesOf(root: SpanRecord | undefined, spanOf: SpanOf): readonly SpanRecord[] {
  const chain: SpanRecord[] = [];
  const causedBy = root?.attributes['causedBy'];
  for (let at = spanOf(typeof causedBy === 'number' ? causedBy : root?.parent); at; at = spanOf(at.parent))
    chain.unshift(at);
  return chain;
}

/** Returns the sync that contains a span, or that the span caused. */
export function syncAround(pod: PodTrack, spanOf: SpanOf, id: number | undefined): SyncRecord | undefined {
  const selected = spanOf(id);
  for (let span = selected; span; span = spanOf(span.parent)) {
    const { id: current } = span;
    const sync = pod.syncs.find((candidate) => candidate.span === current);
    if (sync) return sync;
  }
  if (selected?.kind !== 'loop') return undefined;
  return pod.syncs.find((sync) => causesOf(spanOf(sync.span), spanOf).some((cause) => cause === selected));
}

/** Returns the latest sync that did something or is still running, or else the latest sync. */
export const latestActing = ({ syncs }: PodTrack): SyncRecord | undefined =>
  syncs.findLast(({ acted, end }) => acted || end === undefined) ?? syncs.at(-1);

/** Returns the sync to show; undefined before the first sync. */
export function syncInView(pod: PodTrack, spanOf: SpanOf, { number, span, time }: WantedSync): SyncRecord | undefined {
  const asked =
    number === undefined
      ? (syncAround(pod, spanOf, span) ??
        (time === undefined ? undefined : pod.syncs.find(({ end = Number.POSITIVE_INFINITY }) => end >= time)))
      : pod.syncs.find((candidate) => candidate.number === number);
  return asked ?? latestActing(pod);
}
