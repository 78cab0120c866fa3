/**
 * Reports a call to the debugger. Keeps the small requests of a call in flight, for a debugger that connects later.
 */
import type { RelayMessage } from '@podscope/relay-protocol/wire';
import type { Fields } from '../http2/hpack.ts';
import { grpcMessage, grpcStatus, metadataOf, valueOf } from './fields.ts';
import type { FoundMessage } from './message-splitter.ts';
import type { Observer, Report } from './observer.ts';
import type { Deadline } from './timeout.ts';

/** The number, connection, runtime and headers of a call. */
export interface CallIdentity {
  readonly number: number;
  /** Number of the client's connection; 0 for the relay's own calls. */
  readonly connection: number;
  readonly endpoint: 'runtime' | 'image';
  /** The headers of the request. */
  readonly fields: Fields;
}

type WithoutCall<Message> = Message extends { call: number } ? Omit<Message, 'call' | 'time'> : never;
/** A message about a call, without the call's number and the time. */
type CallMessage = WithoutCall<RelayMessage>;

/**
 * Maximum size of a request that is stored while its call is in flight, for a debugger that connects later. In bytes.
 */
const maxKeptRequest = 256 * 1024;

export class CallReport {
  readonly #call: CallIdentity;
  readonly #observer: Observer;
  readonly #deadline: Deadline;
  #keptRequests: { readonly bytes: Buffer; readonly isCompressed: boolean }[] = [];
  #keptLength = 0;
  #isIntroduced = false;

  constructor(call: CallIdentity, observer: Observer, deadline: Deadline) {
    this.#call = call;
    this.#observer = observer;
    this.#deadline = deadline;
    if (!observer.isConnected) return;
    this.#isIntroduced = true;
    observer.report(this.#opened(false));
  }

  /** True if a debugger or reader knows the call. Otherwise, all messages about it are dropped. */
  get isIntroduced(): boolean {
    return this.#isIntroduced;
  }

  /**
   * Reports a message about the call, with the present time.
   * @param release called when `bytes` are no longer needed
   */
  send(message: CallMessage, bytes?: Buffer, release?: () => void): void {
    if (!this.#isIntroduced) return release?.();
    this.#observer.report({ ...message, call: this.#call.number, time: Date.now() }, bytes, release);
  }

  /** Reports a message of the request. */
  request({ bytes, isCompressed, release }: FoundMessage): void {
    if (this.#keptLength + bytes.length <= maxKeptRequest) {
      this.#keptRequests.push({ bytes: Buffer.from(bytes), isCompressed });
      this.#keptLength += bytes.length;
    }
    this.send({ type: 'request', compressed: isCompressed }, bytes, release);
  }

  /** Reports the status with which the call ends for the client. @param injected true if a fault caused it */
  trailers(fields: Fields, injected: boolean): void {
    this.send({
      type: 'trailers',
      metadata: metadataOf(fields),
      status: grpcStatus(fields),
      message: grpcMessage(fields),
      injected,
    });
  }

  /** Reports the call and its requests to a debugger or reader that connected while the call was in flight. */
  introduce(report: Report, isForwarded: boolean): void {
    this.#isIntroduced = true;
    const common = { call: this.#call.number, time: Date.now() };
    report(this.#opened(true));
    for (const { bytes, isCompressed } of this.#keptRequests)
      report({ type: 'request', ...common, compressed: isCompressed }, bytes);
    if (isForwarded) report({ type: 'forwarded', ...common });
  }

  #opened(inFlight: boolean): RelayMessage {
    const { number, fields, connection, endpoint } = this.#call;
    return {
      type: 'callOpened',
      call: number,
      connection,
      time: this.#deadline.opened,
      origin: connection === 0 ? 'relay' : 'client',
      endpoint,
      path: valueOf(fields, ':path') ?? '',
      authority: valueOf(fields, ':authority') ?? '',
      metadata: metadataOf(fields),
      deadline: this.#deadline.timeout,
      inFlight,
    };
  }
}
