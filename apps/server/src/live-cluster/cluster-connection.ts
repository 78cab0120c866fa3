/** Reads objects of a cluster with the rights that a kubeconfig provides. Sends only GET requests. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { KubeConfig } from '@kubernetes/client-node';
import { StartError } from '../start-error.ts';
import { defaultKubeConfig, loadKubeConfig } from './kube-config.ts';

/** Thrown when the API server answers with an error, or doesn't answer. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  /** The HTTP status; 0 if the server did not answer. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export interface ClusterOptions {
  /** The path in `--kubeconfig`. Default: the kubeconfig that kubectl would use. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

/** Maximum time for a response of the cluster, in milliseconds. */
const timeout = 15_000;

const messageIn = (body: string): string => {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
};

/** A connection to the API server of a kubeconfig's context. */
export class ClusterConnection {
  readonly #config: KubeConfig;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;

  /** @throws StartError if the kubeconfig or the context does not exist */
  constructor({ kubeconfig, context }: ClusterOptions) {
    this.kubeconfig = defaultKubeConfig(kubeconfig);
    this.#config = loadKubeConfig({ kubeconfig: this.kubeconfig, context });
    // kubectl also supports plain HTTP (`kubectl proxy`), which has no certificate to verify.
    this.#config.clusters = this.#config.clusters.map((cluster) =>
      cluster.server.startsWith('http:') ? { ...cluster, skipTLSVerify: true } : cluster,
    );
  }

  get context(): string {
    return this.#config.getCurrentContext();
  }

  /** The names of all contexts. */
  get contexts(): readonly string[] {
    return this.#config.getContexts().map(({ name }) => name);
  }

  /** The namespace of the context; `default` if the context names none. */
  get namespace(): string {
    return this.#config.getContextObject(this.context)?.namespace ?? 'default';
  }

  async #open(path: string, signal?: AbortSignal): Promise<IncomingMessage> {
    const server = this.#config.getCurrentCluster()?.server ?? '';
    const url = new URL(server.replace(/\/$/, '') + path);
    const options: RequestOptions = { method: 'GET', headers: { accept: 'application/json' } };
    try {
      await this.#config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new ClusterError(0, `no credentials for ${this.context}: ${(error as Error).message}`, { cause: error });
    }
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'http:' ? httpRequest : httpsRequest)(
        url,
        // Plain HTTP needs the default agent, because the agent for TLS can't open plain connections.
        { ...options, ...(url.protocol === 'http:' ? { agent: undefined } : {}), ...(signal ? { signal } : {}) },
        resolve,
      );
      request.setTimeout(timeout, () =>
        request.destroy(new Error(`${url.host} did not answer in ${timeout / 1_000} s`)),
      );
      request.on('error', (error) => reject(new ClusterError(0, `${url.host}: ${error.message}`, { cause: error })));
      request.end();
    });
  }

  /** Returns the body of a path as text. @throws ClusterError if the answer is not a success */
  async text(path: string): Promise<string> {
    const response = await this.#open(path);
    const body = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode >= 300) throw new ClusterError(statusCode, messageIn(body));
    return body;
  }

  /** Returns the object of a path. @throws ClusterError if the answer is not a success or not JSON */
  async get(path: string): Promise<Readonly<Record<string, unknown>>> {
    const body = await this.text(path);
    try {
      return JSON.parse(body) as Readonly<Record<string, unknown>>;
    } catch (error) {
      throw new ClusterError(0, `the answer to ${path} is not JSON`, { cause: error });
    }
  }

  /** Yields the lines of a watch until it ends or the signal aborts. @throws ClusterError if it can't be opened */
  async *lines(path: string, signal: AbortSignal): AsyncIterable<string> {
    const response = await this.#open(path, signal);
    const { statusCode = 0 } = response;
    if (statusCode >= 300) throw new ClusterError(statusCode, messageIn(await text(response)));
    response.socket.setTimeout(0);
    // An error of the connection ends the watch without an exception.
    response.on('error', () => undefined);
    try {
      yield* createInterface({ input: response });
    } finally {
      response.destroy();
    }
  }
}

export { StartError };
