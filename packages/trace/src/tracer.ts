/** The only instrument of the engine: spans mark what happens, decisions record why, both go to the event log. */
import type { Context } from './context.ts';
import { describeError, isCanceled } from './error.ts';
import type { Attributes, EventPayload, UnstampedEvent } from './event.ts';
import { type Gate, openGate, type SpanResult } from './gate.ts';
import type { Point } from './point.ts';

/** Takes events in the order in which they happen. */
export interface EventSink {
  append(event: UnstampedEvent): void;
}

/** An open span. */
export class Span {
  readonly id: number;
  readonly point: Point;
  readonly parent: Span | undefined;
  #attributes: Record<string, unknown> | undefined;

  constructor(id: number, point: Point, parent: Span | undefined) {
    this.id = id;
    this.point = point;
    this.parent = parent;
  }

  /** Adds values that became known while the span ran: they stand in its end event. */
  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** What {@link set} was given so far. */
  get attributes(): Attributes | undefined {
    return this.#attributes;
  }
}

/** The context inside a span's body. */
export type SpanContext = Context & { readonly span: Span };

/** Marks spans and decisions and passes them to the sink. Without a sink it costs next to nothing, and the gate still holds. */
export class Tracer {
  readonly #sink: EventSink | undefined;
  readonly #gate: Gate;
  #lastSpan = 0;

  constructor(sink?: EventSink, gate: Gate = openGate) {
    this.#sink = sink;
    this.#gate = gate;
  }

  /** True when somebody keeps the events: what is costly to describe may be left out otherwise. */
  get enabled(): boolean {
    return this.#sink !== undefined;
  }

  /**
   * Runs `body` as a span at `point`: emits its start and end, passes the gate on both sides, and rethrows what the body throws.
   * `attributes` are the values known at the start; a function is only called when somebody keeps the events.
   */
  async span<T>(ctx: Context, point: Point, attributes: Attributes | (() => Attributes), body: (ctx: SpanContext) => Promise<T> | T): Promise<T> {
    const span = new Span(++this.#lastSpan, point, ctx.span);
    const inner: SpanContext = { ...ctx, span };
    const gated = this.#gate !== openGate;
    const values = typeof attributes === 'function' ? (this.#sink || gated ? attributes() : {}) : attributes;
    if (this.#sink) {
      this.#append(inner, {
        type: 'spanStarted',
        span: span.id,
        parent: ctx.span?.id,
        point: point.id,
        kind: point.kind,
        title: point.title,
        attributes: values,
      });
    }
    const result = await this.#run(inner, span, values, body);
    try {
      const held = gated ? this.#gate.after(inner, span, result) : undefined;
      if (held) await held;
    } finally {
      this.#end(inner, span, result);
    }
    if (result.outcome !== 'ok') throw result.error;
    return result.value;
  }

  async #run<T>(ctx: SpanContext, span: Span, attributes: Attributes, body: (ctx: SpanContext) => Promise<T> | T): Promise<SpanResult<T>> {
    try {
      const held = this.#gate === openGate ? undefined : this.#gate.before(ctx, span, attributes);
      if (held) await held;
      return { outcome: 'ok', value: await body(ctx) };
    } catch (error) {
      return { outcome: isCanceled(error, ctx.signal) ? 'canceled' : 'error', error };
    }
  }

  /**
   * Records that `rule` was weighed: the facts it saw, what it decided, and whether that settled the question. Facts are described only
   * when somebody keeps the events.
   */
  decide(ctx: Context, rule: string, facts: Attributes | (() => Attributes), outcome: unknown, decisive = true): void {
    if (!this.#sink) return;
    this.#append(ctx, { type: 'decision', rule, facts: typeof facts === 'function' ? facts() : facts, outcome, decisive });
  }

  /** Records an event at the context's place in the flow. */
  emit(ctx: Context, payload: EventPayload): void {
    if (this.#sink) this.#append(ctx, payload);
  }

  #end(ctx: SpanContext, span: Span, result: SpanResult): void {
    if (!this.#sink) return;
    const failed = result.outcome === 'ok' ? undefined : describeError(result.error);
    this.#append(ctx, { type: 'spanEnded', span: span.id, outcome: result.outcome, error: failed, attributes: span.attributes });
  }

  #append(ctx: Context, payload: EventPayload | Omit<UnstampedEvent, 'thread'>): void {
    // The payload's own type says which event it is; the place is the same for all of them.
    this.#sink?.append({ span: ctx.span?.id, pod: ctx.pod?.uid, ...payload, thread: ctx.thread } as UnstampedEvent);
  }
}
