/**
 * Implements the engine's only instrumentation: spans record what happens and decisions record why, both in the event
 * log.
 */
import type { Context } from './context.ts';
import { describeError, isCanceled } from './error.ts';
import type { Attributes, EventPayload, UnstampedEvent } from './event.ts';
import { type Gate, openGate, type SpanResult } from './gate.ts';
import type { Point } from './point.ts';

/** Receives events in the order in which they happen. */
export interface EventSink {
  append(event: UnstampedEvent): void;
}

/** A value of the flow that a debugger can read, and change if it has a `write`. */
export interface Exposed {
  /** Description in one sentence. */
  readonly description?: string;
  read(): unknown;
  /**
   * Sets the value from JSON.
   * @throws Error that describes why the value is invalid
   */
  write?(value: unknown): void;
}

/** The argument of {@link Span.replace} at a message. 0 copies drop the message. */
export interface Delivery {
  readonly copies: number;
}

const isDelivery = (value: unknown): value is Delivery =>
  typeof value === 'object' && value !== null && 'copies' in value && typeof value.copies === 'number';

/** Exposed values by name. */
export type Exposures = Readonly<Record<string, Exposed | (() => unknown)>>;

/** An open span. */
export class Span {
  readonly point: Point;
  readonly parent: Span | undefined;
  /** The context in which the span was opened: thread, pod and signals. */
  readonly context: Context;
  /** The values known at the start of the span. */
  readonly values: Attributes;
  #id: number | (() => number);
  #attributes: Record<string, unknown> | undefined;
  #exposures: Exposures | undefined;
  #replacement: unknown;

  /** @param id the span's number, or a function that starts the span on first use and returns its number */
  constructor(id: number | (() => number), point: Point, context: Context, values: Attributes) {
    this.#id = id;
    this.point = point;
    this.parent = context.span;
    this.context = context;
    this.values = values;
  }

  /** The span's number in the log. */
  get id(): number {
    return typeof this.#id === 'number' ? this.#id : (this.#id = this.#id());
  }

  /** False for a tick in which nothing has happened yet. */
  get hasBegun(): boolean {
    return typeof this.#id === 'number';
  }

  /** Sets the function that starts the span on first use. Has no effect if the span has begun. */
  beginLate(begin: () => number): void {
    if (!this.hasBegun) this.#id = begin;
  }

  /** Adds values that became known while the span ran. They are recorded in its end event. */
  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** The values passed to {@link set} so far. */
  get attributes(): Attributes | undefined {
    return this.#attributes;
  }

  /** Exposes values to a debugger while the work is in progress. They are read only on demand. */
  expose(exposures: Exposures): void {
    this.#exposures = this.#exposures ? { ...this.#exposures, ...exposures } : exposures;
  }

  /** The values passed to {@link expose} so far. */
  get exposures(): Exposures | undefined {
    return this.#exposures;
  }

  /**
   * Provides a value for the body to use instead of computing it. Called by a gate; a body that supports it reads
   * {@link replacement}.
   */
  replace(value: unknown): void {
    this.#replacement = value;
  }

  /** The value passed to {@link replace}, usually undefined. */
  get replacement(): unknown {
    return this.#replacement;
  }
}

/** The context inside a span's body. */
export type SpanContext = Context & { readonly span: Span };

/**
 * Opens spans and records decisions in the sink. Without a sink this costs next to nothing, and the gate still works.
 */
export class Tracer {
  readonly #sink: EventSink | undefined;
  readonly #gate: Gate;
  #lastSpan = 0;

  constructor(sink?: EventSink, gate: Gate = openGate) {
    this.#sink = sink;
    this.#gate = gate;
  }

  /** True if a sink records events. Callers can omit costly descriptions otherwise. */
  get enabled(): boolean {
    return this.#sink !== undefined;
  }

  /**
   * Runs `body` as a span at `point`: emits its start and end, passes the gate on both sides, and rethrows errors of
   * the body. `attributes` are the values known at the start; a function is called only if events are recorded.
   * `exposures` are further values for a debugger, available from the first gate on.
   */
  async span<T>(
    ctx: Context,
    point: Point,
    attributes: Attributes | (() => Attributes),
    body: (ctx: SpanContext) => Promise<T> | T,
    exposures?: Exposures,
  ): Promise<T> {
    return this.#spanned(ctx, point, attributes, body, exposures, false);
  }

  /**
   * Like {@link span}, but emits nothing if nothing happens inside: the start is recorded when something first refers
   * to it. At a watched point it is an ordinary span.
   */
  tick<T>(ctx: Context, point: Point, attributes: Attributes, body: (ctx: SpanContext) => Promise<T> | T): Promise<T> {
    return this.#spanned(ctx, point, attributes, body, undefined, this.#gate.watches?.(ctx, point) !== true);
  }

  /**
   * Records a span around synchronous work. It can be stopped only at a watched point.
   * @returns undefined if the work is done
   */
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
    // The parent gets the smaller number, even if it is a tick that begins only now.
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

  /**
   * Records that `rule` was evaluated: its facts, its outcome, and whether it settled the question. A function in
   * `facts` is called only if events are recorded or the gate listens to decisions.
   */
  decide(ctx: Context, rule: string, facts: Attributes | (() => Attributes), outcome: unknown, decisive = true): void {
    const gate = this.#gate;
    if (!this.#sink && !gate.decided) return;
    const seen = typeof facts === 'function' ? facts() : facts;
    if (this.#sink) this.#append(ctx, { type: 'decision', rule, facts: seen, outcome, decisive });
    gate.decided?.(ctx, rule, seen, outcome);
  }

  /**
   * Delivers a message at once and unrecorded, unless its point is watched. At a watched point this is a span with
   * gates, and {@link Span.replacement} sets the number of deliveries.
   * @returns undefined if the message is delivered
   */
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

  /** Records an event at the context's place in the flow. */
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
    // If work that outlives an empty tick refers to it later, the tick begins and ends at that time.
    else span.beginLate(() => end(this.#start(span.context, span.point, span.values)));
  }

  #append(ctx: Context, payload: EventPayload): void {
    if (this.#sink) this.#record(ctx, ctx.span?.id, payload);
  }

  #record(ctx: Context, span: number | undefined, payload: EventPayload | Omit<UnstampedEvent, 'thread'>): void {
    // The payload's type identifies the event; all events share the other fields.
    this.#sink?.append({ span, pod: ctx.pod?.uid, ...payload, thread: ctx.thread } as UnstampedEvent);
  }
}
