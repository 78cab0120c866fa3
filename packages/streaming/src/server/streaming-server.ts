/**
 * Implements the streaming server of Exec, Attach and PortForward, which issues URLs with one-time tokens.
 * Upstream: kubelet's streaming package (v1.36).
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type AttachRequest,
  type ContainerStreams,
  CriError,
  type ExecRequest,
  type PortForwardRequest,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { withSignal } from '@podscope/trace';
import { servePortForward } from '../port-forward/serve.ts';
import { serveRemoteCommand } from '../remote-command/serve.ts';
import { refuse, UpgradeError, type UpgradeRequest } from '../upgrade.ts';
import { TokenCache } from './token-cache.ts';

type Pending =
  | { readonly kind: 'exec'; readonly request: ExecRequest }
  | { readonly kind: 'attach'; readonly request: AttachRequest }
  | { readonly kind: 'portforward'; readonly request: PortForwardRequest };

/** Options of a streaming server. */
export interface StreamingServerOptions {
  /** Address to listen on. Default 127.0.0.1, because a token is all that a client needs. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

interface WantedStreams {
  readonly tty?: boolean;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
}

function checkStreams({ tty, stdin, stdout, stderr }: WantedStreams, names: string): void {
  if (tty && stderr) throw new CriError('InvalidArgument', 'tty and stderr cannot both be true');
  if (!stdin && !stdout && !stderr) throw new CriError('InvalidArgument', `one of ${names} must be set`);
}

/** The server of one runtime. Starts to listen with the first URL. */
export class StreamingServer {
  readonly #ctx: Context;
  readonly #streams: ContainerStreams;
  readonly #options: StreamingServerOptions;
  readonly #tokens = new TokenCache<Pending>();
  readonly #connections = new Set<Duplex>();
  #listening: Promise<Server> | undefined;

  /** @param ctx the context of the streams; each gets its own signal */
  constructor(ctx: Context, streams: ContainerStreams, options: StreamingServerOptions = {}) {
    this.#ctx = ctx;
    this.#streams = streams;
    this.#options = options;
  }

  /** Checks the request without the runtime. @throws CriError InvalidArgument */
  static checkExec(request: ExecRequest): void {
    if (!request.containerId) throw new CriError('InvalidArgument', 'missing required container_id');
    checkStreams(request, 'stdin, stdout, or stderr');
  }

  /** @throws CriError InvalidArgument */
  static checkAttach(request: AttachRequest): void {
    if (!request.containerId) throw new CriError('InvalidArgument', 'missing required container_id');
    checkStreams(request, 'stdin, stdout, and stderr');
  }

  /** @throws CriError InvalidArgument */
  static checkPortForward(request: PortForwardRequest): void {
    if (!request.podSandboxId) throw new CriError('InvalidArgument', 'missing required pod_sandbox_id');
  }

  /** Returns a URL that runs the command when opened. Upstream: GetExec. */
  getExec(request: ExecRequest): Promise<string> {
    StreamingServer.checkExec(request);
    return this.#url({ kind: 'exec', request });
  }

  /** Returns a URL that attaches when opened. Upstream: GetAttach. */
  getAttach(request: AttachRequest): Promise<string> {
    StreamingServer.checkAttach(request);
    return this.#url({ kind: 'attach', request });
  }

  /** Returns a URL that forwards ports when opened. Upstream: GetPortForward. */
  getPortForward(request: PortForwardRequest): Promise<string> {
    StreamingServer.checkPortForward(request);
    return this.#url({ kind: 'portforward', request });
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    const server = await this.#listening;
    this.#listening = undefined;
    for (const socket of this.#connections) socket.destroy();
    if (server?.listening) await new Promise((resolve) => server.close(resolve));
  }

  async #url(pending: Pending): Promise<string> {
    const token = this.#tokens.insert(pending);
    this.#listening ??= this.#listen();
    const { address, port, family } = (await this.#listening).address() as AddressInfo;
    const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
    return `http://${host}:${port}/${pending.kind}/${token}`;
  }

  #listen(): Promise<Server> {
    const server = createServer((_request, response) => {
      response
        .writeHead(400, { 'Content-Type': 'text/plain' })
        .end('unable to upgrade: SPDY/3.1 or WebSocket is needed\n');
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#serve({ request, socket, head }),
    );
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        this.#listening = undefined;
        reject(new CriError('Unavailable', `the streaming server cannot listen: ${error.message}`, { cause: error }));
      });
      server.listen(this.#options.port ?? 0, this.#options.host ?? '127.0.0.1', () => resolve(server));
      // The server must not keep the process alive.
      server.unref();
    });
  }

  #serve(upgrade: UpgradeRequest): void {
    const { socket } = upgrade;
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
    // Only web pages send an Origin, and they must not use this server.
    if (upgrade.request.headers.origin !== undefined) {
      refuse(upgrade, new UpgradeError(403, 'requests from web pages are refused'));
      return;
    }
    const [, kind, token = ''] = (upgrade.request.url ?? '').split('?')[0]?.split('/') ?? [];
    const pending = this.#tokens.consume(token);
    if (pending?.kind !== kind || !pending) {
      refuse(upgrade, new UpgradeError(404, '404 page not found'));
      return;
    }
    void this.#run(upgrade, pending);
  }

  #run(upgrade: UpgradeRequest, { kind, request }: Pending): Promise<void> {
    const inside = (signal: AbortSignal): Context => withSignal(this.#ctx, signal);
    if (kind === 'portforward') {
      const forward: Parameters<typeof servePortForward>[1] = (port, connection, signal) =>
        this.#streams.portForward(inside(signal), request.podSandboxId, port, connection);
      return servePortForward(upgrade, forward, { ports: request.port });
    }
    const wanted = {
      stdin: request.stdin ?? false,
      stdout: request.stdout ?? false,
      stderr: request.stderr ?? false,
      tty: request.tty ?? false,
    };
    return kind === 'exec'
      ? serveRemoteCommand(upgrade, wanted, (streams, signal) => this.#streams.exec(inside(signal), request, streams))
      : serveRemoteCommand(
          upgrade,
          wanted,
          (streams, signal) => this.#streams.attach(inside(signal), request.containerId, streams),
          {
            failurePrefix: 'error attaching to container',
          },
        );
  }
}
