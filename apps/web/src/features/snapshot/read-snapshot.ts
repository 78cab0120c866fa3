/** Reads a snapshot in a worker. If the text changes, the worker that reads the previous text is stopped. */
import { type SnapshotAnswer, type SnapshotQuestion, snapshotAnswerSchema } from './snapshot-messages.ts';

/**
 * Returns the worker's answer.
 * @throws Error if the worker can't be loaded. Throws the signal's reason if the signal is aborted.
 */
export function readSnapshot(question: SnapshotQuestion, signal: AbortSignal): Promise<SnapshotAnswer> {
  const worker = new Worker(new URL('./snapshot.worker.ts', import.meta.url), {
    type: 'module',
    name: 'podscope-snapshot',
  });
  return new Promise<SnapshotAnswer>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(snapshotAnswerSchema.parse(data)));
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message || 'the script of the engine could not be loaded')),
    );
    const ask = (message: SnapshotQuestion, transfer: Transferable[] = []): void =>
      worker.postMessage(message, transfer);
    ask(question);
  }).finally(() => worker.terminate());
}
