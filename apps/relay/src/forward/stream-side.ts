/** Declares the stream of a call on one side, which is the client or the runtime. */
import type { Fields } from '../http2/hpack.ts';

/** The stream of a call on one side. */
export interface StreamSide {
  sendHeaders(fields: Fields, isEnd: boolean): void;
  sendData(data: Buffer, isEnd: boolean): void;
  sendReset(code: number): void;
  /** Returns the number of bytes that wait for the peer's flow control window. */
  waitingBytes(): number;
  /** Extends the peer's flow control window. */
  acknowledge(): void;
}
