/** Unpacks files in a worker, while the page parses the part that is already unpacked. */
import { type PackedLines, TraceFileError, type UnpackedFile } from '@podscope/trace/file';
import { type FromUnpacker, fromUnpackerSchema, type ToUnpacker } from './unpack-messages.ts';

/** The time in milliseconds after which a worker that got no file ends. */
const idleTime = 60_000;

const newUnpacker = (): Worker =>
  new Worker(new URL('./unpack.worker.ts', import.meta.url), { type: 'module', name: 'unpack' });

/** The worker that waits for the next file, and the timer that ends it. */
let waiting: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/** Starts the worker for the next file. It ends after a minute without a file. */
export function prepareUnpacker(): void {
  if (typeof Worker === 'undefined' || waiting) return;
  const worker = newUnpacker();
  const end = (): void => {
    if (waiting?.worker !== worker) return;
    clearTimeout(waiting.timer);
    waiting = undefined;
    worker.terminate();
  };
  // A worker that can't start must not get a file: the next file's own worker reports why.
  worker.addEventListener('error', end);
  waiting = { worker, timer: setTimeout(end, idleTime) };
}

/** Returns the worker that waits for a file, or a new one. */
function takeUnpacker(): Worker {
  if (!waiting) return newUnpacker();
  const { worker, timer } = waiting;
  clearTimeout(timer);
  waiting = undefined;
  return worker;
}

/**
 * Returns the packed lines of a file.
 * @throws TraceFileError during the iteration, if the file is too large or the worker fails
 */
export function unpackBeside(file: Blob): UnpackedFile {
  let problem: string | undefined;
  async function* groups(): AsyncGenerator<PackedLines> {
    const worker = takeUnpacker();
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
