/** Forwards the output of a process to a client as bytes. */
import type { ByteSink } from '@podscope/cri';
import type { Output } from '../machine/streams.ts';

const encoder = new TextEncoder();

/** Writes text to a sink in order. Errors are ignored, because they mean that the client has disconnected. */
export class ByteOutput implements Output {
  readonly #sink: ByteSink | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(sink: ByteSink | undefined) {
    this.#sink = sink;
  }

  write(text: string): void {
    const sink = this.#sink;
    if (!sink || text === '') return;
    this.#written = this.#written.then(() => sink.write(encoder.encode(text))).catch(() => undefined);
  }

  /** Resolves when all text up to now has been written. */
  flushed(): Promise<void> {
    return this.#written;
  }
}
