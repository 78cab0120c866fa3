/**
 * Writes to a socket at the end of the turn. Small buffers are joined, because each write to a socket costs more than a
 * copy of some hundred bytes.
 */
import type { Socket } from 'node:net';

/** Length below which a buffer is joined with its neighbors, in bytes. */
const joinBelow = 4 * 1024;
/** Maximum length of joined buffers, in bytes. */
const maxJoined = 128 * 1024;

interface Piece {
  readonly bytes: Uint8Array;
  readonly done: (() => void) | undefined;
}

export class BatchWriter {
  readonly #socket: Socket;
  #pieces: Piece[] = [];
  #length = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** The number of written bytes that the other side hasn't read yet and that are still in this process. */
  get waiting(): number {
    return this.#length + this.#socket.writableLength;
  }

  /**
   * Writes bytes, which must not change until they are sent.
   * @param done called when `bytes` are no longer needed, also if the socket is destroyed
   */
  write(bytes: Uint8Array, done?: () => void): void {
    this.#pieces.push({ bytes, done });
    this.#length += bytes.length;
    if (this.#pieces.length === 1) queueMicrotask(() => this.flush());
  }

  /** Writes at once what waits for the end of the turn. */
  flush(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    this.#length = 0;
    if (!this.#socket.writable) {
      for (const { done } of pieces) done?.();
      return;
    }
    this.#socket.cork();
    let small: Uint8Array[] = [];
    let length = 0;
    const writeSmall = (): void => {
      if (length === 0) return;
      this.#socket.write(Buffer.concat(small, length));
      small = [];
      length = 0;
    };
    for (const { bytes, done } of pieces) {
      if (bytes.length < joinBelow && !done) {
        small.push(bytes);
        length += bytes.length;
        if (length >= maxJoined) writeSmall();
        continue;
      }
      writeSmall();
      // Node.js also calls the callback if the socket is destroyed.
      this.#socket.write(bytes, done);
    }
    writeSmall();
    this.#socket.uncork();
  }
}
