/** All of HTTP: the debugger's commands, the Kubernetes API, recorded runs, the page. */
import type { Cluster } from '@podscope/cluster';
import type { Express } from 'express';
import { debugApi, type ScriptLease } from '../debug/debug-api.ts';
import type { KubeletServer } from '../kubelet-api/kubelet-server.ts';
import { kubernetesApi } from '../kubernetes-api/router.ts';
import { runRoutes } from '../runs/router.ts';
import type { EventStore } from '../store/event-store.ts';
import { behindDoor, type DoorOptions } from './door.ts';

export interface AppOptions extends DoorOptions {
  readonly cluster: Cluster;
  readonly kubelet: KubeletServer;
  /** Scripts as clients of the debugger. */
  readonly scripts: ScriptLease;
  /** Recorded runs; undefined when none are kept. */
  readonly runs: EventStore | undefined;
}

/** Builds the request handler of the server. */
export function createApp({ cluster, kubelet, scripts, runs, ...door }: AppOptions): Express {
  const { logger } = door;
  return behindDoor(door, [
    debugApi(cluster, scripts),
    kubernetesApi({ cluster, kubelet, logger }),
    ...(runs ? [runRoutes({ store: runs, logger, readOnly: () => cluster.readOnly })] : []),
  ]);
}
