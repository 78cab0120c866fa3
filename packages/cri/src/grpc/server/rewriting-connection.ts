/** Wraps a client's connection and rewrites its `:authority`. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { AuthorityRewriter } from '../authority.ts';

type Done = (error?: Error | null) => void;

/** The stream that the HTTP/2 server reads; closes together with the socket. */
export class RewritingConnection extends Duplex {
  readonly #socket: Socket;
  readonly #rewriter = new AuthorityRewriter();

  constructor(socket: Socket) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const piece of this.#rewriter.push(chunk)) if (!this.push(piece)) socket.pause();
    });
    socket.on('end', () => {
      const left = this.#rewriter.flush();
      if (left.length > 0) this.push(left);
      this.push(null);
    });
    // A reset by the client is an error of the socket and only closes this stream. The error may come after the server
    // has released the stream.
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
