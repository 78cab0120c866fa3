/**
 * Decides where a step ends. Spans correspond to statements: `next` runs the span and stops before its next sibling or
 * at the end of its parent; `stepIn` stops before the first span inside it; `stepOut` stops at the end of its parent.
 * Upstream: the stepping requests of DAP.
 */
import type { Span } from '@podscope/trace';
import { isAround, type SpanBoundary } from './span-boundary.ts';

export type StepMode = 'next' | 'stepIn' | 'stepOut';

/** A step request that is not yet complete. */
export interface Step {
  readonly mode: StepMode;
  /** The span at which the step began. */
  readonly origin: Span;
}

/** True if the step ends at this boundary of its thread. */
export function endsStep({ mode, origin }: Step, { span, phase }: SpanBoundary): boolean {
  if (phase === 'after') return isAround(span, origin);
  if (mode === 'stepOut') return false;
  // The span is the next sibling of the origin or of a span around the origin. A root span also ends the step, because
  // it starts the thread's next sync.
  return (
    mode === 'stepIn' || span.parent === undefined || span.parent === origin.parent || isAround(span.parent, origin)
  );
}
