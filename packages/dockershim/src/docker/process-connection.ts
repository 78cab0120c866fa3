/** Wraps a hijacked connection: input is written to the process; its output arrives framed, or raw with a terminal. */
import type { Duplex } from 'node:stream';
import { demultiplex, rawFrames } from './frames.ts';
import type { ProcessConnection } from './port.ts';

/** Returns the connection over the socket of an exec or attach. */
export function processConnection(socket: Duplex, tty: boolean): ProcessConnection {
  // Readers get the error when they iterate over the socket.
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
