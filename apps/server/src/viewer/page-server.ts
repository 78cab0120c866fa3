/** Serves the page and the stream of a source on loopback, behind the same access checks as the server. */
import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import type { Logger } from 'pino';
import { authenticatedApp } from '../http/authenticated-app.ts';
import { startDualServer, type UpgradeListener } from '../http/dual-server.ts';
import { RestartGate } from '../http/restart-gate.ts';
import { createStream, type StreamSource } from '../http/stream.ts';
import { AccessControl } from '../security/access.ts';
import { newToken } from '../security/token.ts';
import { createServerCertificate } from '../tls/certificates.ts';

interface PageServerOptions {
  /** Provides the sessions that this server serves. */
  readonly source: StreamSource;
  /**
   * Resolves when requests may be answered, for example after a rerun of a simulation. Default: requests never wait.
   */
  readonly ready?: () => Promise<void>;
  /** The port to listen on; 0 chooses a free port. */
  readonly port: number;
  /** The access token. Default: a new random token. */
  readonly token?: string | undefined;
  /** The directory of the built page; undefined if no page is served. */
  readonly pageDirectory: string | undefined;
  readonly logger: Logger;
  /** Additional routes. */
  readonly routes?: readonly Router[];
  /**
   * Sources of the pages that may show this page in a frame, as in the CSP directive `frame-ancestors`. Default: none.
   */
  readonly frameAncestors?: readonly string[];
}

export interface PageServer {
  readonly port: number;
  readonly token: string;
  /** Address of the page, with the token. */
  readonly url: string;
  /** Accepts requests whose Origin is `origin`, under which a trusted program forwards the port. */
  forwardFrom(origin: string): void;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Starts the server. @throws StartError if the port is in use */
export async function startPageServer({
  source,
  ready = () => Promise.resolve(),
  port,
  token = newToken(),
  pageDirectory,
  logger,
  routes = [],
  frameAncestors = [],
}: PageServerOptions): Promise<PageServer> {
  let onRequest: RequestListener = (_request, response) => void response.writeHead(503).end();
  let onUpgrade: UpgradeListener = (_request, socket) => void socket.destroy();
  const gate = new RestartGate(ready);
  const server = await startDualServer({
    ...(await createServerCertificate(host)),
    host,
    port,
    onRequest: gate.requests(() => onRequest),
    onUpgrade: gate.upgrades(() => onUpgrade),
  });
  const access = new AccessControl(token, () => ({ host, port: server.port }), frameAncestors);
  const stream = createStream(source, access);
  onRequest = authenticatedApp({ access, logger, pageDirectory }, [...routes]);
  onUpgrade = stream.onUpgrade;
  return {
    port: server.port,
    token,
    url: `http://${host}:${server.port}/?token=${token}`,
    forwardFrom: (origin) => void access.forwardedOrigins.add(origin),
    close: async () => {
      stream.close();
      await server.close();
    },
  };
}
