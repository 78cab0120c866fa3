/** One stream of a SPDY connection: bytes both ways, each way closed on its own. */
import type { ByteSink } from '@podscope/cri';
import { PushQueue } from '../push-queue.ts';
import { controlFrame, dataFrame, flagFin, frameTypes, resetStatus } from './frames.ts';
import type { SpdyHeaders } from './header-block.ts';

/** Readers of the other end take chunks of this size at a time. */
const maxChunkBytes = 32 * 1024;

/** What a stream needs of its connection. */
export interface StreamPort {
  write(frame: Buffer): Promise<void>;
  /** Bytes left the stream's queue. */
  taken(bytes: number): void;
  forget(id: number): void;
}

/** A stream. `source` is what the other end sends. */
export class SpdyStream implements ByteSink {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly source: PushQueue<Uint8Array>;
  readonly #connection: StreamPort;
  #canReceive = true;
  #canSend = true;

  constructor(id: number, headers: SpdyHeaders, connection: StreamPort) {
    this.id = id;
    this.headers = headers;
    this.#connection = connection;
    this.source = new PushQueue((data) => connection.taken(data.length));
  }

  async write(data: Uint8Array): Promise<void> {
    for (let offset = 0; offset < data.length; offset += maxChunkBytes) {
      if (!this.#canSend) throw new Error('the stream is closed');
      await this.#connection.write(dataFrame(this.id, data.subarray(offset, offset + maxChunkBytes)));
    }
  }

  /** Closes our direction. */
  async end(): Promise<void> {
    if (!this.#canSend) return;
    this.#canSend = false;
    await this.#connection.write(dataFrame(this.id, new Uint8Array(), flagFin)).catch(() => undefined);
    this.#forgetIfDone();
  }

  /** Closes both directions at once. */
  async reset(): Promise<void> {
    this.connectionLost(undefined);
    await this.#connection.write(controlFrame(frameTypes.rstStream, [this.id, resetStatus.cancel])).catch(() => undefined);
  }

  /** False when nobody takes it. */
  receive(data: Uint8Array): boolean {
    return this.#canReceive && this.source.push(data);
  }

  receiveEnd(): void {
    this.#canReceive = false;
    this.source.end();
    this.#forgetIfDone();
  }

  receiveReset(): void {
    this.connectionLost(undefined);
  }

  /** @param failure what a reader is told; nothing: it sees the end. */
  connectionLost(failure: Error | undefined): void {
    this.#canReceive = false;
    this.#canSend = false;
    this.source.end(failure);
    this.#connection.forget(this.id);
  }

  #forgetIfDone(): void {
    if (!this.#canReceive && !this.#canSend) this.#connection.forget(this.id);
  }
}
