/** Summarizes SyncResults. */
import type { SyncResultRecord } from '@podscope/trace';

/** Errors of an action that a back-off delays: nothing was attempted in this sync. */
const backOffs: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

export const isBackOff = (reason: string | undefined): boolean => reason !== undefined && backOffs.has(reason);

/** Summarizes results: `waiting` if every error is a back-off. A step may succeed although its container doesn't. */
export function verdictOf(results: readonly SyncResultRecord[]): 'done' | 'failed' | 'waiting' {
  const errors = results.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return 'done';
  return errors.every(isBackOff) ? 'waiting' : 'failed';
}
