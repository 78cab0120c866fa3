/** What a fault, or a person at a stop, had a hand in. */
import { interventionsWithin, type SpanRecord } from '@podscope/trace';

/** True of a span that was meddled with, and of one that failed over what it called; undefined otherwise. */
export const isInjected = (span: SpanRecord, spanOf: (id: number) => SpanRecord | undefined): true | undefined =>
  span.interventions.length > 0 || (span.outcome === 'error' && interventionsWithin(span, spanOf).length > 0) || undefined;
