/**
 * Implements the engine's only instrumentation. Spans record what happens, and decisions record why; both are in the
 * event log.
 */
import { type Context, type ContextTracer, type Exposures, Span, type SpanContext } from './context.ts';
import { describeError, isCanceled } from './error.ts';
import type { Attributes, EventPayload, UnstampedEvent } from './events/event.ts';
import { type Gate, openGate, type SpanResult } from './gate.ts';
import type { Point } from './point.ts';

/** Receives events in the order in which they happen. */
export interface EventSink {
  append(event: UnstampedEvent): void;
}

/** The value for {@link Span.replace} at the delivery of a message. With 0 copies, the message is dropped. */
export interface Delivery {
  readonly copies: number;
}

const isDelivery = (value: unknown): value is Delivery =>
  typeof value === 'object' && value !== null && 'copies' in value && typeof value.copies === 'number';

/**
 * Opens spans and records decisions in the sink. Without a sink, tracing costs almost no time, and the gate is still
 * called.
 */
export class Tracer implements ContextTracer {
  readonly #sink: EventSink | undefined;
  readonly #gate: Gate;
  #lastSpan = 0;

  constructor(sink?: EventSink, gate: Gate = openGate) {
    this.#sink = sink;
    this.#gate = gate;
  }

  get enabled(): boolean {
    return this.#sink !== undefined;
  }

  async span<T>(
    ctx: Context,
    point: Point,
    attributes: Attributes | (() => Attributes),
    body: (ctx: SpanContext) => Promise<T> | T,
    exposures?: Exposures,
  ): Promise<T> {
    return this.#spanned(ctx, point, attributes, body, exposures, false);
  }

  tick<T>(ctx: Context, point: Point, attributes: Attributes, body: (ctx: SpanContext) => Promise<T> | T): Promise<T> {
    return this.#spanned(ctx, point, attributes, body, undefined, this.#gate.watches?.(ctx, point) !== true);
  }

  atOnce(
    ctx: Context,
    point: Point,
    attributes: Attributes,
    body: (ctx: SpanContext) => void,
  ): Promise<void> | undefined {
    if (this.#gate.watches?.(ctx, point)) return this.span(ctx, point, attributes, body);
    const span = this.#open(ctx, point, attributes, false);
    const inner: SpanContext = { ...ctx, span };
    let result: SpanResult = { outcome: 'ok', value: undefined };
    try {
      body(inner);
    } catch (error) {
      result = { outcome: 'error', error };
      throw error;
    } finally {
      this.#end(inner, span, result);
    }
    return undefined;
  }

  #open(ctx: Context, point: Point, values: Attributes, late: boolean): Span {
    const begins = late && this.#sink;
    return new Span(
      begins ? () => this.#start(ctx, point, values) : this.#start(ctx, point, values),
      point,
      ctx,
      values,
    );
  }

  /** @returns the new span's number */
  #start(ctx: Context, point: Point, attributes: Attributes): number {
    // Parents have smaller ids than their children, so a tick gets its id before the first span inside the tick does.
    const parent = ctx.span?.id;
    const span = ++this.#lastSpan;
    this.#record(ctx, span, {
      type: 'spanStarted',
      span,
      parent,
      point: point.id,
      kind: point.kind,
      title: point.title,
      attributes,
    });
    return span;
  }

  async #spanned<T>(
    ctx: Context,
    point: Point,
    attributes: Attributes | (() => Attributes),
    body: (ctx: SpanContext) => Promise<T> | T,
    exposures: Exposures | undefined,
    late: boolean,
  ): Promise<T> {
    const gated = this.#gate !== openGate;
    const values = typeof attributes === 'function' ? (this.#sink || gated ? attributes() : {}) : attributes;
    const span = this.#open(ctx, point, values, late);
    const inner: SpanContext = { ...ctx, span };
    if (exposures) span.expose(exposures);
    let result = await this.#run(inner, span, body);
    try {
      const held = gated ? this.#gate.after(inner, span, result) : undefined;
      // The type is safe: a gate replaces a result only with one of the body's type.
      if (held) result = ((await held) as SpanResult<T> | undefined) ?? result;
    } finally {
      this.#end(inner, span, result);
    }
    if (result.outcome !== 'ok') throw result.error;
    return result.value;
  }

  async #run<T>(ctx: SpanContext, span: Span, body: (ctx: SpanContext) => Promise<T> | T): Promise<SpanResult<T>> {
    try {
      const held = this.#gate === openGate ? undefined : this.#gate.before(ctx, span);
      if (held) {
        const instead = (await held) as SpanResult<T> | undefined;
        if (instead) return instead;
      }
      return { outcome: 'ok', value: await body(ctx) };
    } catch (error) {
      return { outcome: isCanceled(error, ctx.signal) ? 'canceled' : 'error', error };
    }
  }

  decide(ctx: Context, rule: string, facts: Attributes | (() => Attributes), outcome: unknown, decisive = true): void {
    const gate = this.#gate;
    if (!this.#sink && !gate.decided) return;
    const seen = typeof facts === 'function' ? facts() : facts;
    if (this.#sink) this.#append(ctx, { type: 'decision', rule, facts: seen, outcome, decisive });
    gate.decided?.(ctx, rule, seen, outcome, decisive);
  }

  handOver(ctx: Context, point: Point, attributes: Attributes, deliver: () => void): Promise<void> | undefined {
    if (!this.#gate.watches?.(ctx, point)) {
      deliver();
      return undefined;
    }
    return this.span(ctx, point, attributes, ({ span }) => {
      const { replacement } = span;
      const copies = isDelivery(replacement) ? replacement.copies : 1;
      for (let copy = 0; copy < copies; copy++) deliver();
    });
  }

  emit(ctx: Context, payload: EventPayload): void {
    if (this.#sink) this.#append(ctx, payload);
  }

  #end(ctx: SpanContext, span: Span, result: SpanResult): void {
    if (!this.#sink) return;
    const { outcome } = result;
    const end = (id: number): number => {
      const failed = outcome === 'ok' ? undefined : describeError(result.error);
      this.#record(ctx, id, { type: 'spanEnded', span: id, outcome, error: failed, attributes: span.attributes });
      return id;
    };
    if (span.hasBegun || outcome === 'error') end(span.id);
    // Work that the tick started can refer to the tick after its end. If the tick is still empty at that time, its
    // start and its end are recorded then.
    else span.beginLate(() => end(this.#start(span.context, span.point, span.values)));
  }

  #append(ctx: Context, payload: EventPayload): void {
    if (this.#sink) this.#record(ctx, ctx.span?.id, payload);
  }

  #record(ctx: Context, span: number | undefined, payload: EventPayload | Omit<UnstampedEvent, 'thread'>): void {
    // The cast is safe: the payload determines the type of the event, and all events have the other fields.
    this.#sink?.append({ span, pod: ctx.pod?.uid, ...payload, thread: ctx.thread } as UnstampedEvent);
  }
}
