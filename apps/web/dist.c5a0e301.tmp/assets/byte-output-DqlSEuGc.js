var e=`/** What a process writes, on its way to a client as bytes. */
import type { ByteSink } from '@podscope/cri';
import type { Output } from '../machine/streams.ts';

const encoder = new TextEncoder();

/** Hands text on in order. A client that is gone loses it. */
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

  /** Resolves when all is handed on. */
  flushed(): Promise<void> {
    return this.#written;
  }
}
`;export{e as default};
//# sourceMappingURL=byte-output-DqlSEuGc.js.map