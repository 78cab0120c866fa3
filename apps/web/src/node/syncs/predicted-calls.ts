/** Reads, from the span of a sync, the observed calls that the shadow engine predicted. */
import { isRecord } from '@podscope/base';
import type { SpanRecord } from '@podscope/trace';

/**
 * Returns the spans of the observed calls that the shadow engine predicted. The tree shows such a call in the place of
 * its prediction, and not directly below the sync.
 */
export function predictedCalls({ endAttributes }: Pick<SpanRecord, 'endAttributes'>): ReadonlySet<number> {
  const predicted = endAttributes?.['predicted'];
  if (!Array.isArray(predicted)) return new Set();
  return new Set(
    predicted.flatMap((each: unknown) =>
      isRecord(each) && typeof each['followedBy'] === 'number' ? [each['followedBy']] : [],
    ),
  );
}
