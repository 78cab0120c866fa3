/**
 * Makes CRI calls over one gRPC channel, with deadlines, cancellation and reconnection. Upstream: remote_runtime.go
 * (cri-client, v1.36).
 */
import { Client, type ClientReadableStream, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Clock, Context, Milliseconds, Timer } from '@podscope/trace';
import { CriError } from '../../error.ts';
import type { Rpc } from '../api-version.ts';
import { decode } from '../codec/decode.ts';
import { encode } from '../codec/encode.ts';
import { maxMessageSize } from '../limits.ts';
import { criErrorOf } from '../status.ts';
import { ClientTraceSession, type TracedCall } from '../trace/client-session.ts';
import { callTimeout } from './deadlines.ts';

/** The delays between attempts to reconnect, as in the kubelet: 100 ms to 3 s. */
const reconnection = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 3000,
};

/** A channel to one socket. It reconnects when the connection breaks. */
export class CriChannel {
  readonly #client: Client;
  readonly #endpoint: string;
  readonly #requestTimeout: number;
  #trace: ClientTraceSession | undefined;

  /** @param requestTimeout the kubelet's `runtimeRequestTimeout`, in ms */
  constructor(path: string, requestTimeout: number) {
    this.#endpoint = `unix://${path}`;
    this.#requestTimeout = requestTimeout;
    this.#client = new Client(`unix:${path}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxMessageSize,
      'grpc.max_send_message_length': maxMessageSize,
      ...reconnection,
    });
  }

  /**
   * Joins the runtime's spans to the trace of this process, if the runtime supports that. The spans of the runtime are
   * then below the spans of the calls. The time for which the gate stops these spans doesn't count toward the time
   * limit of a call.
   * @param ctx the context with the clock, and with the tracer of spans whose call is unknown
   * @returns false if the runtime doesn't support it
   */
  async joinTrace(ctx: Context): Promise<boolean> {
    const trace = new ClientTraceSession(ctx, this.#client);
    const isJoined = await trace.join();
    if (isJoined) this.#trace = trace;
    else trace.close();
    return isJoined;
  }

  /** The requests that the runtime couldn't fulfill exactly; empty for a runtime whose trace isn't joined. */
  get deviations(): readonly string[] {
    return this.#trace?.deviations ?? [];
  }

  /**
   * Makes a call and returns its response.
   * @throws CriError with the call's status; the signal's reason if it was aborted
   */
  unary(
    ctx: Context,
    rpc: Rpc,
    request: object,
    timeout = callTimeout(rpc.name, request, this.#requestTimeout),
  ): Promise<object> {
    const { signal } = ctx;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    // The span of an instrumented service shows the path.
    if (ctx.span?.point.kind === 'cri') ctx.span.set({ path: rpc.path });
    const traced = this.#trace?.begin(ctx);
    return new Promise((resolve, reject) => {
      let limit: Timer | undefined;
      const call = this.#client.makeUnaryRequest(
        rpc.path,
        serializerOf(rpc),
        deserializerOf(rpc),
        request,
        traced?.metadata ?? new Metadata(),
        { deadline: deadlineIn(traced ? undefined : timeout) },
        (error, response) => {
          signal.removeEventListener('abort', cancel);
          limit?.cancel();
          traced?.end();
          if (isLate) reject(new CriError('DeadlineExceeded', 'context deadline exceeded'));
          else if (error) reject(this.#failure(error, signal));
          else if (response === undefined)
            reject(new CriError('Internal', `${rpc.name} was answered without a message`));
          else resolve(response);
        },
      );
      const cancel = (): void => call.cancel();
      let isLate = false;
      if (traced && timeout !== undefined)
        limit = afterUnheld(ctx.clock, traced, timeout, () => {
          isLate = true;
          cancel();
        });
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /**
   * Makes a call and yields the messages of its response.
   * @throws like {@link unary}, while the stream is read
   */
  async *stream(ctx: Context, rpc: Rpc, request: object): AsyncGenerator<object> {
    const { signal } = ctx;
    signal.throwIfAborted();
    const timeout = callTimeout(rpc.name, request, this.#requestTimeout);
    const call: ClientReadableStream<object> = this.#client.makeServerStreamRequest(
      rpc.path,
      serializerOf(rpc),
      deserializerOf(rpc),
      request,
      new Metadata(),
      {
        deadline: deadlineIn(timeout),
      },
    );
    const cancel = (): void => call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for await (const message of call) yield message as object;
    } catch (error) {
      throw this.#failure(error as ServiceError, signal);
    } finally {
      signal.removeEventListener('abort', cancel);
      call.cancel();
    }
  }

  #failure(error: ServiceError, signal: AbortSignal): Error {
    if (signal.aborted && error.code === status.CANCELLED) return signal.reason as Error;
    if (error.code === status.UNAVAILABLE)
      return new CriError(
        'Unavailable',
        `the container runtime at ${this.#endpoint} does not answer: ${error.details}`,
        { cause: error },
      );
    return criErrorOf(error);
  }

  close(): void {
    this.#trace?.close();
    this.#client.close();
  }
}

/** Calls `expired` once a call has taken `timeout` ms, without the time during which the gate stopped it. */
function afterUnheld(clock: Clock, call: TracedCall, timeout: Milliseconds, expired: () => void): Timer {
  const start = clock.now();
  let timer = clock.schedule(timeout, check);
  function check(): void {
    const now = clock.now();
    const left = timeout + call.held(now) - (now - start);
    if (left <= 0) expired();
    // While the gate stops the call, its remaining time doesn't decrease.
    else timer = clock.schedule(Math.max(left, 10), check);
  }
  return { cancel: () => timer.cancel() };
}

const deadlineIn = (timeout: number | undefined): number =>
  timeout === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeout;

const serializerOf =
  (rpc: Rpc) =>
  (request: object): Buffer =>
    Buffer.from(encode(rpc.request, request));

const deserializerOf =
  (rpc: Rpc) =>
  (bytes: Buffer): object =>
    decode(rpc.response, bytes, 'empty');
