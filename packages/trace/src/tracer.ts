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

/** A value of the flow that a debugger may look at, and change when it has a `write`. */
export interface Exposed {
  /** One sentence on what it is. */
  readonly description?: string;
  read(): unknown;
  /**
   * Takes another value, as JSON.
   * @throws Error saying what is wrong with it
   */
  write?(value: unknown): void;
}

/** What {@link Span.replace} takes at a message: 0 copies drop it. */
export interface Delivery {
  readonly copies: number;
}

const isDelivery = (value: unknown): value is Delivery => typeof value === 'object' && value !== null && 'copies' in value && typeof value.copies === 'number';

/** Exposed values by name. */
export type Exposures = Readonly<Record<string, Exposed | (() => unknown)>>;

/** An open span. */
export class Span {
  readonly point: Point;
  readonly parent: Span | undefined;
  /** What was around it when it was opened: thread, pod, the signals that end its work. */
  readonly context: Context;
  /** The values known at its start. */
  readonly values: Attributes;
  #id: number | (() => number);
  #attributes: Record<string, unknown> | undefined;
  #exposures: Exposures | undefined;
  #replacement: unknown;

  /** @param id its number, or what begins it once somebody asks for that */
  constructor(id: number | (() => number), point: Point, context: Context, values: Attributes) {
    this.#id = id;
    this.point = point;
    this.parent = context.span;
    this.context = context;
    this.values = values;
  }

  /** Its number in the log. */
  get id(): number {
    return typeof this.#id === 'number' ? this.#id : (this.#id = this.#id());
  }

  /** False for a tick in which nothing has happened yet. */
  get hasBegun(): boolean {
    return typeof this.#id === 'number';
  }

  /** Says what begins it from now on, if nothing has yet. */
  beginLate(begin: () => number): void {
    if (!this.hasBegun) this.#id = begin;
  }

  /** Adds values that became known while the span ran: they stand in its end event. */
  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** What {@link set} was given so far. */
  get attributes(): Attributes | undefined {
    return this.#attributes;
  }

  /** Lets a debugger look at values of the work while it is under way. Costs nothing until somebody looks. */
  expose(exposures: Exposures): void {
    this.#exposures = this.#exposures ? { ...this.#exposures, ...exposures } : exposures;
  }

  /** What {@link expose} was given so far. */
  get exposures(): Exposures | undefined {
    return this.#exposures;
  }

  /** Says what the body shall take as found instead of finding it out. For a gate; bodies that know how look at {@link replacement}. */
  replace(value: unknown): void {
    this.#replacement = value;
  }

  /** What {@link replace} was given; undefined as a rule. */
  get replacement(): unknown {
    return this.#replacement;
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
   * `attributes` are the values known at the start; a function is only called when somebody keeps the events. `exposures` are what else
   * a debugger may look at, from the first gate on.
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
   * As {@link span}, but a tick leaves no trace when nothing happens in it: its start is recorded when something first refers to it. Where somebody
   * watches the point it is a span from the beginning.
   */
  tick<T>(ctx: Context, point: Point, attributes: Attributes, body: (ctx: SpanContext) => Promise<T> | T): Promise<T> {
    return this.#spanned(ctx, point, attributes, body, undefined, this.#gate.watches?.(ctx, point) !== true);
  }

  /**
   * A span around what is done at once, in functions that do not wait. Only where somebody watches the point it can be held.
   * @returns undefined when it has been done
   */
  atOnce(ctx: Context, point: Point, attributes: Attributes, body: (ctx: SpanContext) => void): Promise<void> | undefined {
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
    return new Span(begins ? () => this.#start(ctx, point, values) : this.#start(ctx, point, values), point, ctx, values);
  }

  /** @returns the new span's number */
  #start(ctx: Context, point: Point, attributes: Attributes): number {
    // What is around it has the smaller number, also when it is a tick that only begins now.
    const parent = ctx.span?.id;
    const span = ++this.#lastSpan;
    this.#record(ctx, span, { type: 'spanStarted', span, parent, point: point.id, kind: point.kind, title: point.title, attributes });
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
      // A gate replaces a result by one of the same kind: it stands in for what the body would have given.
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
   * Records that `rule` was weighed: the facts it saw, what it decided, and whether that settled the question. Facts are described only
   * when somebody keeps the events or listens at the gate.
   */
  decide(ctx: Context, rule: string, facts: Attributes | (() => Attributes), outcome: unknown, decisive = true): void {
    const gate = this.#gate;
    if (!this.#sink && !gate.decided) return;
    const seen = typeof facts === 'function' ? facts() : facts;
    if (this.#sink) this.#append(ctx, { type: 'decision', rule, facts: seen, outcome, decisive });
    gate.decided?.(ctx, rule, seen, outcome);
  }

  /**
   * Hands a message of the flow over: at once and unrecorded, unless somebody watches the point. Then it is a span like any other, at whose
   * gates it can be held, and whose {@link Span.replacement} says how often it is delivered.
   * @returns undefined when it has been delivered
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
    // Should work that it left behind still refer to a tick without anything, it begins and ends there.
    else span.beginLate(() => end(this.#start(span.context, span.point, span.values)));
  }

  #append(ctx: Context, payload: EventPayload): void {
    if (this.#sink) this.#record(ctx, ctx.span?.id, payload);
  }

  #record(ctx: Context, span: number | undefined, payload: EventPayload | Omit<UnstampedEvent, 'thread'>): void {
    // The payload's own type says which event it is; the place is the same for all of them.
    this.#sink?.append({ span, pod: ctx.pod?.uid, ...payload, thread: ctx.thread } as UnstampedEvent);
  }
}
