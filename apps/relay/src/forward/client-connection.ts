/**
 * Serves one connection of a client: opens a connection to the runtime, maps streams, and ends both connections
 * together. Pings, settings and flow control windows are separate for each connection. Streams, their resets and GOAWAY
 * are forwarded. The connection to an image runtime is opened at the first call for it. If that connection ends, calls
 * for the other runtime continue.
 */
import { connect, type Socket } from 'node:net';
import { errorCodes } from '../http2/frames.ts';
import type { Fields } from '../http2/hpack.ts';
import { Peer } from '../http2/peer.ts';
import { Call } from './call.ts';
import { valueOf } from './fields.ts';
import type { CallRegistry, Observer } from './observer.ts';
import type { StreamSide } from './stream-side.ts';

/** The sockets to which calls are forwarded, as paths. */
interface Runtimes {
  readonly runtime: string;
  /** Path of the socket of the ImageService, if it differs from the runtime's socket. */
  readonly imageRuntime?: string | undefined;
}

export interface ConnectionOptions {
  /** Number of the connection; 0 for the relay's own calls. */
  readonly number: number;
  readonly socket: Socket;
  readonly runtimes: Runtimes;
  readonly observer: Observer;
  readonly calls: CallRegistry;
  readonly closed: () => void;
}

type Endpoint = 'runtime' | 'image';

/** A connection to one of the runtimes. */
interface Upstream {
  readonly endpoint: Endpoint;
  readonly peer: Peer;
  readonly calls: Map<number, Call>;
  nextStream: number;
  /** True if the runtime accepts no further streams. */
  isLeaving: boolean;
}

export class ClientConnection {
  readonly #options: ConnectionOptions;
  readonly #upstreams = new Set<Upstream>();
  /** The calls, by the number of the client's stream. */
  readonly #calls = new Map<number, Call>();
  #client: Peer | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    socket.pause();
    socket.on('error', (error) => this.#close('client', error));
    socket.on('close', () => this.#close('client', undefined));
    if (options.number > 0 && options.observer.isConnected)
      options.observer.report({ type: 'connectionOpened', connection: options.number, time: Date.now() });
    this.#connect('runtime');
  }

  /** Ends the connection. */
  end(): void {
    this.#close('relay', undefined);
  }

  #connect(endpoint: Endpoint): Upstream {
    const { runtimes } = this.#options;
    const path = endpoint === 'image' ? (runtimes.imageRuntime ?? runtimes.runtime) : runtimes.runtime;
    const calls = new Map<number, Call>();
    const peer = new Peer(connect(path), false, {
      settings: (shared) => {
        if (endpoint === 'image') return;
        if (this.#client) this.#client.share(shared);
        else this.#startClient(shared);
      },
      headers: (stream, fields, isEnd) => calls.get(stream)?.runtimeHeaders(fields, isEnd),
      data: (stream, data, isEnd) => calls.get(stream)?.runtimeData(data, isEnd),
      reset: (stream, code) => calls.get(stream)?.runtimeReset(code),
      ping: (payload, isAck) => {
        if (!isAck) peer.ping(payload, true);
      },
      drained: (stream) => calls.get(stream)?.drained(),
      goaway: (lastStream, code, debug) => this.#goaway(upstream, lastStream, code, debug),
      closed: (error) => this.#upstreamClosed(upstream, error),
    });
    const upstream: Upstream = { endpoint, peer, calls, nextStream: 1, isLeaving: false };
    this.#upstreams.add(upstream);
    peer.start({});
    return upstream;
  }

  /**
   * Starts serving the client after the runtime has responded. If the runtime doesn't respond, the client's connection
   * ends, as it would without a relay.
   */
  #startClient(shared: Parameters<Peer['start']>[0]): void {
    const { socket } = this.#options;
    const client = new Peer(socket, true, {
      settings: () => undefined,
      headers: (stream, fields, isEnd) => this.#clientHeaders(client, stream, fields, isEnd),
      data: (stream, data, isEnd) => this.#calls.get(stream)?.clientData(data, isEnd),
      reset: (stream, code) => this.#calls.get(stream)?.clientReset(code),
      ping: (payload, isAck) => {
        if (!isAck) client.ping(payload, true);
      },
      drained: (stream) => this.#calls.get(stream)?.drained(),
      goaway: () => undefined,
      closed: (error) => this.#close('client', error),
    });
    this.#client = client;
    client.start(shared);
    socket.resume();
  }

  #clientHeaders(client: Peer, stream: number, fields: Fields, isEnd: boolean): void {
    const known = this.#calls.get(stream);
    if (known) {
      known.clientTrailers(fields);
      return;
    }
    const { number, observer, calls, runtimes } = this.#options;
    const isForImages = (valueOf(fields, ':path') ?? '').includes('.ImageService/');
    const endpoint = isForImages && runtimes.imageRuntime !== undefined ? 'image' : 'runtime';
    const call: Call = new Call(
      {
        number: calls.next(),
        connection: number,
        endpoint,
        fields,
        client: sideOf(client, stream),
        observer,
        open: (opened, requestFields, isRequestEnd) => this.#open(endpoint, opened, requestFields, isRequestEnd),
        over: (over) => {
          calls.remove(over.number);
          this.#calls.delete(stream);
          for (const upstream of this.#upstreams) forget(upstream, over);
        },
      },
      isEnd,
    );
    if (call.isOver) return;
    this.#calls.set(stream, call);
    calls.add(call);
  }

  /**
   * Returns the connection for new calls. For an image runtime, the relay opens a new connection if necessary, because
   * the client doesn't know about this connection.
   */
  #upstreamOf(endpoint: Endpoint): Upstream {
    const known = [...this.#upstreams].find((each) => each.endpoint === endpoint && !(isImage(each) && each.isLeaving));
    return known ?? this.#connect(endpoint);
  }

  #upstreamClosed(upstream: Upstream, error: Error | undefined): void {
    if (!isImage(upstream)) return this.#close('runtime', error);
    this.#upstreams.delete(upstream);
    const reason = error ? `: ${error.message}` : '';
    for (const call of upstream.calls.values())
      call.runtimeUnavailable(`the image runtime's connection ended${reason}`);
  }

  #open(endpoint: Endpoint, call: Call, fields: Fields, isEnd: boolean): StreamSide | undefined {
    const upstream = this.#upstreamOf(endpoint);
    if (upstream.isLeaving || upstream.peer.isClosed) return undefined;
    const stream = upstream.nextStream;
    upstream.nextStream += 2;
    upstream.calls.set(stream, call);
    upstream.peer.openStream(stream, fields, isEnd);
    return sideOf(upstream.peer, stream);
  }

  /** Sends the client a GOAWAY with the number of the client's last stream that is served. */
  #goaway(upstream: Upstream, lastStream: number, code: number, debug: Buffer): void {
    upstream.isLeaving = true;
    let last = 0;
    for (const [stream, call] of this.#calls) {
      // The highest number of a stream that is served. A client repeats calls on higher streams over another
      // connection, so the number must include the calls for the image runtime.
      const served =
        call.endpoint === 'image' ||
        [...upstream.calls].some(([number, each]) => each === call && number <= lastStream);
      if (served) last = Math.max(last, stream);
    }
    // Reset the calls on streams after the runtime's last one, because the runtime doesn't respond to them.
    for (const [stream, call] of upstream.calls) if (stream > lastStream) call.runtimeReset(errorCodes.refusedStream);
    if (isImage(upstream)) return;
    this.#client?.goaway(lastStream >= 2 ** 31 - 1 ? lastStream : last, code, Buffer.from(debug));
  }

  #close(by: 'client' | 'runtime' | 'relay', error: Error | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { number, observer, socket, closed } = this.#options;
    for (const call of Array.from(this.#calls.values())) {
      if (by === 'client') call.clientReset(errorCodes.cancel);
      else call.runtimeLost();
    }
    for (const { peer } of this.#upstreams) peer.end();
    if (by !== 'client') this.#client?.end();
    socket.destroySoon();
    if (number > 0 && observer.isConnected) {
      const reason = error ? { error: error.message } : {};
      observer.report({ type: 'connectionClosed', connection: number, time: Date.now(), by, ...reason });
    }
    closed();
  }
}

const isImage = ({ endpoint }: Upstream): boolean => endpoint === 'image';

function forget(upstream: Upstream, call: Call): void {
  for (const [stream, each] of upstream.calls) if (each === call) upstream.calls.delete(stream);
}

const sideOf = (peer: Peer, stream: number): StreamSide => ({
  sendHeaders: (fields, isEnd) => peer.sendHeaders(stream, fields, isEnd),
  sendData: (data, isEnd) => peer.sendData(stream, data, isEnd),
  sendReset: (code) => peer.sendReset(stream, code),
  waitingBytes: () => peer.waitingBytes(stream),
  acknowledge: () => peer.acknowledge(stream),
});
