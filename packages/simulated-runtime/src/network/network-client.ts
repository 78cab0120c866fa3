/** Sends requests from the node to its pods, for probes and lifecycle handlers. */
import { type Milliseconds, sleep } from '@podscope/trace';
import type { SimulatedNode } from '../node.ts';
import { type HealthAnswer, roundTrip, type Server } from './pod-network.ts';

/** An HTTP request that the kubelet's prober sends. */
export interface NodeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs?: Milliseconds;
  readonly signal?: AbortSignal;
}

/** A gRPC health check that the kubelet's prober sends. */
export interface HealthRequest {
  readonly host: string;
  readonly port: number;
  /** The name of the service; empty for the whole server. */
  readonly service: string;
  readonly timeoutMs: Milliseconds;
  readonly signal?: AbortSignal;
}

/** The first delay before a gRPC client reconnects. Each further delay is 1.6 times as long. */
const firstReconnect: Milliseconds = 1_000;
const reconnectFactor = 1.6;

export class SimulatedNetworkClient {
  readonly #node: SimulatedNode;

  constructor(node: SimulatedNode) {
    this.#node = node;
  }

  /** Sends an HTTP GET. Rejects with the error text of Go's HTTP client. */
  async get({ url, timeoutMs, signal }: NodeRequest): Promise<{ readonly status: number; readonly body: string }> {
    const { hostname, port, protocol, pathname, search, host } = new URL(url);
    const fail = (cause: string): Error => new Error(`Get "${url}": ${cause}`);
    const work = async (): Promise<{ readonly status: number; readonly body: string }> => {
      const server = await this.#reach(hostname, Number(port || (protocol === 'https:' ? 443 : 80)), signal).catch(
        (error: unknown) => {
          throw signal?.aborted || !(error instanceof Error) ? error : fail(error.message);
        },
      );
      const response = await server({ path: pathname + search, host });
      if (!response) throw fail('EOF');
      return response;
    };
    return this.#within(
      work(),
      timeoutMs,
      signal,
      fail('context deadline exceeded (Client.Timeout exceeded while awaiting headers)'),
    );
  }

  /** Opens and closes a TCP connection. Rejects when the connection isn't accepted before the timeout. */
  async dial(host: string, port: number, timeoutMs?: Milliseconds, signal?: AbortSignal): Promise<void> {
    const timeout = new Error(`dial tcp ${host}:${port}: i/o timeout`);
    await this.#within(this.#reach(host, port, signal), timeoutMs, signal, timeout);
  }

  /**
   * Calls the gRPC health service. Returns `not connected` if no gRPC server responds before the timeout; until then,
   * the client reconnects repeatedly. Rejects only when the call is aborted.
   */
  async check({ host, port, service, timeoutMs, signal }: HealthRequest): Promise<HealthAnswer | 'not connected'> {
    const state = { connected: false };
    const expired = new Error('context deadline exceeded');
    const over = new AbortController();
    const ask = async (): Promise<HealthAnswer> => {
      for (let pause = firstReconnect; ; pause *= reconnectFactor) {
        await sleep(this.#node.clock, roundTrip, over.signal);
        const health = this.#node.network.resolve(host, this.#node.network.host)?.healthAt(port);
        if (health) {
          state.connected = true;
          return health(service);
        }
        await sleep(this.#node.clock, pause, over.signal);
      }
    };
    try {
      return await this.#within(ask(), timeoutMs, signal, expired);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error !== expired) return { code: 'Unavailable', details: 'error reading from server: EOF' };
      return state.connected ? { code: 'DeadlineExceeded', details: expired.message } : 'not connected';
    } finally {
      over.abort();
    }
  }

  async #reach(host: string, port: number, signal: AbortSignal | undefined): Promise<Server> {
    await sleep(this.#node.clock, roundTrip, signal);
    const stack = this.#node.network.resolve(host, this.#node.network.host);
    if (!stack) throw new Error(`dial tcp ${host}:${port}: connect: no route to host`);
    const server = stack.serverAt(port);
    if (!server) throw new Error(`dial tcp ${host}:${port}: connect: connection refused`);
    return server;
  }

  async #within<T>(
    work: Promise<T>,
    timeoutMs: Milliseconds | undefined,
    signal: AbortSignal | undefined,
    timeout: Error,
  ): Promise<T> {
    const over = new AbortController();
    const limits: Promise<never>[] = [];
    if (timeoutMs !== undefined) {
      limits.push(
        sleep(this.#node.clock, timeoutMs, over.signal).then(
          () => Promise.reject(timeout),
          () => Promise.reject(timeout),
        ),
      );
    }
    if (signal) {
      limits.push(
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over.signal });
        }),
      );
    }
    try {
      return await Promise.race([work, ...limits]);
    } finally {
      over.abort();
    }
  }
}
