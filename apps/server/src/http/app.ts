/** Combines all HTTP routes: the debugger's commands, the Kubernetes API, saved runs and the page. */
import type { NodeHost } from '@podscope/node';
import type { Express } from 'express';
import type { ClassStarter } from '../classroom/class-starter.ts';
import { debugApi, type ScriptLease } from '../debug/debug-api.ts';
import type { KubeletServer } from '../kubelet-api/kubelet-server.ts';
import { kubernetesApi } from '../kubernetes-api/router.ts';
import { runRoutes } from '../runs/router.ts';
import type { EventStore } from '../store/event-store.ts';
import { type AuthenticatedAppOptions, authenticatedApp } from './authenticated-app.ts';

export interface AppOptions extends AuthenticatedAppOptions {
  readonly nodeHost: NodeHost;
  readonly kubelet: KubeletServer;
  /** The lease that counts scripts as a client of the debugger. */
  readonly scripts: ScriptLease;
  /** The saved runs; undefined if runs aren't saved. */
  readonly runs: EventStore | undefined;
  readonly classes: ClassStarter;
}

/** Returns the request handler of the server. */
export function createApp({ nodeHost, kubelet, scripts, runs, classes, ...access }: AppOptions): Express {
  const { logger } = access;
  return authenticatedApp(access, [
    debugApi(nodeHost, scripts),
    classes.routes,
    kubernetesApi({ nodeHost, kubelet, logger }),
    ...(runs ? [runRoutes({ store: runs, logger, readOnly: () => nodeHost.readOnly })] : []),
  ]);
}
