/** Starts a server on the simulator for tests, with its own state directory and a free port. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine } from '../cli/options.ts';
import { createLogger } from '../log.ts';
import { type RunningServer, startServer } from '../server.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

export interface TestServer extends RunningServer {
  readonly stateDir: string;
  /** Sends a request. The token is sent as a bearer token, unless `headers` contains other credentials. */
  request(
    method: string,
    path: string,
    options?: { readonly headers?: Record<string, string>; readonly body?: string | object },
  ): Promise<Answer>;
  dispose(): Promise<void>;
}

/** Starts a server. @param args additional command line options */
export async function startTestServer(args: readonly string[] = [], pageDirectory?: string): Promise<TestServer> {
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-server-'));
  const line = parseCommandLine(['--runtime', 'sim', '--port', '0', '--state-dir', stateDir, ...args]);
  if (line.action !== 'serve') throw new Error('the arguments do not start a server');
  const server = await startServer(line.options, {
    logger: createLogger('silent'),
    notify: () => undefined,
    preparePage: () => Promise.resolve(pageDirectory),
  });
  return {
    ...server,
    stateDir,
    request: (method, path, { headers = {}, body } = {}) =>
      send(server.port, method, path, { Authorization: `Bearer ${server.token}`, ...headers }, body),
    dispose: async () => {
      await server.stop();
      await rm(stateDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | object | undefined,
): Promise<Answer> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const type = typeof body === 'object' ? { 'Content-Type': 'application/json' } : {};
  const length = text === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) };
  const sent = Object.fromEntries(
    Object.entries({ ...type, ...length, ...headers }).filter(([, value]) => value !== ''),
  );
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer, json: parseJson(answer) });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(text);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
