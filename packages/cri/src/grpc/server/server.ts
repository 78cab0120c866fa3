/**
 * Serves a container runtime as CRI over gRPC on a Unix socket: `runtime.v1`, and `runtime.v1alpha2` for old clients.
 */
import { createServer } from 'node:net';
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type Context, DeadlineExceededError, withSignal } from '@podscope/trace';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { type CriApiVersion, type Rpc, rpcsOf } from '../api-version.ts';
import { decode, MissingFieldError } from '../codec/decode.ts';
import { encode } from '../codec/encode.ts';
import { socketPath } from '../endpoint.ts';
import { maxMessageSize } from '../limits.ts';
import { statusOf } from '../status.ts';
import { ServerTraceSessions } from '../trace/server-sessions.ts';
import { placeSocket } from './listen-socket.ts';
import { RewritingConnection } from './rewriting-connection.ts';

export interface ServeCriOptions {
  /** The endpoint, for example `unix:///run/podscope/cri.sock`. */
  readonly listen: string;
  /** The context from which the context of each call is derived. It provides the clock and the tracer. */
  readonly ctx: Context;
  /** The permissions of the socket: 0600 for the user, 0660 for the user's group, too. Default: 0600. */
  readonly mode?: number;
  /** The supported versions. Default: both. */
  readonly versions?: readonly CriApiVersion[];
  /** How long {@link CriServer.close} waits for calls in progress, in ms. Default: 10 s. */
  readonly drainTimeout?: number;
}

export interface CriServer {
  /** The endpoint clients connect to. */
  readonly endpoint: string;
  /** Accepts no further calls, ends streams, waits for calls in progress and removes the socket. */
  close(): Promise<void>;
}

/** A request, or why it is invalid. The handler turns the reason into a status. */
type Received = { readonly request: object } | { readonly error: MissingFieldError };

type Call = ServerUnaryCall<Received, object> | ServerWritableStream<Received, object>;

/**
 * Returns a signal that aborts when the client cancels the call, the deadline of the call passes or the server stops.
 */
function signalOf(call: Call, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController();
  call.on('cancelled', () => {
    const deadline = call.getDeadline();
    const late = (deadline instanceof Date ? deadline.getTime() : deadline) <= Date.now();
    controller.abort(late ? new DeadlineExceededError() : new DOMException('context canceled', 'AbortError'));
  });
  return AbortSignal.any([controller.signal, shutdown]);
}

type Handler = (ctx: Context, request: object) => unknown;

class CallHandlers {
  readonly #ctx: Context;
  readonly #shutdown: AbortSignal;
  readonly #traces: ServerTraceSessions;

  constructor(ctx: Context, shutdown: AbortSignal, traces: ServerTraceSessions) {
    this.#ctx = ctx;
    this.#shutdown = shutdown;
    this.#traces = traces;
  }

  unary({ name }: Rpc, handle: Handler) {
    return async (call: ServerUnaryCall<Received, object>, callback: sendUnaryData<object>): Promise<void> => {
      // When the server stops, calls in progress finish. Only their client can cancel them.
      const ctx = withSignal(this.#ctx, signalOf(call, new AbortController().signal));
      const joined = this.#traces.join(ctx, name, call.metadata);
      const ended = async (): Promise<void> => (joined ? joined.ended() : this.#traces.report());
      try {
        if ('error' in call.request) throw call.request.error;
        const response = (await handle(joined?.ctx ?? ctx, call.request.request)) as object;
        await ended();
        callback(null, response);
      } catch (error) {
        await ended();
        callback(statusOf(error, ctx.signal));
      }
    };
  }

  stream(handle: Handler) {
    return async (call: ServerWritableStream<Received, object>): Promise<void> => {
      const ctx = withSignal(this.#ctx, signalOf(call, this.#shutdown));
      try {
        if ('error' in call.request) throw call.request.error;
        const messages = handle(ctx, call.request.request) as AsyncIterable<object>;
        // Sends the headers before the first message, so that the client knows that the stream is open.
        call.sendMetadata(new Metadata());
        for await (const message of messages) if (!call.write(message)) await drained(call, ctx.signal);
        call.end();
      } catch (error) {
        const status = this.#shutdown.aborted ? { code: 14, details: 'the server stops' } : statusOf(error, ctx.signal);
        call.emit('error', { ...status, metadata: new Metadata() });
      }
    };
  }
}

/** Waits until a slow client has received the data that was written. */
const drained = (call: ServerWritableStream<Received, object>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    call.once('drain', () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });

function receive({ request }: Rpc, bytes: Buffer): Received {
  try {
    return { request: decode(request, bytes, 'refuse') };
  } catch (error) {
    // Bytes that can't be decoded make gRPC end the call as Internal.
    if (!(error instanceof MissingFieldError)) throw error;
    return { error };
  }
}

function definitionOf(rpcs: readonly Rpc[]): ServiceDefinition {
  return Object.fromEntries(
    rpcs.map((rpc) => [
      rpc.name,
      {
        path: rpc.path,
        requestStream: false,
        responseStream: rpc.streams,
        requestSerialize: ({ request }: { request: object }) => Buffer.from(encode(rpc.request, request)),
        requestDeserialize: (bytes: Buffer) => receive(rpc, bytes),
        responseSerialize: (response: object) => Buffer.from(encode(rpc.response, response)),
        responseDeserialize: (bytes: Buffer) => decode(rpc.response, bytes, 'empty'),
      },
    ]),
  );
}

function implementationOf(service: object, rpcs: readonly Rpc[], handlers: CallHandlers): UntypedServiceImplementation {
  return Object.fromEntries(
    rpcs.map((rpc) => {
      const handle = (Reflect.get(service, rpc.key) as Handler).bind(service);
      return [rpc.name, rpc.streams ? handlers.stream(handle) : handlers.unary(rpc, handle)];
    }),
  );
}

/**
 * Serves a runtime until the server is closed. Closing the server doesn't close the runtime.
 * @throws Error for an invalid endpoint or a path in use
 */
export async function serveCri(
  runtime: Pick<ContainerRuntime, 'runtime' | 'images'> & Partial<Pick<ContainerRuntime, 'deviations' | 'failures'>>,
  options: ServeCriOptions,
): Promise<CriServer> {
  const path = socketPath(options.listen);
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageSize,
    'grpc.max_send_message_length': maxMessageSize,
  });
  const shutdown = new AbortController();
  const { deviations = () => [], failures } = runtime;
  const traces = new ServerTraceSessions({ deviations, ...(failures ? { failures } : {}) });
  server.addService(traces.definition, traces.implementation);
  const handlers = new CallHandlers(options.ctx, shutdown.signal, traces);
  for (const version of options.versions ?? (['v1', 'v1alpha2'] as const)) {
    const services = { RuntimeService: runtime.runtime, ImageService: runtime.images } as const;
    for (const name of ['RuntimeService', 'ImageService'] as const) {
      const rpcs = rpcsOf(version, name);
      server.addService(definitionOf(rpcs), implementationOf(services[name], rpcs, handlers));
    }
  }
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((connection) => injector.injectConnection(new RewritingConnection(connection)));
  const socket = await placeSocket(
    path,
    options.mode ?? 0o600,
    (at) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject).listen(at, resolve);
      }),
  );
  return {
    endpoint: `unix://${path}`,
    async close() {
      await socket.remove();
      listener.close();
      traces.close();
      shutdown.abort(new DOMException('the server stops', 'AbortError'));
      await shutDown(options.ctx, server, options.drainTimeout ?? 10_000);
    },
  };
}

/** Waits for calls in progress, at most for `timeout` ms. */
function shutDown({ clock }: Context, server: Server, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.schedule(timeout, () => server.forceShutdown());
    server.tryShutdown(() => {
      timer.cancel();
      server.forceShutdown();
      resolve();
    });
  });
}
