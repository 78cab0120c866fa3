/**
 * Compares a run with its recording. Everything that is equal in all runs of the genuine kubelet must also be equal in
 * the compared run.
 */
import type { Recording } from '../recording.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';
import type { Compare, Comparison } from './comparison.ts';
import { compareCreates } from './creates.ts';
import { compareEngine } from './engine.ts';
import { compareEvents } from './events.ts';
import { compareLayout } from './layout.ts';
import { normalizerFor } from './normalize.ts';
import type { ReferenceContainer } from './reference.ts';
import { compareStatuses } from './statuses.ts';
import { compareTimes } from './times.ts';

const parts: readonly Compare[] = [
  ({ seen }) => seen.trouble,
  compareEvents,
  compareEngine,
  compareCreates,
  compareStatuses,
  ({ recording, seen }) => operationsDiffer(recording, seen),
  compareTimes,
  compareLayout,
];

/**
 * Returns all differences; the first one is reported.
 * @param isBusy true if other work slows down the machine: late starts are then no difference, early ones are
 */
export async function compare(
  recording: Recording,
  seen: ReplayObservations,
  reference: ReferenceContainer,
  { isBusy = false }: { readonly isBusy?: boolean } = {},
): Promise<readonly string[]> {
  const comparison: Comparison = { recording, seen, normalize: normalizerFor(recording, seen), reference, isBusy };
  const found: string[] = [];
  for (const part of parts) found.push(...(await part(comparison)));
  return found;
}

/** Compares the operations of the pod sources that reached the sync loop. */
function operationsDiffer({ syncLoop }: Recording, { operations }: ReplayObservations): readonly string[] {
  const theirs = syncLoop
    .map(({ op }) => op)
    .filter((op) => ['ADD', 'UPDATE', 'REMOVE', 'DELETE', 'RECONCILE'].includes(op));
  return theirs.join(' ') === operations.join(' ')
    ? []
    : [`sync loop: recorded ${theirs.join(' ')}, here ${operations.join(' ')}`];
}
