/** Summarizes SyncResults. */
import type { SyncResultRecord } from '@podscope/trace';

/** Errors that mean that a back-off delayed the action, so the sync didn't attempt it. */
const backOffs: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

export const isBackOff = (reason: string | undefined): boolean => reason !== undefined && backOffs.has(reason);

/**
 * Summarizes results. Returns `done` without an error, and `waiting` if every error is a back-off. A step can be `done`
 * although its container failed later.
 */
export function verdictOf(results: readonly SyncResultRecord[]): 'done' | 'failed' | 'waiting' {
  const errors = results.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return 'done';
  return errors.every(isBackOff) ? 'waiting' : 'failed';
}
