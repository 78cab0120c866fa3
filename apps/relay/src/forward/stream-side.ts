/** Declares one side's stream of a call. */
import type { Fields } from '../http2/hpack.ts';

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
