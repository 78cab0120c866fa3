/**
 * Defines the context that every function of the flow receives as its first parameter: clock, abort signal, tracer and
 * the current span. Upstream: Go's context.Context.
 */
import type { Clock } from './clock/clock.ts';
import { DeadlineExceededError } from './error.ts';
import type { Attributes, EventPayload } from './events/event.ts';
import type { Point } from './point.ts';

/** The pod for which a context's work is done. */
export interface PodReference {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A slot that work occupies while other work waits for it. If a debugger stops the work, the slot is released until the
 * work continues, so that a stopped pod never blocks another one.
 */
export interface SharedSlot {
  /** Releases the slot. */
  leave(): void;
  /** Waits for the slot and occupies it again. */
  enter(): Promise<void>;
}

/** The part of the tracer that the functions of the flow use. */
export interface ContextTracer {
  /** True if events are recorded. If false, callers can skip costly descriptions. */
  readonly enabled: boolean;
  /**
   * Runs `body` as a span at `point`: emits its start and its end, passes the gate before and after the body, and
   * rethrows the body's error.
   * @param attributes the values that are known at the start; a function is called only if events are recorded
   * @param exposures further values, which a debugger can read once the span has reached the gate before its body
   */
  span<T>(
    ctx: Context,
    point: Point,
    attributes: Attributes | (() => Attributes),
    body: (ctx: SpanContext) => Promise<T> | T,
    exposures?: Exposures,
  ): Promise<T>;
  /**
   * Like {@link span}, but an empty span isn't recorded: the start of the span is recorded together with the first
   * event inside it. At a watched point, the span is recorded as usual.
   */
  tick<T>(ctx: Context, point: Point, attributes: Attributes, body: (ctx: SpanContext) => Promise<T> | T): Promise<T>;
  /**
   * Records a span around synchronous work. A debugger can stop it only at a watched point.
   * @returns undefined if the work is done; a promise if it was stopped
   */
  atOnce(
    ctx: Context,
    point: Point,
    attributes: Attributes,
    body: (ctx: SpanContext) => void,
  ): Promise<void> | undefined;
  /**
   * Records the evaluation of `rule`: its facts, its outcome, and whether it settled the question.
   * @param facts the values; a function is called only if events are recorded or the gate listens to decisions
   */
  decide(
    ctx: Context,
    rule: string,
    facts: Attributes | (() => Attributes),
    outcome: unknown,
    decisive?: boolean,
  ): void;
  /**
   * Delivers a message. At an unwatched point, delivers it at once and records nothing. At a watched point, the
   * delivery is a span that passes the gate, and {@link Span.replacement} sets how often the message is delivered.
   * @returns undefined if the message has been delivered
   */
  handOver(ctx: Context, point: Point, attributes: Attributes, deliver: () => void): Promise<void> | undefined;
  /** Records an event with the context's thread, pod and span. */
  emit(ctx: Context, payload: EventPayload): void;
}

/**
 * The first parameter of every function of the flow, as in Go. It is immutable; the `with…` functions derive a new one.
 */
export interface Context {
  readonly clock: Clock;
  readonly tracer: ContextTracer;
  /** The signal that ends the work early. Its `reason` is the cause. */
  readonly signal: AbortSignal;
  /** The id of the thread: for a pod worker its pod's UID, for a loop its name (`syncLoop`, `pleg`). */
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

/** Returns a context that is aborted when either of the two signals is. */
export function withSignal(ctx: Context, signal: AbortSignal): Context {
  return { ...ctx, signal: ctx.signal === never ? signal : AbortSignal.any([ctx.signal, signal]) };
}

/**
 * Returns a context that isn't aborted when the caller's is, for work that must finish once begun (Go:
 * context.WithoutCancel).
 */
export const withoutCancel = (ctx: Context): Context => ({ ...ctx, signal: never });

/** Returns a context on another thread. It has no open span. */
export const withThread = (ctx: Context, thread: string, pod?: PodReference): Context => ({
  ...ctx,
  thread,
  pod: pod ?? ctx.pod,
  span: undefined,
});

/** Returns a context for work on a pod. */
export const withPod = (ctx: Context, pod: PodReference): Context => ({ ...ctx, pod });

/** Runs `body` with a context that is aborted with a {@link DeadlineExceededError} after `ms`. */
export async function withTimeout<T>(ctx: Context, ms: number, body: (ctx: Context) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = ctx.clock.schedule(ms, () => controller.abort(new DeadlineExceededError()));
  try {
    return await body(withSignal(ctx, controller.signal));
  } finally {
    timer.cancel();
  }
}

/** A value of the flow that a debugger can read. A debugger can change it if `write` exists. */
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

/** The values that a debugger can read, by name. */
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

  /** @param id the span's number, or a function that starts the span when its number is first used */
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

  /** False for a tick inside which no event has been recorded yet. */
  get hasBegun(): boolean {
    return typeof this.#id === 'number';
  }

  /** Sets the function that starts the span when its number is first used. Has no effect if the span has begun. */
  beginLate(begin: () => number): void {
    if (!this.hasBegun) this.#id = begin;
  }

  /** Adds values that became known while the span ran. They are recorded in its end event. */
  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** The values that were passed to {@link set} up to now. */
  get attributes(): Attributes | undefined {
    return this.#attributes;
  }

  /** Exposes values to a debugger while the work is in progress. They are read only when the debugger requests them. */
  expose(exposures: Exposures): void {
    this.#exposures = this.#exposures ? { ...this.#exposures, ...exposures } : exposures;
  }

  /** The values that were passed to {@link expose} up to now. */
  get exposures(): Exposures | undefined {
    return this.#exposures;
  }

  /**
   * Provides a value that the body uses in place of computing it. A gate calls it; a body that supports it reads {@link
   * replacement}.
   */
  replace(value: unknown): void {
    this.#replacement = value;
  }

  /** The value that was passed to {@link replace}; undefined if it wasn't called. */
  get replacement(): unknown {
    return this.#replacement;
  }
}

/** The context inside a span's body. */
export type SpanContext = Context & { readonly span: Span };
