/** The node's way to its pods: the HTTP client and the dialer of probes and handlers. */
import { type Milliseconds, sleep } from '@podscope/trace';
import { roundTrip, type Server } from './network.ts';
import type { SimulatedNode } from './node.ts';

/** A request as the kubelet's prober makes it. */
export interface NodeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs?: Milliseconds;
  readonly signal?: AbortSignal;
}

export class SimulatedNetworkClient {
  readonly #node: SimulatedNode;

  constructor(node: SimulatedNode) {
    this.#node = node;
  }

  /** Asks a pod. Rejects with what Go's client would say when nobody answers in time. */
  async get({ url, timeoutMs, signal }: NodeRequest): Promise<{ readonly status: number; readonly body: string }> {
    const { hostname, port, protocol, pathname, search, host } = new URL(url);
    const fail = (cause: string): Error => new Error(`Get "${url}": ${cause}`);
    const work = async (): Promise<{ readonly status: number; readonly body: string }> => {
      const server = await this.#reach(hostname, Number(port || (protocol === 'https:' ? 443 : 80)), signal).catch((error: unknown) => {
        throw signal?.aborted || !(error instanceof Error) ? error : fail(error.message);
      });
      const response = await server({ path: pathname + search, host });
      if (!response) throw fail('EOF');
      return response;
    };
    return this.#within(work(), timeoutMs, signal, fail('context deadline exceeded (Client.Timeout exceeded while awaiting headers)'));
  }

  /** Opens and closes a connection. Rejects when nobody takes it in time. */
  async dial(host: string, port: number, timeoutMs?: Milliseconds, signal?: AbortSignal): Promise<void> {
    const timeout = new Error(`dial tcp ${host}:${port}: i/o timeout`);
    await this.#within(this.#reach(host, port, signal), timeoutMs, signal, timeout);
  }

  async #reach(host: string, port: number, signal: AbortSignal | undefined): Promise<Server> {
    await sleep(this.#node.clock, roundTrip, signal);
    const stack = this.#node.network.resolve(host, this.#node.network.host);
    if (!stack) throw new Error(`dial tcp ${host}:${port}: connect: no route to host`);
    const server = stack.serverAt(port);
    if (!server) throw new Error(`dial tcp ${host}:${port}: connect: connection refused`);
    return server;
  }

  async #within<T>(work: Promise<T>, timeoutMs: Milliseconds | undefined, signal: AbortSignal | undefined, timeout: Error): Promise<T> {
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
