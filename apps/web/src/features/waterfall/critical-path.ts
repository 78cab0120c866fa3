/** Computes the critical path of a sync: at each instant, the innermost span that delays its end. */
import type { SpanRecord } from '@podscope/trace';

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** A stretch of the critical path: the span's own time, not that of its children. */
export interface PathSegment {
  readonly span: SpanRecord;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the critical path from the start of `root` to its end, in order. Walking back from the end, a span is waited
 * for if it is the last one to end before that point; what it leaves of the time is its parent's own.
 * @param now end of open spans, in milliseconds since the Unix epoch
 */
export function criticalPath(root: SpanRecord, spanOf: SpanOf, now: number): readonly PathSegment[] {
  const segments: PathSegment[] = [];
  const endOf = ({ start, end }: SpanRecord): number => Math.max(start, end ?? now);
  const add = (span: SpanRecord, from: number, to: number): void => {
    if (to > from) segments.push({ span, from, to });
  };
  /** Adds the path of a span up to `until`, last segment first. */
  const walk = (span: SpanRecord, until: number): void => {
    let at = until;
    const children = span.children
      .flatMap((id) => spanOf(id) ?? [])
      .toSorted((a, b) => endOf(b) - endOf(a) || b.startSeq - a.startSeq);
    for (const child of children) {
      const end = endOf(child);
      // The child ran in parallel with one that ended later, so it isn't on the critical path.
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

/** A span's share of the critical path. */
export interface PathShare {
  readonly span: SpanRecord;
  readonly milliseconds: number;
  /** From 0 to 1. */
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
