/** Tells the event log of a settled result. */
import type { Context, Instant } from '@podscope/trace';
import type { SyncResult } from '../sync-result.ts';

/** @param start when the action began */
export function tellSyncResult(ctx: Context, { action, target, error, message }: SyncResult, start: Instant): void {
  if (!ctx.tracer.enabled) return;
  ctx.tracer.emit(ctx, {
    type: 'syncResult',
    action,
    target,
    error: error?.message,
    message: message === '' ? undefined : message,
    duration: ctx.clock.now() - start,
  });
}
