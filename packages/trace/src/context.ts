/** What every function of the flow takes first: clock, abort signal, tracer, and where in the flow we are. */
import type { Clock } from './clock.ts';
import type { Span, Tracer } from './tracer.ts';

/** Identity of the pod a context works for. */
export interface PodReference {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A turn that work holds and others wait for. Who stops the work for a person to look at it gives the turn back meanwhile, so that a
 * stopped pod never holds another.
 */
export interface SharedSlot {
  /** Lets others have the turn. */
  leave(): void;
  /** Takes the turn back, waiting for it. */
  enter(): Promise<void>;
}

/** The first argument of every function of the flow, as in Go. Immutable: derive a new one with the `with…` functions. */
export interface Context {
  readonly clock: Clock;
  readonly tracer: Tracer;
  /** Aborted when the work should end early; its `reason` says why. */
  readonly signal: AbortSignal;
  /** The thread: a pod worker's pod UID, or the name of a loop (`syncLoop`, `pleg`). */
  readonly thread: string;
  readonly pod: PodReference | undefined;
  /** The innermost open span. */
  readonly span: Span | undefined;
  /** The turn the work holds, if it had to wait for one. */
  readonly slot?: SharedSlot;
}

const never = new AbortController().signal;

/** The root of all contexts of one run. */
export function background(clock: Clock, tracer: Tracer, thread = 'main', signal: AbortSignal = never): Context {
  return { clock, tracer, signal, thread, pod: undefined, span: undefined };
}

/** Adds a signal: the result is aborted when either is. */
export function withSignal(ctx: Context, signal: AbortSignal): Context {
  return { ...ctx, signal: ctx.signal === never ? signal : AbortSignal.any([ctx.signal, signal]) };
}

/** Leaves the caller's cancellation behind; for work that runs to its end once begun (Go: context.WithoutCancel). */
export const withoutCancel = (ctx: Context): Context => ({ ...ctx, signal: never });

/** Moves to another thread, with no open span. */
export const withThread = (ctx: Context, thread: string, pod?: PodReference): Context => ({ ...ctx, thread, pod: pod ?? ctx.pod, span: undefined });

/** Says which pod the work is for. */
export const withPod = (ctx: Context, pod: PodReference): Context => ({ ...ctx, pod });

/** Raised into a signal when a time limit passes (Go: context.DeadlineExceeded). */
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
