/**
 * Converts the messages of a relay to observed calls: decodes requests and responses, and combines them with the status
 * of the call.
 */
import { type DecodedMessage, decodeCallMessage } from '@podscope/cri/grpc';
import type { CallMessage, CallResult, ObservedCall, Observer } from '@podscope/observer';
import { methodOfPath, type RelayMessage } from '@podscope/relay-protocol';

type Opened = Extract<RelayMessage, { type: 'callOpened' }>;

/** gRPC status codes for calls that ended without trailers. */
const codes = { canceled: 1, deadlineExceeded: 4, unavailable: 14 } as const;

interface Undecoded {
  readonly bytes: number;
  readonly reason: string;
}

interface OpenCall {
  readonly opened: Opened;
  readonly number: number;
  readonly method: string;
  isStarted: boolean;
  response: CallMessage | undefined;
  undecoded: Undecoded | undefined;
  status: { readonly code: number; readonly message: string } | undefined;
  reset: number | undefined;
  heldSince: number | undefined;
  /**
   * The time at which the relay ends the hold without an answer; undefined if the call isn't held or has no deadline.
   */
  holdLimit: number | undefined;
  held: number | undefined;
}

function readMessage(
  { method }: OpenCall,
  direction: 'request' | 'response',
  bytes: Uint8Array,
  isCompressed: boolean,
): { readonly message?: CallMessage; readonly undecoded?: Undecoded } {
  const decoded: DecodedMessage = isCompressed
    ? { problem: 'the message is compressed' }
    : decodeCallMessage(method, direction, bytes);
  if ('message' in decoded) return { message: decoded.message };
  return { undecoded: { bytes: bytes.length, reason: decoded.problem } };
}

/** Joins the partial answers of a stream: lists are appended. A unary call has only one answer. */
function joined(before: CallMessage | undefined, next: CallMessage): CallMessage {
  const values = Object.entries(next).map(([name, value]): [string, unknown] => {
    const earlier = before?.[name];
    return [name, Array.isArray(earlier) && Array.isArray(value) ? [...earlier, ...value] : value];
  });
  return { ...before, ...Object.fromEntries(values) };
}

export class CallFeed {
  readonly #observer: Observer;
  readonly #calls = new Map<number, OpenCall>();
  /** A number added to the relay's call numbers, because each relay process counts its calls from 1. */
  #offset = 0;
  #last = 0;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** Ends the open calls of a relay whose connection ended. Their results are unknown. */
  relayGone(now: number): void {
    for (const call of Array.from(this.#calls.values())) {
      call.status ??= { code: codes.unavailable, message: 'The connection to the relay ended; the result is unknown.' };
      this.#end(call, now);
    }
    this.#offset = this.#last;
  }

  /** Returns the observer's number of a call. */
  numberOf(call: number): number {
    return this.#offset + call;
  }

  /** Returns the method, and the decoded response as far as it has arrived. */
  resultOf(call: number): { readonly response: CallMessage | undefined; readonly method: string } | undefined {
    return this.#calls.get(call);
  }

  /** Returns the calls that the relay holds, with the times at which it ends the holds without an answer. */
  get held(): readonly { readonly number: number; readonly method: string; readonly limit: number | undefined }[] {
    return [...this.#calls.values()]
      .filter(({ heldSince, held }) => heldSince !== undefined && held === undefined)
      .map(({ number, method, holdLimit }) => ({ number, method, limit: holdLimit }));
  }

  /**
   * Applies a message of the relay.
   * @param bytes the bytes that follow the JSON message
   */
  receive(message: RelayMessage, bytes: Uint8Array): void {
    if (message.type === 'callOpened') return this.#open(message);
    const call = 'call' in message ? this.#calls.get(message.call) : undefined;
    if (!call) return;
    switch (message.type) {
      case 'request':
        return this.#start(call, bytes, message.compressed);
      case 'response': {
        const { message: response, undecoded } = readMessage(call, 'response', bytes, message.compressed);
        call.undecoded = undecoded;
        if (call.method !== 'GetContainerEvents') call.response = response && joined(call.response, response);
        else if (response) this.#observer.callMessage(call.number, message.time, response);
        return;
      }
      case 'trailers':
        call.status = { code: message.status, message: message.message };
        return;
      case 'reset':
        return this.#reset(call, message);
      case 'held':
        call.heldSince = message.time;
        call.holdLimit = message.limit ?? undefined;
        return;
      case 'released':
        if (call.heldSince !== undefined) call.held = message.time - call.heldSince;
        return;
      case 'ended':
        return this.#end(call, message.time);
      default:
    }
  }

  #open(opened: Opened): void {
    const number = this.numberOf(opened.call);
    this.#last = Math.max(this.#last, number);
    this.#calls.set(opened.call, {
      opened,
      number,
      method: methodOfPath(opened.path),
      isStarted: false,
      response: undefined,
      undecoded: undefined,
      status: undefined,
      reset: undefined,
      heldSince: undefined,
      holdLimit: undefined,
      held: undefined,
    });
  }

  #start(call: OpenCall, bytes: Uint8Array, isCompressed: boolean): void {
    if (call.isStarted) return;
    const { message, undecoded } = readMessage(call, 'request', bytes, isCompressed);
    this.#report(call, message, undecoded);
  }

  #report(call: OpenCall, request: CallMessage | undefined, undecoded: Undecoded | undefined): void {
    call.isStarted = true;
    const { opened, number, method } = call;
    const observed: ObservedCall = {
      number,
      service: opened.path.slice(1, opened.path.lastIndexOf('/')),
      method,
      ...(opened.origin === 'relay' ? {} : { connection: opened.connection }),
      metadata: Object.fromEntries(opened.metadata),
      t: opened.time,
      deadline: opened.deadline ?? undefined,
      request,
      ...(undecoded ? { undecoded } : {}),
    };
    this.#observer.callStarted(observed);
  }

  #reset(call: OpenCall, { by, time, code }: Extract<RelayMessage, { type: 'reset' }>): void {
    if (by !== 'client') {
      call.status ??= { code: codes.unavailable, message: `The stream was reset by the ${by} with code ${code}.` };
      return;
    }
    const { deadline, time: since } = call.opened;
    const isLate = deadline !== null && time >= since + deadline - 50;
    call.reset = time;
    call.status ??= isLate
      ? { code: codes.deadlineExceeded, message: 'context deadline exceeded' }
      : { code: codes.canceled, message: 'context canceled' };
  }

  #end(call: OpenCall, end: number): void {
    this.#calls.delete(call.opened.call);
    if (!call.isStarted) this.#report(call, undefined, undefined);
    const { status = { code: codes.unavailable, message: 'The call ended without a status.' } } = call;
    const { response, undecoded, held, reset } = call;
    const result: CallResult = {
      end,
      response: status.code === 0 ? response : undefined,
      status: status.code,
      message: status.message,
      ...(undecoded ? { undecoded } : {}),
      ...(held === undefined ? {} : { held }),
      ...(reset === undefined ? {} : { reset }),
    };
    this.#observer.callEnded(call.number, result);
  }
}
