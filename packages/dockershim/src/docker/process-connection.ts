/**
 * Wraps a hijacked connection. Input is written to the process; output is read in frames, or raw if the process has a
 * terminal.
 */
import type { Duplex } from 'node:stream';
import { demultiplex, rawFrames } from './frames.ts';
import type { ProcessConnection } from './port.ts';

/** Returns the connection for the socket of an exec or an attach. */
export function processConnection(socket: Duplex, tty: boolean): ProcessConnection {
  // Ignores the error here, because the iteration over the socket throws it.
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
