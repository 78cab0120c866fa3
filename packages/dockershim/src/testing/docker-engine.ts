/** Calls the part of the Docker Engine's API with which tests observe the engine's containers and networks. */
import { type IncomingMessage, request } from 'node:http';
import { z } from 'zod';
import { dockerEndpoint } from '../docker/endpoint.ts';
import { compareApiVersions } from '../docker/transport.ts';

/** The API version of the recordings. Docker 29 and newer don't support this version. */
const recordedApiVersion = '1.40';

const versionSchema = z.object({ MinAPIVersion: z.string() });

/** Returns the path of the engine's socket. @throws Error if `DOCKER_HOST` names another machine */
export function engineSocket(environment: NodeJS.ProcessEnv = process.env): string {
  const { url, connection } = dockerEndpoint(undefined, environment);
  if (connection.socketPath === undefined) throw new Error(`the Docker engine at ${url} has no socket on this machine`);
  return connection.socketPath;
}

/** The error in an answer of the engine. */
class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export interface DockerEvent {
  readonly Action: string;
  readonly Type: string;
  readonly timeNano: number;
  readonly Actor: { readonly ID: string; readonly Attributes: Readonly<Record<string, string | undefined>> };
}

/** A client of the engine behind a socket. */
export class DockerEngine {
  readonly #socketPath: string;
  #apiVersion: Promise<string> | undefined;

  constructor(socketPath = engineSocket()) {
    this.#socketPath = socketPath;
  }

  /**
   * Calls the engine and returns its answer.
   * @throws EngineError with the engine's text
   */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    return this.#call(method, await this.#versioned(path), body);
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#open(method, path, body);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    const { statusCode = 0 } = response;
    if (statusCode >= 300 && statusCode !== 304) throw new EngineError(`${method} ${path}: ${text.trim()}`, statusCode);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** Calls `onEvent` for the container and network events of objects with these labels, until the signal is aborted. */
  async watch(labels: readonly string[], onEvent: (event: DockerEvent) => void, signal: AbortSignal): Promise<void> {
    const filters = encodeURIComponent(
      JSON.stringify({ type: ['container', 'network'], ...(labels.length > 0 ? { label: labels } : {}) }),
    );
    const response = await this.#open('GET', await this.#versioned(`/events?filters=${filters}`), undefined, signal);
    let rest = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') onEvent(JSON.parse(line) as DockerEvent);
    });
    response.on('error', () => undefined);
  }

  /**
   * Returns a path with the API version of the recordings or, if the engine is too new for that version, the engine's
   * oldest version.
   */
  async #versioned(path: string): Promise<string> {
    this.#apiVersion ??= this.#call('GET', '/version').then((answer) => {
      const { MinAPIVersion: oldest } = versionSchema.parse(answer);
      return compareApiVersions(oldest, recordedApiVersion) > 0 ? oldest : recordedApiVersion;
    });
    return `/v${await this.#apiVersion}${path}`;
  }

  #open(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const sent = request({ socketPath: this.#socketPath, method, path, headers, signal }, resolve);
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
