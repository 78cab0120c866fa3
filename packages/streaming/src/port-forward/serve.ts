/** Serves port-forward in all protocols. Upstream: kubelet portforward (v1.36). */
import { createWebSocketStream } from 'ws';
import { abortedWhen } from '../remote-command/channels.ts';
import { webSocketProtocols as channelProtocols } from '../remote-command/protocols.ts';
import { defaultCreationTimeout, limitIdleness, type ServeOptions } from '../remote-command/serve.ts';
import { SpdyConnection } from '../spdy/connection.ts';
import {
  acceptSpdy,
  acceptWebSocket,
  isWebSocketRequest,
  refuse,
  UpgradeError,
  type UpgradeRequest,
} from '../upgrade.ts';
import type { PortForwardHandler } from './handler.ts';
import { servePairs } from './spdy.ts';
import { serveChannels } from './web-socket.ts';

/** The SPDY protocol. */
export const portForwardProtocol = 'portforward.k8s.io';
/** SPDY tunnelled through WebSocket, used by kubectl since 1.30, under its final and its first name. */
const tunnelProtocols = [`SPDY/3.1+${portForwardProtocol}`, 'v2.portforward.k8s.io'] as const;

/** Options of {@link servePortForward}. */
export interface PortForwardOptions extends Pick<ServeOptions, 'creationTimeout' | 'idleTimeout'> {
  /** Ports of the plain WebSocket protocol, which has them in the request. SPDY clients name a port per stream. */
  readonly ports?: readonly number[];
}

/**
 * Serves one port-forward on an upgrade request: SPDY/3.1, SPDY through WebSocket, or plain WebSocket channels.
 * Resolves at the end of the connection; never rejects. Upstream: ServePortForward (kubelet portforward, v1.36).
 */
export async function servePortForward(
  upgrade: UpgradeRequest,
  handler: PortForwardHandler,
  options: PortForwardOptions = {},
): Promise<void> {
  upgrade.socket.on('error', () => upgrade.socket.destroy());
  limitIdleness(upgrade, options.idleTimeout);
  const creationTimeout = options.creationTimeout ?? defaultCreationTimeout;
  try {
    if (!isWebSocketRequest(upgrade.request)) {
      acceptSpdy(upgrade, [portForwardProtocol]);
      const connection = new SpdyConnection(upgrade.socket, 'server');
      await servePairs(connection, handler, abortedWhen(connection.closed), creationTimeout);
      return;
    }
    const accepted = await acceptWebSocket(upgrade, [...tunnelProtocols, ...channelProtocols]);
    if (tunnelProtocols.some((protocol) => protocol === accepted.protocol)) {
      const connection = new SpdyConnection(createWebSocketStream(accepted.socket), 'server');
      await servePairs(connection, handler, abortedWhen(connection.closed), creationTimeout);
    } else if (options.ports?.length) {
      await serveChannels(accepted, options.ports, handler, abortedWhen);
    } else {
      accepted.socket.close(1008, 'the request names no ports');
    }
  } catch (error) {
    if (error instanceof UpgradeError) refuse(upgrade, error);
    else upgrade.socket.destroy();
  }
}
