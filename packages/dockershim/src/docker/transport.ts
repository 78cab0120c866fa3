/**
 * Sends dockerode's calls to the Docker Engine. Adds the API version, the abort signal and headers to each request, and
 * reads an answer as JSON, as a stream or as a hijacked connection.
 */
import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { inspect } from 'node:util';
import { asError } from '@podscope/base';
import type { Context } from '@podscope/trace';
import Docker, { type DockerOptions } from 'dockerode';
import { z } from 'zod';
import type { DockerEndpoint } from './endpoint.ts';
import { connectionError, DockerError, type DockerSubject, responseError } from './error.ts';
import { type DockerCall, type DockerRequest, engineOver } from './requests.ts';

/** The newest API version that dockershim requests. */
const newestApiVersion = '1.52';
/** The oldest API version that dockershim supports: that of Docker 20.10. */
const oldestApiVersion = '1.41';

const successes = { 101: true, 200: true, 201: true, 202: true, 204: true, 304: true } as const;
const failureSchema = z.object({
  statusCode: z.number(),
  message: z.string(),
  json: z.object({ message: z.string() }).optional().catch(undefined),
});

/** The body of an HTTP answer while it is read. */
export interface DockerStream extends AsyncIterable<Uint8Array> {
  destroy(error?: Error): unknown;
  readonly headers?: http.IncomingHttpHeaders;
}

export interface TransportOptions {
  readonly subject?: DockerSubject;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Hides the content of an agent from `util.inspect`. dockerode's transport formats every request for a debug log, with
 * all connections of its agent. With many followed logs, that takes milliseconds per call.
 */
const withoutText = <T extends http.Agent>(agent: T): T => Object.assign(agent, { [inspect.custom]: () => 'Agent' });

const versionParts = (version: string): number[] => version.split('.').map(Number);

/** Compares API versions. Returns a negative number if `a` is older. */
export function compareApiVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = versionParts(a);
  const [majorB = 0, minorB = 0] = versionParts(b);
  return majorA - majorB || minorA - minorB;
}

interface Mode {
  readonly isStream?: true;
  readonly hijack?: true;
}

/** Manages the connections to one engine. */
export class DockerTransport {
  readonly endpoint: string;
  readonly #docker: Docker;
  readonly #agent: http.Agent | undefined;
  #apiVersion: string | undefined;

  constructor(endpoint: DockerEndpoint) {
    this.endpoint = endpoint.url;
    const { protocol } = endpoint.connection;
    // For ssh, dockerode uses its own agent.
    if (protocol !== 'ssh')
      this.#agent = withoutText(
        protocol === 'https' ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true }),
      );
    // dockerode's types lack `agent`.
    const connection: DockerOptions & { agent?: http.Agent } = { ...endpoint.connection, agent: this.#agent };
    this.#docker = new Docker(connection);
  }

  get apiVersion(): string {
    return this.#apiVersion ?? newestApiVersion;
  }

  /**
   * Negotiates the newest API version that both sides support. Upstream: NegotiateAPIVersion of the Docker client.
   * @throws DockerError Unavailable if no engine answers, FailedPrecondition if the engine is too old
   */
  async negotiate(ctx: Context): Promise<void> {
    const answer = await this.#call<DockerStream>(ctx, (engine) => engine.ping(), {}, { isStream: true }, '');
    answer.destroy();
    const offered = answer.headers?.['api-version'];
    const server = typeof offered === 'string' ? offered : oldestApiVersion;
    if (compareApiVersions(server, oldestApiVersion) < 0) {
      const text =
        `docker API version is older than ${oldestApiVersion}: the engine at ${this.endpoint} speaks ${server}; ` +
        'Docker 20.10 or newer is needed';
      throw new DockerError('FailedPrecondition', text);
    }
    this.#apiVersion = compareApiVersions(server, newestApiVersion) < 0 ? server : newestApiVersion;
  }

  /** Makes a call and returns its answer, parsed from JSON; undefined for an empty answer. */
  async request(ctx: Context, call: DockerCall, options: TransportOptions = {}): Promise<unknown> {
    const answer = await this.#call(ctx, call, options, {});
    return Buffer.isBuffer(answer) ? undefined : answer;
  }

  /** Makes a call and returns the body of its answer as a stream. */
  stream(ctx: Context, call: DockerCall, options: TransportOptions = {}): Promise<DockerStream> {
    return this.#call(ctx, call, options, { isStream: true });
  }

  /** Makes a call and returns the connection that the engine has hijacked. */
  hijack(ctx: Context, call: DockerCall, options: TransportOptions = {}): Promise<Duplex> {
    return this.#call(ctx, call, options, { isStream: true, hijack: true });
  }

  close(): void {
    this.#agent?.destroy();
  }

  /** Makes a call and resolves with the engine's whole answer. dockerode itself would return only a part of it. */
  #call<T>(
    ctx: Context,
    call: DockerCall,
    options: TransportOptions,
    mode: Mode,
    prefix = `/v${this.apiVersion}`,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const engine = engineOver((request, done) => {
        this.#dial<T>(ctx, { ...request, path: `${prefix}${request.path}` }, options, mode).then(
          (answer) => {
            resolve(answer);
            // oxlint-disable-next-line promise/no-callback-in-promise -- dockerode takes a callback
            done(null, answer);
          },
          // oxlint-disable-next-line promise/no-callback-in-promise -- dockerode takes a callback
          (error: unknown) => done(error, null),
        );
      });
      call(engine).catch(reject);
    });
  }

  async #dial<T>(ctx: Context, request: DockerRequest, options: TransportOptions, mode: Mode): Promise<T> {
    try {
      return await this.#dialOnce<T>(ctx, request, options, mode);
    } catch (error) {
      // When the engine restarts, idle connections break. Only a request that changes nothing is sent again.
      if (request.method !== 'GET' || ctx.signal.aborted || !isConnectionReset(error)) throw error;
      return this.#dialOnce<T>(ctx, request, options, mode);
    }
  }

  async #dialOnce<T>(ctx: Context, request: DockerRequest, options: TransportOptions, mode: Mode): Promise<T> {
    const query = Object.fromEntries(Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined));
    ctx.signal.throwIfAborted();
    if (!isClean(request.path)) throw responseError(404, 'page not found', options.subject);
    return new Promise((resolve, reject) => {
      this.#docker.modem.dial(
        {
          method: request.method,
          // dockerode appends options._query to a path that ends with `?`; an empty _body isn't sent.
          path: `${request.path}?`,
          options: { _query: query, _body: request.body ?? {} },
          ...(options.headers ? { headers: { ...options.headers } } : {}),
          statusCodes: successes,
          abortSignal: ctx.signal,
          ...mode,
        },
        (error: unknown, answer: unknown) => {
          if (error) reject(this.#failure(ctx, error, options.subject));
          else resolve(answer as T);
        },
      );
    });
  }

  #failure(ctx: Context, error: unknown, subject: DockerSubject | undefined): Error {
    const failure = failureSchema.safeParse(error);
    if (failure.success) {
      const { statusCode, json, message } = failure.data;
      // For streams, the engine's error text is only in dockerode's own message.
      const text = json?.message ?? /^\(HTTP code \d+\) .*? - (.*) $/s.exec(message)?.[1] ?? message;
      return responseError(statusCode, text.trim(), subject);
    }
    if (ctx.signal.aborted) return ctx.signal.reason as Error;
    return connectionError(this.endpoint, asError(error));
  }
}

/**
 * Returns false for a path like `/containers/../json`, which an id from outside can produce. The engine would redirect
 * the request. dockerode's transport then follows the redirect without a host and throws an error that can't be caught.
 */
const isClean = (path: string): boolean =>
  decodeURIComponent(path)
    .split('/')
    .slice(1)
    .every((part) => part !== '' && part !== '.' && part !== '..');

function isConnectionReset(error: unknown): boolean {
  if (!(error instanceof DockerError) || error.status !== undefined || !(error.cause instanceof Error)) return false;
  const { code } = error.cause as Error & { code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE';
}
