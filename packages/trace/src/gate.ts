/** Defines the gate, the debugger's hook into the flow: every span passes it before and after its body. */
import type { Context, Span, SpanContext } from './context.ts';
import type { Attributes } from './event.ts';
import type { Point } from './point.ts';

/** The result of a span's body, as the gate receives it. */
export type SpanResult<T = unknown> =
  | { readonly outcome: 'ok'; readonly value: T }
  | { readonly outcome: 'error' | 'canceled'; readonly error: unknown };

/**
 * Decides if and how the flow continues. Undefined continues at once (without yielding to the event loop); a promise
 * stops the span until it settles.
 */
export interface Gate {
  /**
   * Called before the body. A rejection fails the span with that error (a fault), a result replaces the body's; the
   * body runs in neither case. {@link Span.replace} provides a value that the body uses instead of computing it.
   */
  before(ctx: SpanContext, span: Span): Promise<SpanResult | undefined> | undefined;
  /** Called after the body. A result replaces the body's. */
  after(ctx: SpanContext, span: Span, result: SpanResult): Promise<SpanResult | undefined> | undefined;
  /** Called after a rule was evaluated. The flow can't be stopped here, only at the next span's gate. */
  decided?(ctx: Context, rule: string, facts: Attributes, outcome: unknown): void;
  /** Returns true if a message at this point passes the gates as a span. If absent, no message does. */
  watches?(ctx: Context, point: Point): boolean;
}

/** The gate that lets everything pass. */
export const openGate: Gate = { before: () => undefined, after: () => undefined };
