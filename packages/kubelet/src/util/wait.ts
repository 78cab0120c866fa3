/** Waits for an instant, a wake-up or an abort. An abort doesn't throw. */
import { type Context, type Instant, sleep } from '@podscope/trace';

/**
 * Resolves at `due`, when the function passed to `onWake` is called, or when the context is aborted. An infinite `due`
 * never arrives.
 */
export async function waitUntil(
  ctx: Context,
  due: Instant,
  onWake: (wake: (() => void) | undefined) => void,
): Promise<void> {
  if (ctx.signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = Number.isFinite(due) ? ctx.clock.schedule(due - ctx.clock.now(), () => done()) : undefined;
    const done = (): void => {
      timer?.cancel();
      ctx.signal.removeEventListener('abort', done);
      onWake(undefined);
      resolve();
    };
    ctx.signal.addEventListener('abort', done, { once: true });
    onWake(done);
  });
}

/** Sleeps for `ms`. Returns false when the context is aborted before the end. */
export async function pause(ctx: Context, ms: number): Promise<boolean> {
  try {
    await sleep(ctx.clock, ms, ctx.signal);
    return true;
  } catch {
    return false;
  }
}
