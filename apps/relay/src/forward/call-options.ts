/** Declares what a call needs: its streams, its headers and the observer that it reports to. */
import type { Fields } from '../http2/hpack.ts';
import type { Call } from './call.ts';
import type { Observer } from './observer.ts';

/** One side's stream of a call. */
export interface StreamSide {
  sendHeaders(fields: Fields, isEnd: boolean): void;
  sendData(data: Buffer, isEnd: boolean): void;
  sendReset(code: number): void;
  /** Returns the number of bytes that wait for the peer's flow control window. */
  waitingBytes(): number;
  /** Extends the peer's flow control window. */
  acknowledge(): void;
}

/** The streams, headers and callbacks of a new call. */
export interface CallOptions {
  readonly number: number;
  readonly connection: number;
  readonly endpoint: 'runtime' | 'image';
  readonly fields: Fields;
  readonly client: StreamSide;
  readonly observer: Observer;
  /** Opens a stream of the runtime with the request's headers. Undefined if it accepts no further streams. */
  readonly open: (call: Call, fields: Fields, isEnd: boolean) => StreamSide | undefined;
  /** Called once, when both sides have finished sending. */
  readonly over: (call: Call) => void;
}
