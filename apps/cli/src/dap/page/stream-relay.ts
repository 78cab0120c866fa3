/** Relays sessions of the page to the stream of the running server to which the debug adapter is attached. */
import type { StreamSource } from '@podscope/server/viewer';
import { WebSocket } from 'ws';

/** Returns true for close codes that an endpoint may send. All other codes only describe a lost connection. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;

/**
 * Maximum length of the messages that wait until the server is connected, in UTF-16 units. A session begins with a few
 * short messages, so only a client that doesn't wait for responses exceeds it.
 */
const maxWaiting = 1024 * 1024;
/** Maximum number of messages that wait until the server is connected. */
const maxMessages = 1_000;

/** Returns a source whose sessions are connected to the stream of the server. */
export const relayTo = (url: string, token: string): StreamSource => ({
  connect: (transport) => {
    const address = new URL('/stream', url);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
    const waiting: string[] = [];
    let length = 0;
    const wait = (text: string): void => {
      // Drop messages after the connection has ended.
      if (socket.readyState !== WebSocket.CONNECTING) return;
      waiting.push(text);
      length += text.length;
      if (length <= maxWaiting && waiting.length <= maxMessages) return;
      waiting.length = 0;
      transport.close(1013, 'The server does not answer, and too many messages wait for it.');
      socket.terminate();
    };
    socket.on('open', () => {
      for (const text of waiting.splice(0)) socket.send(text);
    });
    socket.on('message', (data) => transport.send((data as Buffer).toString('utf8')));
    socket.on('close', (code, reason) => transport.close(isSendable(code) ? code : 1011, reason.toString('utf8')));
    // Errors need no handling, because a `close` event follows each of them.
    socket.on('error', () => undefined);
    return {
      receive: (text) => (socket.readyState === WebSocket.OPEN ? socket.send(text) : wait(text)),
      closed: () => socket.close(),
      end: (code, reason) => {
        transport.close(code, reason);
        socket.close();
      },
    };
  },
});
