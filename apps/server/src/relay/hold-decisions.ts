/**
 * Answers the relay's questions with the debugger's gate: a call whose gate stops is held, and released when the gate
 * lets it pass. Breakpoints, conditions, faults and interventions are those of every other node.
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

/** A call as the gate sees it. */
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

interface Gate {
  readonly ctx: SpanContext;
  readonly controller: AbortController;
  /** The relay keeps the call back. */
  isHeld: boolean;
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

/** Returns the fault that the relay applies for an error of the gate. */
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
  /** Calls whose gate was opened, by the relay's number, until they end. */
  readonly #gates = new Map<number, Gate>();
  /** Calls whose result passed the gate. */
  readonly #finished = new Set<number>();

  constructor(options: HoldDecisionsOptions) {
    this.#options = options;
  }

  /** Answers the question whether a call is forwarded. */
  async before(call: number, gated: GatedCall | undefined): Promise<void> {
    const { send, debugger: debug } = this.#options;
    const gate = gated && this.#gateOf(call, gated);
    const passing = gate && debug.before(gate.ctx, gate.ctx.span);
    if (!gate || !passing) {
      send({ type: 'answer', call, answer: { kind: 'go' } });
      return;
    }
    const outcome: Promise<Answer> = passing.then(
      (result): Answer => (result && result.outcome !== 'ok' ? faultOf(result.error) : { kind: 'go' }),
      faultOf,
    );
    // A gate that doesn't stop settles in this turn.
    const immediate = await Promise.race([
      outcome,
      new Promise<undefined>((done) => setImmediate(() => done(undefined))),
    ]);
    if (immediate) {
      send({ type: 'answer', call, answer: immediate });
      return;
    }
    gate.isHeld = true;
    send({ type: 'answer', call, answer: { kind: 'hold' } });
    const answer = await outcome;
    // The relay released the call by itself.
    if (!gate.isHeld || answer.kind === 'hold') return;
    gate.isHeld = false;
    send({ type: 'release', call, answer });
  }

  /**
   * Passes a result through the gate behind the call. Breakpoints there are reported: the thread stops and continues at
   * once, because the kubelet's call isn't held any more.
   * @param isAsked the relay waits for an answer
   */
  async after(call: number, gated: GatedCall | undefined, result: SpanResult, isAsked: boolean): Promise<void> {
    const { send, debugger: debug } = this.#options;
    if (this.#finished.has(call)) return;
    this.#finished.add(call);
    const gate = this.#gates.get(call) ?? (gated && this.#gateOf(call, gated));
    this.#gates.delete(call);
    const passing = gate && debug.after(gate.ctx, gate.ctx.span, result);
    if (gate && passing) debug.threads.get(gate.ctx.thread)?.stop?.end({ how: 'continue' });
    let answer: Answer = { kind: 'go' };
    try {
      const instead = await passing;
      if (instead && instead.outcome !== 'ok') answer = faultOf(instead.error);
    } catch (error) {
      answer = faultOf(error);
    }
    if (isAsked) send({ type: 'answer', call, answer });
  }

  /** Ends the stop of a call that the relay no longer holds. */
  released(call: number, reason: ReleaseReason): void {
    const gate = this.#gates.get(call);
    if (!gate || reason === 'released') return;
    gate.isHeld = false;
    gate.controller.abort(new Error(reason));
  }

  /** Forgets a call that ended. */
  ended(call: number): void {
    this.#gates.get(call)?.controller.abort(new Error('the call ended'));
    this.#gates.delete(call);
    this.#finished.delete(call);
  }

  /** Forgets all calls: the relay's connection ended, and it forwarded what it held. */
  relayGone(): void {
    for (const call of Array.from(this.#gates.keys())) {
      this.released(call, 'debuggerGone');
      this.#gates.delete(call);
    }
    this.#finished.clear();
  }

  #gateOf(call: number, { method, span: id, place, attributes }: GatedCall): Gate | undefined {
    const point = points[method];
    if (!point) return undefined;
    const { clock, tracer } = this.#options;
    const controller = new AbortController();
    const image = imageOf(attributes);
    const values: Attributes = image === undefined ? attributes : { ...attributes, image };
    const outer = { clock, tracer, signal: controller.signal, thread: place.thread, pod: place.pod, span: undefined };
    const span = new Span(id, point, outer, values);
    const gate: Gate = { ctx: { ...outer, span }, controller, isHeld: false };
    this.#gates.set(call, gate);
    return gate;
  }
}
