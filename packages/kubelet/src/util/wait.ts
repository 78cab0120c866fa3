/** Waits for an instant, a wake-up or an abort without throwing. */
import { type Context, type Instant, sleep } from '@podscope/trace';

/**
 * Resolves at `due` (never for infinity), when the function passed to `onWake` is called, or when the context is
 * aborted.
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

/** Sleeps. Returns false when the context was aborted meanwhile. */
export async function pause(ctx: Context, ms: number): Promise<boolean> {
  try {
    await sleep(ctx.clock, ms, ctx.signal);
    return true;
  } catch {
    return false;
  }
}
