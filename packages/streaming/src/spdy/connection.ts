/**
 * One end of a SPDY/3.1 connection, as Kubernetes uses it: streams are opened by the client, replied to, written, closed one way or both.
 * There is no window per stream: Go's spdystream, at the other end, neither sends nor minds window updates, and would wait for ever for one
 * that counts. What holds a sender up is the connection itself: it is not read while too much waits to be taken.
 */
import type { Duplex } from 'node:stream';
import { PushQueue } from '../push-queue.ts';
import { controlFrame, flagFin, frameTypes, readFrames, resetStatus, type SpdyFrame } from './frames.ts';
import { HeaderReader, HeaderWriter, type SpdyHeaders } from './header-block.ts';
import { SpdyStream, type StreamPort } from './stream.ts';

/** So many bytes may wait before the connection is not read any more. */
const maxUnreadBytes = 1024 * 1024;
/** The other end gets so long to end the connection from its side. */
const closePatienceMs = 5000;
const statusMask = 0x7fffffff;

/** A connection over any duplex: a socket, or a WebSocket's messages. */
export class SpdyConnection implements StreamPort {
  /** Streams that the other end opens. */
  readonly incoming: PushQueue<SpdyStream> = new PushQueue();
  /** Resolves when the connection is over, for whatever reason. */
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

  /** Opens a stream and waits for the other end's reply. @throws Error when it is refused. */
  async open(headers: SpdyHeaders): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#addStream(id, headers);
    const replied = new Promise<void>((resolve, reject) => this.#replies.set(id, (error) => (error ? reject(error) : resolve())));
    await this.write(controlFrame(frameTypes.synStream, [id, 0], Buffer.concat([Buffer.alloc(2), this.#writer.write(headers)])));
    await replied;
    return stream;
  }

  /** Answers a stream that the other end opened: accepted, or closed at once. */
  async reply(stream: SpdyStream, isAccepted = true): Promise<void> {
    if (isAccepted) await this.write(controlFrame(frameTypes.synReply, [stream.id], this.#writer.write({})));
    else await this.write(controlFrame(frameTypes.rstStream, [stream.id, resetStatus.refused]));
  }

  /** Says good-bye, sends what is on its way, and ends the connection; at the latest when the other end's patience is over. */
  async close(): Promise<void> {
    // What still comes is nobody's: it must not keep us from seeing the end.
    this.#isClosing = true;
    this.#resume?.();
    if (this.#socket.writable) {
      await this.write(controlFrame(frameTypes.goAway, [0, 0])).catch(() => undefined);
      this.#socket.end();
    }
    const timer = setTimeout(() => this.destroy(), closePatienceMs);
    await this.closed;
    clearTimeout(timer);
  }

  /** Ends the connection without a word. */
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
      failure = error instanceof Error ? error : new Error(String(error));
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
      if (frame.payload.length > 0 && !this.#isClosing && stream.receive(frame.payload)) this.#unread += frame.payload.length;
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
        // Nobody here sends any; but the blocks are one compressed stream, so each has to be read.
        await this.#reader.read(payload.subarray(4));
        return;
      case frameTypes.rstStream:
        this.#replies.get(id)?.(new Error('the stream was refused'));
        this.#replies.delete(id);
        this.#streams.get(id)?.receiveReset();
        return;
      case frameTypes.ping:
        // Ours come back with our parity; all others are answered as they are.
        if (id % 2 !== this.#nextId % 2) await this.write(controlFrame(frameTypes.ping, [id]));
        return;
      default:
        // SETTINGS, GOAWAY and WINDOW_UPDATE ask nothing of us.
        return;
    }
  }

  #addStream(id: number, headers: SpdyHeaders): SpdyStream {
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    return stream;
  }
}
