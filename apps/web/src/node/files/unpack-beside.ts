/** Unpacks files in a worker, while the page parses the part that is already unpacked. */
import { type PackedLines, TraceFileError, type UnpackedFile } from '@podscope/trace/file';
import { type FromUnpacker, fromUnpackerSchema, type ToUnpacker } from './unpack-messages.ts';

/**
 * Returns the packed lines of a file.
 * @throws TraceFileError during the iteration, if the file is too large or the worker fails
 */
export function unpackBeside(file: Blob): UnpackedFile {
  let problem: string | undefined;
  async function* groups(): AsyncGenerator<PackedLines> {
    const worker = new Worker(new URL('./unpack.worker.ts', import.meta.url), { type: 'module', name: 'unpack' });
    const received: FromUnpacker[] = [];
    let notify: (() => void) | undefined;
    const take = (message: FromUnpacker): void => {
      received.push(message);
      notify?.();
    };
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => take(fromUnpackerSchema.parse(data)));
    worker.addEventListener('error', ({ message }) =>
      take({ code: 'broken', message: `the file could not be decompressed: ${message || 'a script is missing'}` }),
    );
    // A worker has no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    const send = (message: ToUnpacker): void => worker.postMessage(message);
    send({ file });
    try {
      for (;;) {
        const next = received.shift();
        if (!next) {
          await new Promise<void>((done) => {
            notify = done;
          });
        } else if ('lines' in next) {
          send({ taken: true });
          yield next.lines;
        } else if ('code' in next) throw new TraceFileError(next.code, next.message);
        else {
          ({ problem } = next);
          return;
        }
      }
    } finally {
      worker.terminate();
    }
  }
  return { groups: groups(), problem: () => problem };
}
