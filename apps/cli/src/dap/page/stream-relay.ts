/** Relays sessions of the page to the stream of a running server, which the debug adapter is attached to. */
import type { StreamSource } from '@podscope/server/viewer';
import { WebSocket } from 'ws';

/** Close codes that an endpoint may send; others only describe a connection that was lost. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;

/** Returns a source whose sessions are those of the server. */
export const relayTo = (url: string, token: string): StreamSource => ({
  connect: (transport) => {
    const address = new URL('/stream', url);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
    const waiting: string[] = [];
    socket.on('open', () => {
      for (const text of waiting.splice(0)) socket.send(text);
    });
    socket.on('message', (data) => transport.send((data as Buffer).toString('utf8')));
    socket.on('close', (code, reason) => transport.close(isSendable(code) ? code : 1011, reason.toString('utf8')));
    // The `close` event follows every error.
    socket.on('error', () => undefined);
    return {
      receive: (text) => void (socket.readyState === WebSocket.OPEN ? socket.send(text) : waiting.push(text)),
      closed: () => socket.close(),
      end: (code, reason) => {
        transport.close(code, reason);
        socket.close();
      },
    };
  },
});
