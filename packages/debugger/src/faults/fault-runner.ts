/**
 * Applies the actions of faults and of interventions at a stop: delay, set, answer, fail, hang, and ending a wait
 * early.
 */
import { errorMessage } from '@podscope/base';
import type { RuntimeFailures } from '@podscope/cri';
import type { HeldCall, InterventionAction } from '@podscope/protocol';
import { type Attributes, type Clock, type Delivery, type SpanContext, type SpanResult, sleep } from '@podscope/trace';
import { DebuggerError } from '../errors.ts';
import type { Interventions } from '../gate/interventions.ts';
import { exposedAt, exposedNames, framesOf, type SpanBoundary } from '../gate/span-boundary.ts';
import { toMilliseconds } from './duration.ts';
import { CutStreamError, describeFailure, makeFailure } from './failures.ts';

/** Where an intervention comes from: a stop, or a fault. */
export interface Origin {
  readonly origin: 'fault' | 'stop';
  readonly name?: string;
}

interface Held {
  readonly call: HeldCall;
  readonly release: () => void;
}

export interface FaultRunnerOptions {
  readonly clock: Clock;
  readonly interventions: Interventions;
  readonly failures: () => RuntimeFailures | undefined;
  /** Called when a call starts or stops hanging. */
  readonly changed: () => void;
}

type ActionName = 'delay' | 'answer' | 'fail' | 'hang' | 'cut' | 'skipWait' | 'drop' | 'duplicate';

/** Applies actions at span boundaries. */
export class FaultRunner {
  readonly #options: FaultRunnerOptions;
  readonly #held = new Map<number, Held>();
  #lastHeld = 0;

  constructor(options: FaultRunnerOptions) {
    this.#options = options;
  }

  get held(): readonly HeldCall[] {
    return [...this.#held.values()].map(({ call }) => call);
  }

  /** Releases one hanging call or all of them, and returns their ids. */
  release(id?: number): readonly number[] {
    const ids = [...this.#held.keys()].filter((candidate) => id === undefined || candidate === id);
    for (const each of ids) this.#held.get(each)?.release();
    return ids;
  }

  /**
   * Applies every part of an action except `set`. The caller sets values, because setting a value can be rejected.
   * @param until the time at which a hanging call is released at the latest; infinite without a limit
   * @returns the result that replaces the span's result, or undefined
   * @throws the injected error, if applied before the span's body; after the body, the error is part of the result
   */
  async apply(
    boundary: SpanBoundary,
    action: InterventionAction,
    origin: Origin,
    until = Number.POSITIVE_INFINITY,
  ): Promise<SpanResult | undefined> {
    const { ctx, span } = boundary;
    const title = span.point.title;
    const report = (name: ActionName, text: string, details?: Attributes): number =>
      this.#options.interventions.emit(ctx, span, { action: name, ...origin, text, details });
    if (action.delay !== undefined) {
      const delay = toMilliseconds(action.delay);
      report('delay', `${title} is delayed by ${delay / 1000} s`, { milliseconds: delay });
      await sleep(this.#options.clock, delay, ctx.signal);
    }
    if (action.hang) {
      report('hang', `${title} hangs until it is released or its deadline ends`);
      await this.#hang(boundary, until);
    }
    if (action.skipWait) {
      report('skipWait', 'The back-off is skipped');
      span.replace({ skipWait: true });
    }
    if (action.drop || action.duplicate !== undefined) {
      const { event, container } = span.values;
      const copies = action.drop ? 0 : 1 + (action.duplicate ?? 0);
      const whose = typeof container === 'string' ? ` of ${container}` : '';
      const text =
        `${typeof event === 'string' ? event : title}${whose} is ` +
        (copies === 0 ? 'dropped' : `delivered ${copies} times`);
      report(copies === 0 ? 'drop' : 'duplicate', text, span.values);
      span.replace({ copies } satisfies Delivery);
    }
    if (action.answer) {
      const { result, output } = action.answer;
      report('answer', `${title} gives ${result}${output ? `: ${output}` : ''}`, { result, output });
      if (span.point.kind === 'probe') span.replace(action.answer);
      else if (result === 'failure') throw new Error(output ?? 'the hook failed');
      else return { outcome: 'ok', value: undefined };
    }
    if (action.cut !== undefined) {
      report('cut', `The stream of ${title} is cut after ${action.cut} messages of its response`);
      throw new CutStreamError(action.cut);
    }
    if (action.fail) {
      report('fail', `${title} fails with ${describeFailure(action.fail)}`, { ...action.fail });
      const error = makeFailure(action.fail, this.#options.failures());
      if (boundary.phase === 'before') throw error;
      return { outcome: 'error', error };
    }
    return undefined;
  }

  /**
   * Sets a variable that can be changed.
   * @throws DebuggerError Invalid
   */
  set({ ctx, span }: SpanBoundary, name: string, value: unknown, origin: Origin): void {
    const exposed = exposedAt(span, name);
    if (!exposed?.write) {
      const changeable = exposedNames(span).filter((other) => exposedAt(span, other)?.write !== undefined);
      const remedy = changeable.length === 0 ? 'nothing can be here' : `what can: ${changeable.join(', ')}`;
      throw new DebuggerError('Invalid', `${name} cannot be changed; ${remedy}`);
    }
    const before = exposed.read();
    try {
      exposed.write(value);
    } catch (error) {
      throw new DebuggerError('Invalid', `${name}: ${errorMessage(error)}`, { cause: error });
    }
    this.#options.interventions.emit(ctx, span, {
      action: 'set',
      ...origin,
      text: `${name} is now ${JSON.stringify(value)}`,
      details: { name, before, after: value },
    });
  }

  async #hang({ ctx, span }: SpanBoundary, until: number): Promise<void> {
    const id = ++this.#lastHeld;
    const { clock, changed } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const call: HeldCall = {
      id,
      thread: ctx.thread,
      pod: ctx.pod?.uid,
      span: span.id,
      point: span.point.id,
      since: clock.now(),
    };
    this.#held.set(id, { call, release: resolve });
    changed();
    const end = onAbort(ctx, resolve);
    const expiry = Number.isFinite(until) ? clock.schedule(until - clock.now(), resolve) : undefined;
    try {
      await promise;
    } finally {
      end();
      expiry?.cancel();
      this.#held.delete(id);
      changed();
    }
    ctx.signal.throwIfAborted();
  }
}

/** Returns the signals that can abort a span or any enclosing span. */
function signalsOf(ctx: SpanContext): ReadonlySet<AbortSignal> {
  const signals = new Set([ctx.signal]);
  for (const { context } of framesOf(ctx.span)) signals.add(context.signal);
  return signals;
}

/** Returns true if this span or an enclosing one is being aborted. Threads don't stop in such a span any more. */
export function isEnding(ctx: SpanContext): boolean {
  for (const { aborted } of signalsOf(ctx)) if (aborted) return true;
  return false;
}

/** Calls `callback` when this span or any enclosing one is aborted. Returns a function that unsubscribes. */
export function onAbort(ctx: SpanContext, callback: () => void): () => void {
  const signals = signalsOf(ctx);
  for (const signal of signals) {
    if (signal.aborted) callback();
    else signal.addEventListener('abort', callback, { once: true });
  }
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', callback);
  };
}
