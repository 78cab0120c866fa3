/** Reads which observed calls the shadow engine predicted, from the span of a sync. */
import { isRecord } from '@podscope/base';
import type { SpanRecord } from '@podscope/trace';

/**
 * Returns the spans of calls that the shadow engine predicted. The tree shows them in the places of the predictions,
 * not directly below the sync.
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
