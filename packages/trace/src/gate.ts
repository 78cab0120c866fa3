/** The seam where a debugger lives: every span passes its gate before it starts and before it ends. */
import type { Context } from './context.ts';
import type { Attributes } from './event.ts';
import type { Point } from './point.ts';
import type { Span, SpanContext } from './tracer.ts';

/** How a span's body came out, as the gate sees it. */
export type SpanResult<T = unknown> = { readonly outcome: 'ok'; readonly value: T } | { readonly outcome: 'error' | 'canceled'; readonly error: unknown };

/**
 * Decides whether the flow goes on, and how. Undefined means at once (no turn of the event loop is spent); a promise holds the span until
 * it settles.
 */
export interface Gate {
  /**
   * Before the body. A rejection fails the span with that error instead of running it (a fault); a result stands for the body's, which
   * is not run; {@link Span.replace} gives the body something to go on with instead of finding it out.
   */
  before(ctx: SpanContext, span: Span): Promise<SpanResult | undefined> | undefined;
  /** After the body. A result replaces the body's. */
  after(ctx: SpanContext, span: Span, result: SpanResult): Promise<SpanResult | undefined> | undefined;
  /** A rule was weighed. The flow cannot be held here; it can at the next span's gate. */
  decided?(ctx: Context, rule: string, facts: Attributes, outcome: unknown): void;
  /** True when a message that passes this point is to pass the gates as a span. Without it, none does. */
  watches?(ctx: Context, point: Point): boolean;
}

/** The gate that lets everything pass. */
export const openGate: Gate = { before: () => undefined, after: () => undefined };
