/**
 * Steps. A span is to the flow what a statement is to a program: `next` runs the span a thread is stopped at and stops before the one
 * beside it, or at the end of the one around it; `stepIn` stops before the first span inside it; `stepOut` at the end of the one around.
 */
import type { Span } from '@podscope/trace';
import { isAround, type Passage } from './passage.ts';

export type StepMode = 'next' | 'stepIn' | 'stepOut';

/** A step under way. */
export interface Step {
  readonly mode: StepMode;
  /** Where it began. */
  readonly origin: Span;
}

/** True when the step ends at this passage of its thread. */
export function endsStep({ mode, origin }: Step, { span, phase }: Passage): boolean {
  if (phase === 'after') return isAround(span, origin);
  if (mode === 'stepOut') return false;
  // Beside the origin, or beside something around it; a root span is the beginning of the thread's next work.
  return mode === 'stepIn' || span.parent === undefined || span.parent === origin.parent || isAround(span.parent, origin);
}
