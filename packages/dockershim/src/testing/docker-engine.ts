/** Calls the part of the Docker Engine's API with which tests observe the engine's containers and networks. */
import { type IncomingMessage, request } from 'node:http';

const apiVersion = 'v1.40';

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

  constructor(socketPath = '/var/run/docker.sock') {
    this.#socketPath = socketPath;
  }

  /**
   * Calls the engine and returns its answer.
   * @throws EngineError with the engine's text
   */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
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
    const response = await this.#open('GET', `/events?filters=${filters}`, undefined, signal);
    let rest = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') onEvent(JSON.parse(line) as DockerEvent);
    });
    response.on('error', () => undefined);
  }

  #open(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const sent = request(
        { socketPath: this.#socketPath, method, path: `/${apiVersion}${path}`, headers, signal },
        resolve,
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
