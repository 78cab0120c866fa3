/**
 * Defines the gate, through which a debugger acts on the flow. Every span passes the gate before and after its body.
 */
import type { Context, Span, SpanContext } from './context.ts';
import type { Attributes } from './events/event.ts';
import type { Point } from './point.ts';

/** The result of a span's body, as the gate receives it. */
export type SpanResult<T = unknown> =
  | { readonly outcome: 'ok'; readonly value: T }
  | { readonly outcome: 'error' | 'canceled'; readonly error: unknown };

/**
 * Decides whether and how the flow continues. If a function returns undefined, the flow continues at once, without
 * yielding to the event loop. If it returns a promise, the span waits until the promise settles.
 */
export interface Gate {
  /**
   * Called before the body. If the promise rejects, the span fails with that error (a fault). If it resolves with a
   * result, that is the span's result. In both cases the body doesn't run. {@link Span.replace} provides a value that
   * the body uses in place of computing it.
   */
  before(ctx: SpanContext, span: Span): Promise<SpanResult | undefined> | undefined;
  /** Called after the body. If the promise resolves with a result, it replaces the body's result. */
  after(ctx: SpanContext, span: Span, result: SpanResult): Promise<SpanResult | undefined> | undefined;
  /**
   * Called after a rule was evaluated. The flow can't be stopped here; the gate of the next span can stop it.
   * @param decisive false if the rule left the decision to later rules
   */
  decided?(ctx: Context, rule: string, facts: Attributes, outcome: unknown, decisive: boolean): void;
  /** Returns true if a message at this point passes the gate as a span. Absent: no message does. */
  watches?(ctx: Context, point: Point): boolean;
}

/** The gate that never stops or changes the flow. */
export const openGate: Gate = { before: () => undefined, after: () => undefined };
