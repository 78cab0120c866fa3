/**
 * Forwards one call between a stream of the client and a stream of the runtime, which is opened when the call may be
 * forwarded. Also holds the call, applies faults to it and reports it. If the client cancels a call before it is
 * forwarded, or its deadline passes, the call never reaches the runtime.
 */
import {
  type Answer,
  holdableMethods,
  methodOfPath,
  type RelayFault,
  type ReleaseReason,
} from '@podscope/relay-protocol/wire';
import { errorCodes } from '../http2/frames.ts';
import type { Fields } from '../http2/hpack.ts';
import { type CallIdentity, CallReport } from './call-report.ts';
import {
  deadlineExceeded,
  grpcStatus,
  metadataOf,
  responseFields,
  statusFields,
  unavailable,
  valueOf,
} from './fields.ts';
import { MessageSplitter } from './message-splitter.ts';
import { NextStep } from './next-step.ts';
import type { ControlledCall, Observer, Report } from './observer.ts';
import type { StreamSide } from './stream-side.ts';
import { Deadline, formatTimeout } from './timeout.ts';

type Piece = { readonly data: Buffer; readonly isEnd: boolean } | { readonly fields: Fields };
type State = 'asking' | 'held' | 'delayed' | 'hanging' | 'ready' | 'forwarded' | 'over';

/** The streams, headers and callbacks of a new call. */
export interface CallOptions extends CallIdentity {
  readonly client: StreamSide;
  readonly observer: Observer;
  /**
   * Opens a stream of the runtime with the headers of the request. Returns undefined if the runtime accepts no further
   * streams.
   */
  readonly open: (call: Call, fields: Fields, isEnd: boolean) => StreamSide | undefined;
  /** Called once, after both sides have finished sending. */
  readonly over: (call: Call) => void;
}

/**
 * Maximum number of bytes of a held request that wait in the relay: the largest message and its prefix. Above this
 * number, the relay doesn't extend the client's window.
 */
const maxPending = 32 * 1024 * 1024;
/** Maximum number of bytes that wait in the relay because the receiver is slower than the sender. */
const maxInTransit = 1024 * 1024;

export class Call implements ControlledCall {
  readonly number: number;
  readonly #options: CallOptions;
  readonly #method: string;
  readonly #deadline: Deadline;
  readonly #report: CallReport;
  readonly #requests = new MessageSplitter();
  readonly #responses = new MessageSplitter();
  #state: State;
  #isAsked = false;
  /** The client's frames that wait until the call is forwarded. */
  #pending: Piece[] = [];
  #pendingBytes = 0;
  #hasClientEnd: boolean;
  #hasRuntimeEnd = false;
  /** True if the client has received the response's headers. */
  #hasSentHeaders = false;
  #runtime: StreamSide | undefined;
  readonly #next = new NextStep();
  /** True if the call was held or delayed. The timeout that is sent to the runtime is then shorter. */
  #hasWaited = false;
  #fault: RelayFault | undefined;
  /**
   * True if the response is withheld until its status is known. This is necessary for the fault `errorAfter`, and if
   * the debugger wants to be asked about responses.
   */
  #withholds = false;
  #withheld: Piece[] = [];
  /** The trailers of the response, while the debugger decides about it. */
  #askedTrailers: Fields | undefined;
  #responseMessages = 0;

  /** @param isEnd true if the client sends no data after the headers */
  constructor(options: CallOptions, isEnd: boolean) {
    this.#options = options;
    this.number = options.number;
    this.#method = methodOfPath(valueOf(options.fields, ':path') ?? '');
    this.#deadline = new Deadline(valueOf(options.fields, 'grpc-timeout'));
    this.#hasClientEnd = isEnd;
    this.#state = 'asking';
    this.#report = new CallReport(options, options.observer, this.#deadline);
    const mayAsk =
      options.observer.asksAbout(this.#method, 'before') && holdableMethods.includes(this.#method) && !isEnd;
    // The client may have reset the call already: a relay that was paused reads the call and its reset together.
    if (!mayAsk) this.#forwardNext();
  }

  get endpoint(): 'runtime' | 'image' {
    return this.#options.endpoint;
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** Handles data from the client. */
  clientData(data: Buffer, isEnd: boolean): void {
    if (this.#state === 'over') return;
    this.#hasClientEnd ||= isEnd;
    for (const message of this.#requests.push(data)) this.#report.request(message);
    if (this.#runtime) this.#runtime.sendData(data, isEnd);
    else {
      // Copy the data if the call waits, because a view of the socket's buffer would keep the whole buffer in memory.
      this.#pending.push({ data: this.#state === 'ready' ? data : Buffer.from(data), isEnd });
      this.#pendingBytes += data.length;
      if (isEnd && this.#state === 'asking') this.#ask();
    }
    this.#acknowledgeClient();
    this.#endIfDone();
  }

  /** Handles trailers from the client. gRPC clients don't send trailers. */
  clientTrailers(fields: Fields): void {
    this.#hasClientEnd = true;
    if (this.#runtime) this.#runtime.sendHeaders(fields, true);
    else {
      this.#pending.push({ fields });
      if (this.#state === 'asking') this.#ask();
    }
    this.#endIfDone();
  }

  /** Handles a RST_STREAM from the client, or the end of its connection. */
  clientReset(code: number): void {
    if (this.#state === 'over') return;
    this.#endWait('clientGone');
    this.#report.send({ type: 'reset', by: 'client', code });
    if (!this.#hasRuntimeEnd || !this.#hasClientEnd) this.#runtime?.sendReset(code);
    this.#end();
  }

  runtimeHeaders(fields: Fields, isEnd: boolean): void {
    if (this.#state === 'over') return;
    const isTrailers = isEnd;
    this.#hasRuntimeEnd ||= isEnd;
    if (isTrailers) return this.#runtimeTrailers(fields);
    const isFinal = !(valueOf(fields, ':status') ?? '').startsWith('1');
    if (isFinal) this.#report.send({ type: 'responseHeaders', metadata: metadataOf(fields) });
    if (this.#withholds) {
      this.#withheld.push({ fields });
      return;
    }
    if (this.#isCutNow()) return this.#cut();
    this.#hasSentHeaders ||= isFinal;
    this.#options.client.sendHeaders(fields, false);
  }

  runtimeData(data: Buffer, isEnd: boolean): void {
    if (this.#state === 'over') return;
    this.#hasRuntimeEnd ||= isEnd;
    const end = this.#reportResponses(data);
    if (this.#withholds) {
      this.#withheld.push({ data: Buffer.from(data), isEnd });
      this.#runtime?.acknowledge();
      if (isEnd) this.#flushWithheld();
      return;
    }
    if (end !== undefined) {
      if (end > 0) this.#options.client.sendData(data.subarray(0, end), false);
      return this.#cut();
    }
    this.#options.client.sendData(data, isEnd);
    this.#acknowledgeRuntime();
    this.#endIfDone();
  }

  /** Handles a RST_STREAM from the runtime, or the end of its connection. */
  runtimeReset(code: number): void {
    if (this.#state === 'over') return;
    this.#endWait('runtimeGone');
    this.#flushWithheld();
    this.#report.send({ type: 'reset', by: 'runtime', code });
    // A server may send a reset without an error after its response, to tell the client that it needs no more data.
    this.#options.client.sendReset(code);
    this.#end();
  }

  /**
   * Handles the end of the runtime's connection if the client's connection continues. The client receives UNAVAILABLE.
   */
  runtimeUnavailable(message: string): void {
    if (this.#state === 'over') return;
    this.#next.clear();
    this.#withheld = [];
    this.#report.send({ type: 'reset', by: 'runtime', code: errorCodes.cancel });
    this.#sendStatus(unavailable, message);
  }

  /**
   * Handles the end of the runtime's connection if the client's connection also ends. The client needs no further
   * message.
   */
  runtimeLost(): void {
    if (this.#state === 'over') return;
    this.#endWait('runtimeGone');
    this.#report.send({ type: 'reset', by: 'runtime', code: errorCodes.cancel });
    this.#end();
  }

  /** Called when bytes that waited for a flow control window have been sent. The other side may then send more. */
  drained(): void {
    this.#acknowledgeClient();
    this.#acknowledgeRuntime();
  }

  answer(answer: Answer): 'late' | 'notHoldable' | undefined {
    if (this.#askedTrailers) return this.#answerAfter(this.#askedTrailers, answer);
    if (this.#state !== 'asking' || !this.#isAsked) return 'late';
    this.#next.clear();
    if (answer.kind === 'hold') this.#hold();
    else this.#apply(answer);
    return undefined;
  }

  release(answer: Answer): 'late' | undefined {
    if (this.#state !== 'held' && this.#state !== 'hanging' && this.#state !== 'delayed') return 'late';
    this.#endWait('released');
    if (answer.kind !== 'hold') this.#apply(answer);
    return undefined;
  }

  debuggerGone(): void {
    if (this.#askedTrailers) this.#sendTrailers(this.#askedTrailers);
    if (this.#state === 'over' || this.#state === 'forwarded' || this.#state === 'ready') return;
    this.#endWait('debuggerGone');
    this.#forwardNext();
  }

  introduce(report: Report): void {
    if (this.#state !== 'over') this.#report.introduce(report, this.#state === 'forwarded');
  }

  /** Asks the debugger about the call. If the debugger doesn't answer in time, the call is forwarded. */
  #ask(): void {
    const { answerWithin } = this.#options.observer;
    this.#isAsked = true;
    this.#next.after(answerWithin, () => {
      this.#hasWaited = true;
      this.#forward();
    });
    this.#report.send({ type: 'question', phase: 'before', withinMs: answerWithin });
  }

  #askAfter(trailers: Fields): void {
    const { answerWithin } = this.#options.observer;
    this.#askedTrailers = trailers;
    this.#next.after(answerWithin, () => this.#sendTrailers(trailers));
    this.#report.send({ type: 'question', phase: 'after', withinMs: answerWithin });
  }

  #answerAfter(trailers: Fields, answer: Answer): 'notHoldable' | undefined {
    this.#next.clear();
    if (answer.kind === 'fault' && answer.fault.kind === 'error') {
      const { code, message } = answer.fault;
      const fault = { kind: 'errorAfter', code, message } as const;
      this.#report.send({ type: 'faulted', fault });
      this.#loseResponse(code, message);
      return undefined;
    }
    this.#sendTrailers(trailers);
    return answer.kind === 'go' ? undefined : 'notHoldable';
  }

  #loseResponse(code: number, message: string): void {
    this.#report.send({ type: 'lostResponse', status: 0 });
    this.#withheld = [];
    this.#fail(code, message);
  }

  #hold(): void {
    this.#state = 'held';
    const limit = this.#deadline.holdLimit;
    if (limit !== null) {
      this.#next.after(this.#deadline.holdable, () => {
        this.#endWait('limit');
        this.#forward();
      });
    }
    this.#report.send({ type: 'held', limit });
  }

  #forwardNext(): void {
    this.#state = 'ready';
    this.#next.soon(() => this.#forward());
  }

  /** Reports the end of the wait of a call that isn't forwarded. */
  #endWait(reason: ReleaseReason): void {
    this.#next.clear();
    if (this.#state !== 'held' && this.#state !== 'hanging' && this.#state !== 'delayed') return;
    this.#report.send({ type: 'released', reason });
    this.#state = 'asking';
    this.#hasWaited = true;
  }

  #apply(answer: Exclude<Answer, { kind: 'hold' }>): void {
    if (answer.kind === 'go') return this.#forwardNext();
    const { fault } = answer;
    this.#fault = fault;
    this.#report.send({ type: 'faulted', fault });
    switch (fault.kind) {
      case 'error':
        return this.#fail(fault.code, fault.message);
      case 'hang':
        this.#state = 'hanging';
        return;
      case 'delay':
        return this.#delay(fault.ms);
      default:
        return this.#forwardNext();
    }
  }

  #delay(ms: number): void {
    this.#state = 'delayed';
    this.#next.after(Math.min(ms, this.#deadline.holdable), () => {
      this.#hasWaited = true;
      this.#forward();
    });
  }

  /**
   * Sends the call to the runtime, with all data that the client has sent so far. A call whose deadline has passed ends
   * with DEADLINE_EXCEEDED instead.
   */
  #forward(): void {
    this.#next.clear();
    if (this.#deadline.remaining <= 0) return this.#expire();
    this.#state = 'forwarded';
    const asksAfter = holdableMethods.includes(this.#method) && this.#options.observer.asksAbout(this.#method, 'after');
    // A stream that is cut must not wait: what comes before the cut is forwarded, and the rest isn't.
    this.#withholds = this.#fault?.kind === 'errorAfter' || (asksAfter && this.#fault?.kind !== 'cut');
    const [first, ...rest] = this.#pending;
    const isEnd = this.#hasClientEnd && first === undefined;
    this.#runtime = this.#options.open(this, this.#requestFields(), isEnd);
    if (!this.#runtime) {
      // The client may retry a refused stream safely, because it wasn't processed.
      this.#reset(errorCodes.refusedStream);
      return;
    }
    this.#report.send({ type: 'forwarded' });
    for (const piece of first ? [first, ...rest] : []) {
      if ('fields' in piece) this.#runtime.sendHeaders(piece.fields, true);
      else this.#runtime.sendData(piece.data, piece.isEnd);
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#acknowledgeClient();
  }

  /** Returns the headers of the request. After a hold, they contain the remaining timeout. */
  #requestFields(): Fields {
    const { fields } = this.#options;
    if (!this.#hasWaited || this.#deadline.timeout === null) return fields;
    const remaining = formatTimeout(this.#deadline.remaining);
    return fields.map(([name, value]) => [name, name === 'grpc-timeout' ? remaining : value] as const);
  }

  #runtimeTrailers(fields: Fields): void {
    const status = grpcStatus(fields);
    if (this.#fault?.kind === 'errorAfter' && status === 0)
      return this.#loseResponse(this.#fault.code, this.#fault.message);
    const asks = this.#withholds && this.#options.observer.asksAbout(this.#method, 'after');
    if (asks && this.#fault === undefined && status === 0) return this.#askAfter(fields);
    this.#sendTrailers(fields);
  }

  #sendTrailers(fields: Fields): void {
    this.#next.clear();
    this.#askedTrailers = undefined;
    this.#flushWithheld();
    if (this.#isCutNow()) return this.#cut();
    this.#report.trailers(fields, false);
    this.#options.client.sendHeaders(fields, true);
    this.#endIfDone();
  }

  /** Forwards a response that was withheld. */
  #flushWithheld(): void {
    const withheld = this.#withheld;
    this.#withheld = [];
    this.#withholds = false;
    for (const piece of withheld) {
      if ('fields' in piece) this.#options.client.sendHeaders(piece.fields, false);
      else this.#options.client.sendData(piece.data, piece.isEnd);
    }
  }

  /**
   * Reports the messages in `data`. Returns the position in the data at which the fault `cut` ends the stream, or
   * undefined.
   */
  #reportResponses(data: Buffer): number | undefined {
    const isNeeded = this.#report.isIntroduced || this.#fault?.kind === 'cut';
    for (const { bytes, isCompressed, end, release } of this.#responses.push(data, isNeeded)) {
      this.#responseMessages += 1;
      this.#report.send({ type: 'response', compressed: isCompressed }, bytes, release);
      if (this.#isCutNow()) return end;
    }
    return undefined;
  }

  #isCutNow(): boolean {
    return this.#fault?.kind === 'cut' && this.#responseMessages >= this.#fault.afterMessages;
  }

  #cut(): void {
    if (!this.#hasRuntimeEnd) this.#runtime?.sendReset(errorCodes.cancel);
    this.#reset(errorCodes.internalError);
  }

  /** Makes the call fail for the client: sends a status instead of a response. */
  #fail(code: number, message: string): void {
    this.#report.trailers([...responseFields, ...statusFields(code, message)], true);
    this.#sendStatus(code, message);
  }

  #expire(): void {
    const message = 'the deadline passed before the relay could forward the call';
    this.#report.trailers([...responseFields, ...statusFields(deadlineExceeded, message)], false);
    this.#sendStatus(deadlineExceeded, message);
  }

  /** Ends the call for the client with a status. */
  #sendStatus(code: number, message: string): void {
    const headers: Fields = this.#hasSentHeaders ? [] : responseFields;
    this.#options.client.sendHeaders([...headers, ...statusFields(code, message)], true);
    if (!this.#hasClientEnd) this.#options.client.sendReset(errorCodes.noError);
    this.#end();
  }

  #reset(code: number): void {
    this.#report.send({ type: 'reset', by: 'relay', code });
    this.#options.client.sendReset(code);
    this.#end();
  }

  #acknowledgeClient(): void {
    const isFull = this.#runtime ? this.#runtime.waitingBytes() > maxInTransit : this.#pendingBytes > maxPending;
    if (!isFull) this.#options.client.acknowledge();
  }

  #acknowledgeRuntime(): void {
    if (this.#options.client.waitingBytes() <= maxInTransit) this.#runtime?.acknowledge();
  }

  #endIfDone(): void {
    if (this.#hasRuntimeEnd && this.#hasClientEnd && this.#state === 'forwarded') this.#end();
  }

  #end(): void {
    if (this.#state === 'over') return;
    this.#next.clear();
    this.#state = 'over';
    this.#pending = [];
    this.#report.send({ type: 'ended' });
    this.#options.over(this);
  }
}
