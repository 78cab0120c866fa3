/**
 * Defines the context that every function of the flow receives as its first parameter: clock, abort signal, tracer and
 * the current span. Upstream: Go's context.Context.
 */
import type { Clock } from './clock.ts';
import { DeadlineExceededError } from './error.ts';
import type { Attributes, EventPayload } from './event.ts';
import type { Point } from './point.ts';

/** The pod that a context works for. */
export interface PodReference {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A slot that work occupies and other work waits for. A debugger that stops the work releases the slot meanwhile, so
 * that a stopped pod never blocks another one.
 */
export interface SharedSlot {
  /** Releases the slot. */
  leave(): void;
  /** Waits for the slot and occupies it again. */
  enter(): Promise<void>;
}

/** The tracer as the functions of the flow use it. */
export interface ContextTracer {
  /** True if a sink records events. Callers can omit costly descriptions otherwise. */
  readonly enabled: boolean;
  /**
   * Runs `body` as a span at `point`: emits its start and end, passes the gate on both sides, and rethrows errors of
   * the body. `attributes` are the values known at the start; a function is called only if events are recorded.
   * `exposures` are further values for a debugger, available from the first gate on.
   */
  span<T>(
    ctx: Context,
    point: Point,
    attributes: Attributes | (() => Attributes),
    body: (ctx: SpanContext) => Promise<T> | T,
    exposures?: Exposures,
  ): Promise<T>;
  /**
   * Like {@link span}, but emits nothing if nothing happens inside: the start is recorded when something first refers
   * to it. At a watched point it is an ordinary span.
   */
  tick<T>(ctx: Context, point: Point, attributes: Attributes, body: (ctx: SpanContext) => Promise<T> | T): Promise<T>;
  /**
   * Records a span around synchronous work. It can be stopped only at a watched point.
   * @returns undefined if the work is done
   */
  atOnce(
    ctx: Context,
    point: Point,
    attributes: Attributes,
    body: (ctx: SpanContext) => void,
  ): Promise<void> | undefined;
  /**
   * Records that `rule` was evaluated: its facts, its outcome, and whether it settled the question. A function in
   * `facts` is called only if events are recorded or the gate listens to decisions.
   */
  decide(
    ctx: Context,
    rule: string,
    facts: Attributes | (() => Attributes),
    outcome: unknown,
    decisive?: boolean,
  ): void;
  /**
   * Delivers a message at once and unrecorded, unless its point is watched. At a watched point this is a span with
   * gates, and {@link Span.replacement} sets the number of deliveries.
   * @returns undefined if the message is delivered
   */
  handOver(ctx: Context, point: Point, attributes: Attributes, deliver: () => void): Promise<void> | undefined;
  /** Records an event at the context's place in the flow. */
  emit(ctx: Context, payload: EventPayload): void;
}

/**
 * The first parameter of every function of the flow, as in Go. Immutable: derive a new one with the `with…` functions.
 */
export interface Context {
  readonly clock: Clock;
  readonly tracer: ContextTracer;
  /** Aborted if the work should end early; its `reason` is the cause. */
  readonly signal: AbortSignal;
  /** Id of the thread: a pod worker's pod UID, or the name of a loop (`syncLoop`, `pleg`). */
  readonly thread: string;
  readonly pod: PodReference | undefined;
  /** The innermost open span. */
  readonly span: Span | undefined;
  /** The slot that the work occupies, if it had to wait for one. */
  readonly slot?: SharedSlot;
}

const never = new AbortController().signal;

/** Returns the root context of a run. */
export function background(clock: Clock, tracer: ContextTracer, thread = 'main', signal: AbortSignal = never): Context {
  return { clock, tracer, signal, thread, pod: undefined, span: undefined };
}

/** Returns a context that is aborted when either signal is. */
export function withSignal(ctx: Context, signal: AbortSignal): Context {
  return { ...ctx, signal: ctx.signal === never ? signal : AbortSignal.any([ctx.signal, signal]) };
}

/**
 * Returns a context without the caller's cancellation, for work that must not be interrupted once begun (Go:
 * context.WithoutCancel).
 */
export const withoutCancel = (ctx: Context): Context => ({ ...ctx, signal: never });

/** Returns a context on another thread, without an open span. */
export const withThread = (ctx: Context, thread: string, pod?: PodReference): Context => ({
  ...ctx,
  thread,
  pod: pod ?? ctx.pod,
  span: undefined,
});

/** Returns a context for work on that pod. */
export const withPod = (ctx: Context, pod: PodReference): Context => ({ ...ctx, pod });

/** Runs `body` with a context that is aborted with {@link DeadlineExceededError} after `ms`. */
export async function withTimeout<T>(ctx: Context, ms: number, body: (ctx: Context) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = ctx.clock.schedule(ms, () => controller.abort(new DeadlineExceededError()));
  try {
    return await body(withSignal(ctx, controller.signal));
  } finally {
    timer.cancel();
  }
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
