/**
 * Answers the relay's questions by passing calls through the debugger's gate. If the gate stops a call, the relay holds
 * the call until the gate continues it. Breakpoints, conditions, faults and interventions work as on any other node.
 */

import { isRecord } from '@podscope/base';
import { CriError } from '@podscope/cri';
import { CutStreamError, type Debugger } from '@podscope/debugger';
import { criPoints } from '@podscope/flow';
import type { EventPlace } from '@podscope/observer';
import type { Answer, DebuggerMessage, ReleaseReason } from '@podscope/relay-protocol';
import {
  type Attributes,
  type Clock,
  describeError,
  type GrpcCode,
  grpcCodeNumber,
  type Point,
  Span,
  type SpanContext,
  type SpanResult,
  type Tracer,
} from '@podscope/trace';

/** A call, with the values that breakpoints and faults match. */
export interface GatedCall {
  readonly method: string;
  readonly span: number;
  readonly place: EventPlace;
  readonly attributes: Attributes;
}

export interface HoldDecisionsOptions {
  readonly debugger: Debugger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly send: (message: DebuggerMessage) => void;
}

interface HeldCall {
  readonly ctx: SpanContext;
  readonly controller: AbortController;
  /** True while the relay holds the call. */
  isHeld: boolean;
  /** The answer that the relay hasn't confirmed yet, unless it is to forward the call. */
  pending: 'stop' | 'fault' | undefined;
}

const points: Readonly<Record<string, Point | undefined>> = criPoints;

const member = (value: unknown, ...path: readonly string[]): unknown => {
  let at = value;
  for (const name of path) at = isRecord(at) ? at[name] : undefined;
  return at;
};

/** Returns the image that a call names. */
function imageOf({ request }: Attributes): string | undefined {
  const image =
    member(request, 'config', 'image', 'userSpecifiedImage') ||
    member(request, 'config', 'image', 'image') ||
    member(request, 'image', 'image');
  return typeof image === 'string' && image !== '' ? image : undefined;
}

/** Converts an error that the gate threw to the answer with which the relay fails the call. */
function faultOf(error: unknown): Answer {
  if (error instanceof CutStreamError)
    return { kind: 'fault', fault: { kind: 'cut', afterMessages: error.afterMessages } };
  const code: GrpcCode = error instanceof CriError ? error.code : 'Unknown';
  const number = grpcCodeNumber(code);
  return {
    kind: 'fault',
    fault: {
      kind: 'error',
      code: number > 0 ? number : grpcCodeNumber('Unknown'),
      message: describeError(error).message,
    },
  };
}

export class HoldDecisions {
  readonly #options: HoldDecisionsOptions;
  /** Calls that have entered the gate and haven't ended, by the relay's call number. */
  readonly #heldCalls = new Map<number, HeldCall>();
  /** Calls whose result has passed the gate after the call, by the relay's call number. */
  readonly #finished = new Set<number>();

  constructor(options: HoldDecisionsOptions) {
    this.#options = options;
  }

  /** Answers the relay's question whether to forward a call. */
  async before(call: number, gated: GatedCall | undefined): Promise<void> {
    const { send, debugger: debug } = this.#options;
    const entered = gated && this.#enter(call, gated);
    const passing = entered && debug.before(entered.ctx, entered.ctx.span);
    if (!entered || !passing) {
      send({ type: 'answer', call, answer: { kind: 'go' } });
      return;
    }
    const outcome: Promise<Answer> = passing.then(
      (result): Answer => (result && result.outcome !== 'ok' ? faultOf(result.error) : { kind: 'go' }),
      faultOf,
    );
    // If the gate doesn't stop the call, its promise settles in this turn.
    const immediate = await Promise.race([
      outcome,
      new Promise<undefined>((done) => setImmediate(() => done(undefined))),
    ]);
    if (immediate) {
      if (immediate.kind === 'fault') entered.pending = 'fault';
      send({ type: 'answer', call, answer: immediate });
      return;
    }
    entered.isHeld = true;
    entered.pending = 'stop';
    // For a hold, the relay forwards the call before its deadline, even without an answer. For a hanging call, the
    // relay never does so.
    const isHanging = debug.runner.held.some(({ span }) => span === gated.span);
    if (isHanging) entered.pending = 'fault';
    const wait: Answer = isHanging ? { kind: 'fault', fault: { kind: 'hang' } } : { kind: 'hold' };
    send({ type: 'answer', call, answer: wait });
    const answer = await outcome;
    // Send no answer if the relay has already released the call.
    if (!entered.isHeld || answer.kind === 'hold') return;
    entered.isHeld = false;
    send({ type: 'release', call, answer });
  }

  /**
   * Passes a result through the gate after the call. A breakpoint there is reported, but the thread continues at once,
   * because the relay no longer holds the kubelet's call.
   * @param isAsked true if the relay waits for an answer
   */
  async after(call: number, gated: GatedCall | undefined, result: SpanResult, isAsked: boolean): Promise<void> {
    const { send, debugger: debug } = this.#options;
    if (this.#finished.has(call)) return;
    this.#finished.add(call);
    const entered = this.#heldCalls.get(call) ?? (gated && this.#enter(call, gated));
    this.#heldCalls.delete(call);
    const passing = entered && debug.after(entered.ctx, entered.ctx.span, result);
    if (entered && passing) debug.threads.get(entered.ctx.thread)?.stop?.end({ how: 'continue' });
    let answer: Answer = { kind: 'go' };
    try {
      const instead = await passing;
      if (instead && instead.outcome !== 'ok') answer = faultOf(instead.error);
    } catch (error) {
      answer = faultOf(error);
    }
    if (isAsked) send({ type: 'answer', call, answer });
  }

  /** Ends the stop of a call that the relay has released. */
  released(call: number, reason: ReleaseReason): void {
    const entered = this.#heldCalls.get(call);
    if (!entered || reason === 'released') return;
    entered.isHeld = false;
    entered.controller.abort(new Error(reason));
  }

  /** The relay has begun the stop or the fault of a call. */
  confirmed(call: number): void {
    const entered = this.#heldCalls.get(call);
    if (entered) entered.pending = undefined;
  }

  /**
   * Ends the stop of a call whose answer came too late. Returns what the relay didn't do; undefined if the answer would
   * have had no effect.
   */
  refused(call: number): 'stop' | 'fault' | undefined {
    const pending = this.#heldCalls.get(call)?.pending;
    if (pending) this.released(call, 'limit');
    return pending;
  }

  /** Discards the state of a call that ended. */
  ended(call: number): void {
    this.#heldCalls.get(call)?.controller.abort(new Error('the call ended'));
    this.#heldCalls.delete(call);
    this.#finished.delete(call);
  }

  /**
   * Discards the state of all calls after the relay's connection ended. Without a connection, the relay itself forwards
   * all held calls.
   */
  relayGone(): void {
    for (const call of Array.from(this.#heldCalls.keys())) {
      this.released(call, 'debuggerGone');
      this.#heldCalls.delete(call);
    }
    this.#finished.clear();
  }

  #enter(call: number, { method, span: id, place, attributes }: GatedCall): HeldCall | undefined {
    const point = points[method];
    if (!point) return undefined;
    const { clock, tracer } = this.#options;
    const controller = new AbortController();
    const image = imageOf(attributes);
    const values: Attributes = image === undefined ? attributes : { ...attributes, image };
    const outer = { clock, tracer, signal: controller.signal, thread: place.thread, pod: place.pod, span: undefined };
    const span = new Span(id, point, outer, values);
    const entered: HeldCall = { ctx: { ...outer, span }, controller, isHeld: false, pending: undefined };
    this.#heldCalls.set(call, entered);
    return entered;
  }
}
