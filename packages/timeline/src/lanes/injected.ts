/** Detects spans that a fault, or a user at a stop, has changed. */
import { interventionsWithin, type SpanRecord } from '@podscope/trace';

/**
 * Returns true for a span that was changed, or that failed because a call inside it was changed; otherwise undefined.
 */
export const isInjected = (span: SpanRecord, spanOf: (id: number) => SpanRecord | undefined): true | undefined =>
  span.interventions.length > 0 ||
  (span.outcome === 'error' && interventionsWithin(span, spanOf).length > 0) ||
  undefined;
