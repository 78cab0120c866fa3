/** A client's connection with its `:authority` mended on the way in. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { AuthorityMender } from './authority.ts';

type Done = (error?: Error | null) => void;

/** The socket, as the HTTP/2 server reads it. Lives and ends with it. */
export class MendedConnection extends Duplex {
  readonly #socket: Socket;
  readonly #mender = new AuthorityMender();

  constructor(socket: Socket) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const piece of this.#mender.push(chunk)) if (!this.push(piece)) socket.pause();
    });
    socket.on('end', () => {
      const left = this.#mender.flush();
      if (left.length > 0) this.push(left);
      this.push(null);
    });
    // A client that vanished is one that left: nobody is there to be told why, and the server may have let go of this end already.
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#socket.write(chunk, () => done());
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), () => done());
  }

  override _final(done: Done): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }
}
