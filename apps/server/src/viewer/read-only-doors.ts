/** The page and the stream over something that is only looked at, on this machine alone, behind the same doors as a server. */
import type { RequestListener } from 'node:http';
import type { Session, Transport } from '@podscope/cluster';
import type { Router } from 'express';
import type { Logger } from 'pino';
import { behindDoor } from '../http/door.ts';
import { startDualServer, type UpgradeListener } from '../http/dual-server.ts';
import { createStream } from '../http/stream.ts';
import { AccessControl } from '../security/access.ts';
import { newToken } from '../security/token.ts';
import { createServerCertificate } from '../tls/certificates.ts';

export interface ReadOnlyDoorsOptions {
  /** Whose sessions are served. */
  readonly source: { connect(transport: Transport): Session };
  /** 0 takes a free one. */
  readonly port: number;
  /** Default: a new one. */
  readonly token?: string | undefined;
  /** Where the built page is; undefined when none is served. */
  readonly pageDirectory: string | undefined;
  readonly logger: Logger;
  /** What else there is to ask for. */
  readonly routes?: readonly Router[];
}

export interface ReadOnlyDoors {
  readonly port: number;
  readonly token: string;
  /** With the token: opens the page. */
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Opens them. @throws StartError when the port is taken */
export async function openReadOnlyDoors({
  source,
  port,
  token = newToken(),
  pageDirectory,
  logger,
  routes = [],
}: ReadOnlyDoorsOptions): Promise<ReadOnlyDoors> {
  let onRequest: RequestListener = (_request, response) => void response.writeHead(503).end();
  let onUpgrade: UpgradeListener = (_request, socket) => void socket.destroy();
  const server = await startDualServer({
    ...(await createServerCertificate(host)),
    host,
    port,
    onRequest: (request, response) => onRequest(request, response),
    onUpgrade: (request, socket, head) => onUpgrade(request, socket, head),
  });
  const access = new AccessControl(token, () => ({ host, port: server.port }));
  const stream = createStream(source, access);
  onRequest = behindDoor({ access, logger, pageDirectory }, [...routes]);
  onUpgrade = stream.onUpgrade;
  return {
    port: server.port,
    token,
    url: `http://${host}:${server.port}/?token=${token}`,
    close: async () => {
      stream.close();
      await server.close();
    },
  };
}
