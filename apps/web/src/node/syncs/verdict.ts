/** Summarizes SyncResults. */
import type { SyncResultRecord } from '@podscope/trace';

/** Errors that mean that a back-off delayed the action, so that this sync didn't try it. */
const backOffs: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

export const isBackOff = (reason: string | undefined): boolean => reason !== undefined && backOffs.has(reason);

/**
 * Summarizes results. Returns `waiting` if every error is a back-off. The result of a step can be `done` although its
 * container failed.
 */
export function verdictOf(results: readonly SyncResultRecord[]): 'done' | 'failed' | 'waiting' {
  const errors = results.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return 'done';
  return errors.every(isBackOff) ? 'waiting' : 'failed';
}
