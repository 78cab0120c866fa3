/** Reports sync results to the event log. */
import type { Context, Instant } from '@podscope/trace';
import type { SyncResult } from './sync-result.ts';

/**
 * Emits a `syncResult` event.
 * @param start the instant at which the action started
 */
export function reportSyncResult(ctx: Context, { action, target, error, message }: SyncResult, start: Instant): void {
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
