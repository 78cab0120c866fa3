/**
 * Defines the context that every function of the flow receives as its first parameter: clock, abort signal, tracer and
 * the current span. Upstream: Go's context.Context.
 */
import type { Clock } from './clock.ts';
import type { Span, Tracer } from './tracer.ts';

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

/**
 * The first parameter of every function of the flow, as in Go. Immutable: derive a new one with the `with…` functions.
 */
export interface Context {
  readonly clock: Clock;
  readonly tracer: Tracer;
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
export function background(clock: Clock, tracer: Tracer, thread = 'main', signal: AbortSignal = never): Context {
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

/** The abort reason after a time limit has passed (Go: context.DeadlineExceeded). */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
  constructor(message = 'context deadline exceeded') {
    super(message);
  }
}

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
