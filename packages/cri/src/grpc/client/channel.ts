/**
 * Makes CRI calls over one gRPC channel, with deadlines, cancellation and reconnection. Upstream: remote_runtime.go
 * (cri-client, v1.36).
 */
import { Client, type ClientReadableStream, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Context } from '@podscope/trace';
import { CriError } from '../../error.ts';
import type { Rpc } from '../api-version.ts';
import { decode } from '../codec/decode.ts';
import { encode } from '../codec/encode.ts';
import { maxMessageSize } from '../limits.ts';
import { criErrorOf } from '../status.ts';
import { callTimeout } from './deadlines.ts';

/** The kubelet's reconnection back-off: 100 ms to 3 s. */
const reconnection = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 3000,
};

/** A channel to one socket, which reconnects by itself. */
export class CriChannel {
  readonly #client: Client;
  readonly #endpoint: string;
  readonly #requestTimeout: number;

  /** @param requestTimeout the kubelet's `runtimeRequestTimeout`, in milliseconds */
  constructor(path: string, requestTimeout: number) {
    this.#endpoint = `unix://${path}`;
    this.#requestTimeout = requestTimeout;
    this.#client = new Client(`unix:${path}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxMessageSize,
      'grpc.max_send_message_length': maxMessageSize,
      ...reconnection,
    });
  }

  /** @throws CriError with the call's status; the signal's reason if it was aborted */
  unary(
    ctx: Context,
    rpc: Rpc,
    request: object,
    timeout = callTimeout(rpc.name, request, this.#requestTimeout),
  ): Promise<object> {
    const { signal } = ctx;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        rpc.path,
        serializerOf(rpc),
        deserializerOf(rpc),
        request,
        new Metadata(),
        { deadline: deadlineIn(timeout) },
        (error, response) => {
          signal.removeEventListener('abort', cancel);
          if (error) reject(this.#failure(error, signal));
          else if (response === undefined)
            reject(new CriError('Internal', `${rpc.name} was answered without a message`));
          else resolve(response);
        },
      );
      const cancel = (): void => call.cancel();
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** @throws as {@link unary}, while the stream is read */
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
    this.#client.close();
  }
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
