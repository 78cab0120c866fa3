/** Waits for work while its caller may cancel. */
import type { Context } from '@podscope/trace';

/** Returns the result of `work`. If the caller cancels, rejects at once; the work itself continues. */
export function untilCancelled<T>(ctx: Context, work: Promise<T>): Promise<T> {
  const { signal } = ctx;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
