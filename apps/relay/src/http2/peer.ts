/**
 * Implements HTTP/2 with one peer over a socket: frames, header blocks, settings, flow control. A peer identifies
 * streams only by number. The modules in forward/ decide which streams of two peers belong to the same call.
 */
import type { Socket } from 'node:net';
import { BatchWriter } from '../batch-writer.ts';
import {
  errorCodes,
  type Frame,
  FrameReader,
  flags,
  frameHead,
  frameOf,
  frameTypes,
  maxFrameLength,
  ProtocolError,
  preface,
  resetFrame,
  settings,
  settingsFrame,
  windowUpdate,
} from './frames.ts';
import { encodeFields, type Fields, HeaderDecoder } from './hpack.ts';

/**
 * The flow control window of each stream towards the relay, in bytes. It is large, so that a message of 16 MiB needs
 * few window updates.
 */
const streamWindow = 1024 * 1024;
/** HTTP/2's initial window in bytes. It is the connection's window until the first WINDOW_UPDATE. */
const initialWindow = 65_535;
const maxWindow = 2 ** 31 - 1;
/**
 * The flow control window of the whole connection towards the relay, in bytes. It is extended when bytes arrive, not
 * when they are forwarded, so a held stream never delays other streams.
 */
const connectionWindow = 1024 * 1024 * 1024;

/** Settings of one peer that the relay passes to the other peer. */
export interface SharedSettings {
  readonly maxConcurrentStreams?: number;
  readonly maxHeaderListSize?: number;
}

/** The events of a peer's connection, in the order in which they are received. */
export interface PeerEvents {
  settings(shared: SharedSettings): void;
  headers(stream: number, fields: Fields, isEnd: boolean): void;
  /**
   * Called with received data.
   * @param data valid only during the call, unless the caller keeps the whole chunk
   */
  data(stream: number, data: Buffer, isEnd: boolean): void;
  reset(stream: number, code: number): void;
  ping(payload: Buffer, isAck: boolean): void;
  /** Called when bytes of a stream that waited for the peer's window have been sent. */
  drained(stream: number): void;
  goaway(lastStream: number, code: number, debug: Buffer): void;
  /**
   * Called at the end of the connection, after all other events.
   * @param error the reason, unless the peer closed the connection
   */
  closed(error: Error | undefined): void;
}

type Waiting = { readonly data: Buffer; readonly isEnd: boolean } | { readonly trailers: Fields };

interface PeerStream {
  /** Number of bytes that the peer currently accepts on the stream. */
  sendWindow: number;
  /** Frames that wait until the peer extends its window. */
  readonly waiting: Waiting[];
  waitingBytes: number;
  /** Number of received bytes that haven't been returned to the peer's window. */
  unacknowledged: number;
  hasSentEnd: boolean;
  hasReceivedEnd: boolean;
}

/** The connection to one peer. */
export class Peer {
  readonly #socket: Socket;
  readonly #writer: BatchWriter;
  readonly #reader: FrameReader;
  readonly #isClient: boolean;
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, PeerStream>();
  readonly #events: PeerEvents;
  #sendWindow = initialWindow;
  #peerStreamWindow = initialWindow;
  #peerFrameLength = maxFrameLength;
  #connectionUnacknowledged = 0;
  #headerBlock: { readonly stream: number; readonly isEnd: boolean; readonly parts: Buffer[] } | undefined;
  #isClosed = false;
  #lastOpened = 0;
  #hasPeerSettings = false;

  /** @param isClient true if the peer is the client of the connection, so that it sends the preface */
  constructor(socket: Socket, isClient: boolean, events: PeerEvents) {
    this.#socket = socket;
    this.#writer = new BatchWriter(socket);
    this.#isClient = isClient;
    this.#reader = new FrameReader(isClient);
    this.#events = events;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#close(undefined));
    socket.on('error', (error) => this.#close(error));
    socket.on('close', () => this.#close(undefined));
  }

  /** Sends the preface and settings. Called once, before anything else is sent. */
  start(shared: SharedSettings): void {
    if (!this.#isClient) this.#write(preface);
    const values: [number, number][] = [[settings.initialWindowSize, streamWindow]];
    if (!this.#isClient) values.push([settings.enablePush, 0]);
    this.#write(settingsFrame([...values, ...sharedValues(shared)]));
    this.#write(windowUpdate(0, connectionWindow - initialWindow));
  }

  /** Sends the settings that the other peer has changed. */
  share(shared: SharedSettings): void {
    const values = sharedValues(shared);
    if (values.length > 0) this.#write(settingsFrame(values));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Opens a stream to a server with the headers of a request. */
  openStream(id: number, fields: Fields, isEnd: boolean): void {
    this.#newStream(id);
    this.sendHeaders(id, fields, isEnd);
  }

  /** Sends a header block: a request, response headers or trailers. Trailers are sent after all waiting data. */
  sendHeaders(id: number, fields: Fields, isEnd: boolean): void {
    const stream = this.#streams.get(id);
    if (!stream || stream.hasSentEnd) return;
    if (isEnd && stream.waiting.length > 0) {
      stream.waiting.push({ trailers: fields });
      return;
    }
    this.#writeHeaders(id, fields, isEnd);
    if (isEnd) this.#sentEnd(id, stream);
  }

  /** Sends as much data as the windows allow. The rest is sent when the peer extends them. */
  sendData(id: number, data: Buffer, isEnd: boolean): void {
    const stream = this.#streams.get(id);
    if (!stream || stream.hasSentEnd) return;
    stream.waiting.push({ data, isEnd });
    stream.waitingBytes += data.length;
    this.#drain(id, stream);
  }

  sendReset(id: number, code: number): void {
    this.#streams.delete(id);
    this.#write(resetFrame(id, code));
  }

  ping(payload: Buffer, isAck: boolean): void {
    this.#write(frameOf(frameTypes.ping, isAck ? flags.ack : 0, 0, Buffer.from(payload)));
  }

  goaway(lastStream: number, code: number, debug: Buffer): void {
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(lastStream, 0);
    payload.writeUInt32BE(code, 4);
    this.#write(frameOf(frameTypes.goaway, 0, 0, Buffer.concat([payload, debug])));
  }

  /** Returns the number of bytes of a stream that wait for the peer's window. */
  waitingBytes(id: number): number {
    return this.#streams.get(id)?.waitingBytes ?? 0;
  }

  /**
   * Extends the peer's window after bytes of the stream were processed. Sends nothing until half of the window is used.
   */
  acknowledge(id: number): void {
    const stream = this.#streams.get(id);
    if (!stream || stream.hasReceivedEnd || stream.unacknowledged < streamWindow / 2) return;
    this.#write(windowUpdate(id, stream.unacknowledged));
    stream.unacknowledged = 0;
  }

  /** Sends the buffered bytes and closes the connection. */
  end(): void {
    if (this.#isClosed) return;
    this.#writer.flush();
    this.#isClosed = true;
    this.#socket.end();
    this.#socket.destroySoon();
  }

  #newStream(id: number): PeerStream {
    const stream: PeerStream = {
      sendWindow: this.#peerStreamWindow,
      waiting: [],
      waitingBytes: 0,
      unacknowledged: 0,
      hasSentEnd: false,
      hasReceivedEnd: false,
    };
    this.#streams.set(id, stream);
    return stream;
  }

  /**
   * Returns the stream of received headers. Headers from a client open a new stream. Returns undefined for a stream
   * that was reset.
   */
  #streamOfHeaders(id: number): PeerStream | undefined {
    const known = this.#streams.get(id);
    if (known || !this.#isClient || id <= this.#lastOpened) return known;
    if (id % 2 === 0) throw new ProtocolError('a client opens a stream with an even number');
    this.#lastOpened = id;
    return this.#newStream(id);
  }

  #sentEnd(id: number, stream: PeerStream): void {
    stream.hasSentEnd = true;
    if (stream.hasReceivedEnd) this.#streams.delete(id);
  }

  #writeHeaders(id: number, fields: Fields, isEnd: boolean): void {
    const block = encodeFields(fields);
    const end = isEnd ? flags.endStream : 0;
    if (block.length <= this.#peerFrameLength) {
      this.#write(frameHead(block.length, frameTypes.headers, flags.endHeaders | end, id));
      this.#write(block);
      return;
    }
    for (let at = 0; at < block.length; at += this.#peerFrameLength) {
      const part = block.subarray(at, at + this.#peerFrameLength);
      const last = at + part.length === block.length ? flags.endHeaders : 0;
      const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
      this.#write(frameHead(part.length, type, last | (at === 0 ? end : 0), id));
      this.#write(part);
    }
  }

  /** Sends as many waiting frames of a stream as the windows allow. */
  #drain(id: number, stream: PeerStream): void {
    for (let next = stream.waiting[0]; next; next = stream.waiting[0]) {
      if ('trailers' in next) {
        stream.waiting.shift();
        this.#writeHeaders(id, next.trailers, true);
        this.#sentEnd(id, stream);
        continue;
      }
      const admitted = Math.min(next.data.length, this.#peerFrameLength, stream.sendWindow, this.#sendWindow);
      if (admitted <= 0 && next.data.length > 0) return;
      const isWhole = admitted === next.data.length;
      const isEnd = isWhole && next.isEnd;
      this.#write(frameHead(admitted, frameTypes.data, isEnd ? flags.endStream : 0, id));
      if (admitted > 0) this.#write(next.data.subarray(0, admitted));
      stream.sendWindow -= admitted;
      this.#sendWindow -= admitted;
      stream.waitingBytes -= admitted;
      if (isWhole) stream.waiting.shift();
      else stream.waiting[0] = { data: next.data.subarray(admitted), isEnd: next.isEnd };
      if (isEnd) this.#sentEnd(id, stream);
    }
  }

  #drainFurther(id: number, stream: PeerStream): void {
    this.#drain(id, stream);
    this.#events.drained(id);
  }

  #drainAll(): void {
    for (const [id, stream] of this.#streams) if (stream.waiting.length > 0) this.#drainFurther(id, stream);
  }

  #write(bytes: Buffer): void {
    if (!this.#isClosed) this.#writer.write(bytes);
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const frame of this.#reader.push(chunk)) {
        if (this.#isClosed) return;
        this.#handle(frame);
      }
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      this.goaway(0, reason instanceof ProtocolError ? reason.code : errorCodes.compressionError, Buffer.alloc(0));
      this.#writer.flush();
      this.#close(reason);
    }
  }

  #close(error: Error | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroySoon();
    this.#events.closed(error);
  }

  #handle(frame: Frame): void {
    const { type, stream, payload } = frame;
    if (this.#headerBlock && type !== frameTypes.continuation)
      throw new ProtocolError('a header block is interrupted by another frame');
    if (!this.#hasPeerSettings && type !== frameTypes.settings)
      throw new ProtocolError('the first frame is not SETTINGS');
    switch (type) {
      case frameTypes.data:
        return this.#data(frame);
      case frameTypes.headers:
        return this.#headers(frame);
      case frameTypes.continuation:
        return this.#continuation(frame);
      case frameTypes.reset:
        this.#streams.delete(stream);
        return this.#events.reset(stream, payload.readUInt32BE(0));
      case frameTypes.settings:
        return this.#settings(frame);
      case frameTypes.pushPromise:
        throw new ProtocolError('push is disabled');
      case frameTypes.ping:
        return this.#events.ping(payload, (frame.flags & flags.ack) !== 0);
      case frameTypes.goaway:
        return this.#events.goaway(payload.readUInt32BE(0) & 0x7fffffff, payload.readUInt32BE(4), payload.subarray(8));
      case frameTypes.windowUpdate:
        return this.#extendWindow(stream, payload.readUInt32BE(0) & 0x7fffffff);
    }
  }

  #data({ stream: id, payload, flags: given }: Frame): void {
    this.#connectionUnacknowledged += payload.length;
    if (this.#connectionUnacknowledged >= connectionWindow / 2) {
      this.#write(windowUpdate(0, this.#connectionUnacknowledged));
      this.#connectionUnacknowledged = 0;
    }
    const stream = this.#streams.get(id);
    // Ignore frames of an unknown stream: it was reset, but the peer may have sent them before it received the reset.
    if (!stream || stream.hasReceivedEnd) return;
    stream.unacknowledged += payload.length;
    if (stream.unacknowledged > streamWindow)
      throw new ProtocolError('a stream exceeds its window', errorCodes.flowControlError);
    const isEnd = (given & flags.endStream) !== 0;
    if (isEnd) this.#receivedEnd(id, stream);
    this.#events.data(id, unpadded(payload, given), isEnd);
  }

  #receivedEnd(id: number, stream: PeerStream): void {
    stream.hasReceivedEnd = true;
    if (stream.hasSentEnd) this.#streams.delete(id);
  }

  #headers({ stream, payload, flags: given }: Frame): void {
    let block = unpadded(payload, given);
    if (given & flags.priority) block = block.subarray(5);
    const isEnd = (given & flags.endStream) !== 0;
    if (given & flags.endHeaders) this.#fields(stream, block, isEnd);
    else this.#headerBlock = { stream, isEnd, parts: [Buffer.from(block)] };
  }

  #continuation({ stream, payload, flags: given }: Frame): void {
    const open = this.#headerBlock;
    if (open?.stream !== stream) throw new ProtocolError('CONTINUATION without HEADERS');
    open.parts.push(Buffer.from(payload));
    if (open.parts.length > 1_024) throw new ProtocolError('a header block has too many frames');
    if (!(given & flags.endHeaders)) return;
    this.#headerBlock = undefined;
    this.#fields(stream, Buffer.concat(open.parts), open.isEnd);
  }

  #fields(id: number, block: Buffer, isEnd: boolean): void {
    // Decode the block even if the stream doesn't need it, because later blocks of the connection depend on it.
    const fields = this.#decoder.decode(block);
    const stream = this.#streamOfHeaders(id);
    if (!stream || stream.hasReceivedEnd) return;
    if (isEnd) this.#receivedEnd(id, stream);
    this.#events.headers(id, fields, isEnd);
  }

  #settings({ flags: given, payload }: Frame): void {
    if (given & flags.ack) return;
    this.#hasPeerSettings = true;
    const shared: { maxConcurrentStreams?: number; maxHeaderListSize?: number } = {};
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      switch (payload.readUInt16BE(at)) {
        case settings.initialWindowSize:
          this.#setStreamWindow(value);
          break;
        case settings.maxFrameSize:
          this.#peerFrameLength = Math.min(Math.max(value, maxFrameLength), 1024 * 1024);
          break;
        case settings.maxConcurrentStreams:
          shared.maxConcurrentStreams = value;
          break;
        case settings.maxHeaderListSize:
          shared.maxHeaderListSize = value;
          break;
      }
    }
    this.#write(frameOf(frameTypes.settings, flags.ack, 0, Buffer.alloc(0)));
    this.#events.settings(shared);
    this.#drainAll();
  }

  #setStreamWindow(size: number): void {
    if (size > maxWindow) throw new ProtocolError('a window is too large', errorCodes.flowControlError);
    const change = size - this.#peerStreamWindow;
    this.#peerStreamWindow = size;
    for (const stream of this.#streams.values()) stream.sendWindow += change;
  }

  #extendWindow(id: number, increment: number): void {
    if (id === 0) {
      this.#sendWindow += increment;
      if (this.#sendWindow > maxWindow) throw new ProtocolError('a window is too large', errorCodes.flowControlError);
      this.#drainAll();
      return;
    }
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.sendWindow += increment;
    if (stream.waiting.length > 0) this.#drainFurther(id, stream);
  }
}

function sharedValues({ maxConcurrentStreams, maxHeaderListSize }: SharedSettings): [number, number][] {
  const values: [number, number][] = [];
  if (maxConcurrentStreams !== undefined) values.push([settings.maxConcurrentStreams, maxConcurrentStreams]);
  if (maxHeaderListSize !== undefined) values.push([settings.maxHeaderListSize, maxHeaderListSize]);
  return values;
}

/** Returns the content of a DATA or HEADERS frame without its padding. */
function unpadded(payload: Buffer, given: number): Buffer {
  if (!(given & flags.padded)) return payload;
  const padding = payload[0] ?? 0;
  if (padding + 1 > payload.length) throw new ProtocolError('padding exceeds the frame');
  return payload.subarray(1, payload.length - padding);
}
