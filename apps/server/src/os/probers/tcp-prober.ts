/** Implements tcpSocket probes. Upstream: k8s.io/kubernetes/pkg/probe/tcp (v1.36). */
import { connect } from 'node:net';
import type { TcpProber } from '@podscope/kubelet';
import { dialErrorText } from './network-errors.ts';

/** A prober that opens a connection and closes it. */
export const nodeTcpProber: TcpProber = {
  connect: ({ host, port, timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, signal });
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`dial tcp ${host}:${port}: i/o timeout`)));
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', (error) =>
        reject(signal?.aborted ? error : new Error(dialErrorText(error, host, port), { cause: error })),
      );
    }),
};
