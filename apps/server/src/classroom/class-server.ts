/**
 * Starts the server of a class: the page for everyone, one WebSocket per learner and teacher. It has no node, no
 * Kubernetes API and no access to files beyond the built page.
 */
import type { RequestListener } from 'node:http';
import type { JoinInfo } from '@podscope/classroom';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { login } from '../http/authenticated-app.ts';
import { answerErrors, baseApp } from '../http/base-app.ts';
import { startDualServer, type UpgradeListener } from '../http/dual-server.ts';
import { servePage } from '../http/page.ts';
import { AccessControl } from '../security/access.ts';
import { isWildcard } from '../security/origin.ts';
import { newToken } from '../security/token.ts';
import { createServerCertificate } from '../tls/certificates.ts';
import type { GivenCertificate } from '../tls/given-certificate.ts';
import { createClassStream, isPrivate } from './class-stream.ts';
import { Classroom } from './classroom.ts';
import { joinLinks, machineNames, newJoinCode } from './join-code.ts';
import { createWorkerJudge } from './judging/worker-judge.ts';

export interface ClassServerOptions {
  readonly host: string;
  /** The port to listen on; 0 chooses a free port. */
  readonly port: number;
  /** The teacher's token. Default: a new random token. */
  readonly token?: string | undefined;
  /** The teacher's certificate; undefined to serve plain HTTP. */
  readonly certificate: GivenCertificate | undefined;
  /** True to accept the teacher's token over plain HTTP from other machines. */
  readonly insecure: boolean;
  /** Address of a static site from which learners may load the page. */
  readonly site: string | undefined;
  /** The directory of the built page; undefined if no page is served. */
  readonly pageDirectory: string | undefined;
  readonly logger: Logger;
}

export interface ClassServer {
  readonly port: number;
  /** Address of the teacher's page, with the token. */
  readonly url: string;
  readonly joinInfo: JoinInfo;
  readonly classroom: Classroom;
  close(): Promise<void>;
}

const plainTeacher =
  'Over plain HTTP the teacher’s page opens on the server’s machine only, because the network could read the token. ' +
  'Use a certificate (--tls-cert, --tls-key), or --insecure if you accept that.\n';

/** Starts a class. @throws StartError if the port is in use */
export async function startClassServer(options: ClassServerOptions): Promise<ClassServer> {
  const { host, certificate, insecure, site, pageDirectory, logger, token = newToken() } = options;
  let onRequest: RequestListener = (_request, response) => void response.writeHead(503).end();
  let onUpgrade: UpgradeListener = (_request, socket) => void socket.destroy();
  const server = await startDualServer({
    ...(certificate ?? (await createServerCertificate(isWildcard(host) ? '127.0.0.1' : host))),
    tlsOnly: certificate !== undefined,
    host,
    port: options.port,
    onRequest: (request, response) => onRequest(request, response),
    onUpgrade: (request, socket, head) => onUpgrade(request, socket, head),
  });
  const { port } = server;
  const names = certificate?.names ?? [];
  const code = newJoinCode();
  const joinInfo = (): JoinInfo => ({
    code,
    links: [...joinLinks(code, { host, port, isSecure: certificate !== undefined, names, site })],
    insecure: certificate === undefined,
  });
  const judge = createWorkerJudge();
  const classroom = new Classroom({ code, joinInfo, now: () => Date.now(), newKey: newToken, judge: judge.judge });
  const access = new AccessControl(token, () => ({ host, port, names: [...names, ...machineNames()] }));
  const sites = site === undefined ? [] : [new URL(site).origin];
  const stream = createClassStream({ classroom, access, sites, insecure });
  onRequest = createClassApp({ access, insecure, pageDirectory, logger });
  onUpgrade = stream.onUpgrade;
  // Use a loopback address if possible: the teacher is on this machine, so the token doesn't cross the network.
  const teacherHost = certificate?.names[0] ?? (isWildcard(host) ? '127.0.0.1' : host);
  const teacherName = teacherHost.includes(':') ? `[${teacherHost}]` : teacherHost;
  return {
    port,
    url: `${certificate ? 'https' : 'http'}://${teacherName}:${port}/?teach&token=${token}`,
    get joinInfo() {
      return joinInfo();
    },
    classroom,
    close: async () => {
      stream.close();
      await judge.close();
      await server.close();
    },
  };
}

interface ClassAppOptions extends Pick<ClassServerOptions, 'insecure' | 'pageDirectory' | 'logger'> {
  readonly access: AccessControl;
}

/** Returns the application: the page for everyone, and the login of the teacher. */
function createClassApp({ access, insecure, pageDirectory, logger }: ClassAppOptions): RequestListener {
  const app = baseApp(access);
  app.get('/healthz', (_request, response) => void response.type('text/plain').send('ok'));
  const keepTokenPrivate: RequestHandler = (request, response, next) => {
    if (request.query['token'] !== undefined && !insecure && !isPrivate(request))
      response.status(403).type('text/plain').send(plainTeacher);
    else next();
  };
  app.use(keepTokenPrivate);
  app.use(login(access));
  // The bare address, typed from the board, asks for the code of the class.
  app.get('/', (request, response, next) => {
    if (Object.keys(request.query).length === 0) response.redirect('/?class');
    else next();
  });
  app.use(servePage(pageDirectory));
  app.use(answerErrors(logger));
  return app;
}
