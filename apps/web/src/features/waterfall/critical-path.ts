/** Computes the critical path of a sync: for each instant, the innermost span that delays the end of the sync. */
import type { SpanRecord } from '@podscope/trace';

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** A part of the critical path: time that the span itself took, without its children. */
export interface PathSegment {
  readonly span: SpanRecord;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the critical path from the start of `root` to its end, in order. The algorithm goes back in time from the
 * end: before each point, the sync waited for the child that ended last. Time in which no child is on the path belongs
 * to the parent.
 * @param now time used as the end of open spans, in milliseconds since the Unix epoch
 */
export function criticalPath(root: SpanRecord, spanOf: SpanOf, now: number): readonly PathSegment[] {
  const segments: PathSegment[] = [];
  const endOf = ({ start, end }: SpanRecord): number => Math.max(start, end ?? now);
  const add = (span: SpanRecord, from: number, to: number): void => {
    if (to > from) segments.push({ span, from, to });
  };
  /** Adds the critical path of a span up to the time `until`, the last segment first. */
  const walk = (span: SpanRecord, until: number): void => {
    let at = until;
    const children = span.children
      .flatMap((id) => spanOf(id) ?? [])
      .toSorted((a, b) => endOf(b) - endOf(a) || b.startSeq - a.startSeq);
    for (const child of children) {
      const end = endOf(child);
      // Skip a child that ran in parallel with a child that ended later. It isn't on the critical path.
      if (end > at || child.start >= at) continue;
      add(span, end, at);
      walk(child, end);
      at = Math.max(span.start, child.start);
    }
    add(span, span.start, at);
  };
  walk(root, endOf(root));
  return segments.toReversed();
}

/** A span and its share of the critical path. */
export interface PathShare {
  readonly span: SpanRecord;
  readonly milliseconds: number;
  /** The share of the whole path, from 0 to 1. */
  readonly share: number;
}

/** Returns the spans of the path with their own time on it, the longest first. */
export function pathShares(path: readonly PathSegment[]): readonly PathShare[] {
  const times = new Map<SpanRecord, number>();
  for (const { span, from, to } of path) times.set(span, (times.get(span) ?? 0) + to - from);
  const total = [...times.values()].reduce((sum, each) => sum + each, 0);
  return [...times]
    .map(([span, milliseconds]) => ({ span, milliseconds, share: milliseconds / total }))
    .toSorted((a, b) => b.milliseconds - a.milliseconds);
}
