/** Formats and parses the `traceparent` metadata of CRI calls. Specification: W3C Trace Context, level 1. */

/** The metadata key. */
export const traceparentKey = 'traceparent';

/** The ids of a client's span. */
export interface TraceParent {
  /** The id of the trace: 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span's number. */
  readonly spanId: number;
}

/** Formats a sampled `traceparent` of version 00. */
export const formatTraceparent = ({ traceId, spanId }: TraceParent): string =>
  `00-${traceId}-${spanId.toString(16).padStart(16, '0')}-01`;

const pattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/** Returns the ids in a text; undefined for an invalid text, and for a span id beyond 2^53, which no client sends. */
export function parseTraceparent(text: string): TraceParent | undefined {
  const [, traceId, span] = pattern.exec(text) ?? [];
  const spanId = Number.parseInt(span ?? '', 16);
  return traceId !== undefined && Number.isSafeInteger(spanId) && spanId > 0 ? { traceId, spanId } : undefined;
}
