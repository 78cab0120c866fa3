/**
 * Implements one end of a SPDY/3.1 connection as Kubernetes uses it: streams are opened by the client, replied to,
 * written and closed in one or both directions. Streams have no windows: Go's spdystream ignores window updates and
 * would wait forever for a peer that enforces windows. Back-pressure comes from not reading the connection while too
 * much is pending.
 */

import type { Duplex } from 'node:stream';
import { asError } from '@podscope/base';
import { PushQueue } from '../push-queue.ts';
import { controlFrame, flagFin, frameTypes, readFrames, resetStatus, type SpdyFrame } from './frames.ts';
import { HeaderReader, HeaderWriter, type SpdyHeaders } from './header-block.ts';
import { SpdyStream, type StreamPort } from './stream.ts';

/** Reading pauses above this number of pending bytes. */
const maxUnreadBytes = 1024 * 1024;
/** Time for the peer to close its side. */
const closeTimeoutMs = 5000;
const statusMask = 0x7fffffff;

/** A SPDY connection over a socket or a WebSocket. */
export class SpdyConnection implements StreamPort {
  /** Streams opened by the peer. */
  readonly incoming: PushQueue<SpdyStream> = new PushQueue();
  /** Resolves at the end of the connection for any reason. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #replies = new Map<number, (error?: Error) => void>();
  #nextId: number;
  #unread = 0;
  #isClosing = false;
  #resume: (() => void) | undefined;

  constructor(socket: Duplex, role: 'client' | 'server') {
    this.#socket = socket;
    this.#nextId = role === 'client' ? 1 : 2;
    socket.once('close', () => this.#resume?.());
    this.closed = this.#run();
  }

  /** Opens a stream and waits for the peer's reply. @throws Error if it is rejected */
  async open(headers: SpdyHeaders): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#addStream(id, headers);
    const replied = new Promise<void>((resolve, reject) =>
      this.#replies.set(id, (error) => (error ? reject(error) : resolve())),
    );
    // The connection can end before the write below does.
    replied.catch(() => undefined);
    await this.write(
      controlFrame(frameTypes.synStream, [id, 0], Buffer.concat([Buffer.alloc(2), this.#writer.write(headers)])),
    );
    await replied;
    return stream;
  }

  /** Replies to a stream of the peer: accepts it or closes it at once. */
  async reply(stream: SpdyStream, isAccepted = true): Promise<void> {
    if (isAccepted) await this.write(controlFrame(frameTypes.synReply, [stream.id], this.#writer.write({})));
    else await this.write(controlFrame(frameTypes.rstStream, [stream.id, resetStatus.refused]));
  }

  /** Sends GOAWAY and pending data and closes the connection, at the latest after a timeout. */
  async close(): Promise<void> {
    // From now on received data is discarded. If it stayed unread, the end of the connection would never be reached.
    this.#isClosing = true;
    this.#resume?.();
    if (this.#socket.writable) {
      await this.write(controlFrame(frameTypes.goAway, [0, 0])).catch(() => undefined);
      this.#socket.end();
    }
    const timer = setTimeout(() => this.destroy(), closeTimeoutMs);
    await this.closed;
    clearTimeout(timer);
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  write(frame: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#socket.writable) reject(new Error('the connection is closed'));
      else this.#socket.write(frame, (error) => (error ? reject(error) : resolve()));
    });
  }

  taken(bytes: number): void {
    this.#unread -= bytes;
    if (this.#unread < maxUnreadBytes) this.#resume?.();
  }

  forget(id: number): void {
    this.#streams.delete(id);
  }

  async #run(): Promise<void> {
    let failure = new Error('the connection was closed');
    try {
      for await (const frame of readFrames(this.#socket)) {
        await this.#handle(frame);
        if (this.#unread >= maxUnreadBytes && !this.#isClosing) {
          await new Promise<void>((resolve) => {
            this.#resume = resolve;
          });
        }
      }
    } catch (error) {
      failure = asError(error);
    }
    this.incoming.end();
    for (const stream of this.#streams.values()) stream.connectionLost(failure);
    for (const reply of this.#replies.values()) reply(failure);
    this.#reader.close();
    this.#socket.destroy();
  }

  async #handle(frame: SpdyFrame): Promise<void> {
    if (frame.kind === 'data') {
      const stream = this.#streams.get(frame.streamId);
      if (!stream) return;
      if (frame.payload.length > 0 && !this.#isClosing && stream.receive(frame.payload))
        this.#unread += frame.payload.length;
      if (frame.flags & flagFin) stream.receiveEnd();
      return;
    }
    const { type, flags, payload } = frame;
    const id = payload.length >= 4 ? payload.readUInt32BE(0) & statusMask : 0;
    switch (type) {
      case frameTypes.synStream: {
        const stream = this.#addStream(id, await this.#reader.read(payload.subarray(10)));
        if (flags & flagFin) stream.receiveEnd();
        this.incoming.push(stream);
        return;
      }
      case frameTypes.synReply:
        await this.#reader.read(payload.subarray(4));
        this.#replies.get(id)?.();
        this.#replies.delete(id);
        if (flags & flagFin) this.#streams.get(id)?.receiveEnd();
        return;
      case frameTypes.headers:
        // The headers aren't used, but must be read because all blocks form one compressed stream.
        await this.#reader.read(payload.subarray(4));
        return;
      case frameTypes.rstStream:
        this.#replies.get(id)?.(new Error('the stream was refused'));
        this.#replies.delete(id);
        this.#streams.get(id)?.receiveReset();
        return;
      case frameTypes.ping:
        // Replies to own pings are ignored; other pings are echoed.
        if (id % 2 !== this.#nextId % 2) await this.write(controlFrame(frameTypes.ping, [id]));
        return;
      default:
        // SETTINGS, GOAWAY and WINDOW_UPDATE need no reaction.
        return;
    }
  }

  #addStream(id: number, headers: SpdyHeaders): SpdyStream {
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    return stream;
  }
}
