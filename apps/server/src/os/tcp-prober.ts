/** The dialler of tcpSocket probes. Upstream: k8s.io/kubernetes/pkg/probe/tcp (v1.36). */
import { connect } from 'node:net';
import type { TcpProber } from '@podscope/kubelet';

/** Opens a connection and closes it. */
export const nodeTcpProber: TcpProber = {
  connect: ({ host, port, timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, signal });
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`dial tcp ${host}:${port}: i/o timeout`)));
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => {
        const refused = error.code === 'ECONNREFUSED';
        reject(refused ? new Error(`dial tcp ${host}:${port}: connect: connection refused`, { cause: error }) : error);
      });
    }),
};
