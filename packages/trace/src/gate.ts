/** The seam where a debugger lives: every span passes its gate before it starts and before it ends. */
import type { Context } from './context.ts';
import type { Attributes } from './event.ts';
import type { Span } from './tracer.ts';

/** How a span's body came out, as the gate sees it. */
export type SpanResult<T = unknown> = { readonly outcome: 'ok'; readonly value: T } | { readonly outcome: 'error' | 'canceled'; readonly error: unknown };

/**
 * Decides whether the flow goes on. Undefined means at once (no turn of the event loop is spent); a promise holds the span until it
 * settles; a rejection before the body fails the span with that error instead of running it (a fault).
 */
export interface Gate {
  before(ctx: Context, span: Span, attributes: Attributes): Promise<void> | undefined;
  after(ctx: Context, span: Span, result: SpanResult): Promise<void> | undefined;
}

/** The gate that lets everything pass. */
export const openGate: Gate = { before: () => undefined, after: () => undefined };
