/** Reads a snapshot in a worker. A new text stops the worker of the previous one. */
import { type SnapshotAnswer, type SnapshotQuestion, snapshotAnswerSchema } from './snapshot-messages.ts';

/**
 * Returns the worker's answer.
 * @throws Error if the worker can't be loaded; the signal's reason if it is aborted
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
