/** Collects the decisions that were made during a span. */
import type { DecisionRecord, SpanRecord } from '@podscope/trace';

const mostDecisions = 100;

/** Returns the decisions of a span and its descendants in order, at most 100. */
export function decisionsWithin(
  span: SpanRecord,
  spanOf: (id: number | undefined) => SpanRecord | undefined,
): readonly DecisionRecord[] {
  const found: DecisionRecord[] = [];
  const visit = (at: SpanRecord): void => {
    found.push(...at.decisions);
    for (const id of at.children) {
      if (found.length >= mostDecisions) return;
      const child = spanOf(id);
      if (child) visit(child);
    }
  };
  visit(span);
  return found.toSorted((a, b) => a.seq - b.seq).slice(0, mostDecisions);
}
