/** Implements one stream of a SPDY connection; each direction closes separately. */
import type { ByteSink } from '@podscope/cri';
import { PushQueue } from '../push-queue.ts';
import { controlFrame, dataFrame, flagFin, frameTypes, resetStatus } from './frames.ts';
import type { SpdyHeaders } from './header-block.ts';

/** The chunk size that readers of the peer expect. */
const maxChunkBytes = 32 * 1024;

/** The dependencies of a stream. */
export interface StreamPort {
  write(frame: Buffer): Promise<void>;
  /** Called when bytes leave the stream's queue. */
  taken(bytes: number): void;
  forget(id: number): void;
}

/** A stream; `source` yields the peer's data. */
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

  /** Closes the writing direction. */
  async end(): Promise<void> {
    if (!this.#canSend) return;
    this.#canSend = false;
    await this.#connection.write(dataFrame(this.id, new Uint8Array(), flagFin)).catch(() => undefined);
    this.#forgetIfDone();
  }

  /** Closes both directions at once. */
  async reset(): Promise<void> {
    this.connectionLost(undefined);
    await this.#connection
      .write(controlFrame(frameTypes.rstStream, [this.id, resetStatus.cancel]))
      .catch(() => undefined);
  }

  /** Returns false if the data isn't read. */
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

  /** @param failure the reader's error; without it the reader sees the end */
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
