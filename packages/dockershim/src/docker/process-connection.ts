/** A hijacked connection: what is written goes to the process, what it writes comes framed (or raw, with a terminal). */
import type { Duplex } from 'node:stream';
import { demultiplex, rawFrames } from './frames.ts';
import type { ProcessConnection } from './port.ts';

/** Wraps the socket of a started exec or an attach. */
export function processConnection(socket: Duplex, tty: boolean): ProcessConnection {
  // A reader is told by the iteration; without one nobody needs to know.
  socket.on('error', () => undefined);
  return {
    output: tty ? rawFrames(socket) : demultiplex(socket),
    write: (data) =>
      new Promise((resolve, reject) => {
        socket.write(data, (error) => (error ? reject(error) : resolve()));
      }),
    endInput: () => void socket.end(),
    close: () => void socket.destroy(),
  };
}
