/**
 * Starts a class from the page of a node's server. The class has its own port, so learners never reach the node's
 * server.
 */
import { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { StartError } from '../start-error.ts';
import type { GivenCertificate } from '../tls/given-certificate.ts';
import { type ClassServer, startClassServer } from './class-server.ts';

export interface ClassStarterOptions {
  readonly certificate: GivenCertificate | undefined;
  readonly pageDirectory: string | undefined;
  readonly logger: Logger;
  /** The port to try first. */
  readonly port: number;
}

export interface ClassStarter {
  readonly routes: Router;
  close(): Promise<void>;
}

/** Returns the route `POST /classroom`. It starts a class, or returns the class that already runs. */
export function createClassStarter(options: ClassStarterOptions, isReadOnly: () => boolean): ClassStarter {
  let running: Promise<ClassServer> | undefined;
  const start = async (): Promise<ClassServer> => {
    const common = { ...options, host: '0.0.0.0', insecure: false, site: undefined };
    try {
      return await startClassServer(common);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return startClassServer({ ...common, port: 0 });
    }
  };
  const routes = Router();
  routes.post('/classroom', (async (_request, response) => {
    if (isReadOnly()) {
      response.status(403).type('text/plain').send('This server is read-only.\n');
      return;
    }
    const before = await running?.catch(() => undefined);
    if (before === undefined || before.classroom.state.endedAt !== undefined) {
      await before?.close();
      running = start();
    }
    response.setHeader('Cache-Control', 'no-store');
    response.json({ url: (await (running as Promise<ClassServer>)).url });
  }) satisfies RequestHandler);
  return { routes, close: async () => void (await running?.catch(() => undefined))?.close() };
}
