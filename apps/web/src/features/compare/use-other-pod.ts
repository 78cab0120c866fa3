/** Provides the pod of the other run as of the instant that the page shows. */
import { type PodTrack, type RunFold, RunHistory } from '@podscope/trace';
import { useMemo } from 'react';
import type { Comparand } from './comparand.ts';
import { type ComparedPod, counterpartOf } from './side-by-side/compared-runs.ts';

interface OtherPod {
  /** The state of the other run at that instant. */
  readonly fold: RunFold;
  readonly pod: PodTrack | undefined;
  /** The state at the end of the other run. */
  readonly newestFold: RunFold;
  readonly newest: PodTrack | undefined;
  /** Time of the first event about the pod. The two runs are compared at equal times after this first event. */
  readonly startedAt: number;
}

const noRun = new RunHistory();

/**
 * @param own the pod of this run; undefined while none is selected
 * @param elapsed time between the first event about this run's pod and the shown instant, in milliseconds
 */
export function useOtherPod(comparand: Comparand | undefined, own: ComparedPod | undefined, elapsed: number): OtherPod {
  const history = useMemo(() => (comparand ? new RunHistory(comparand.events) : noRun), [comparand]);
  const newestFold = history.newest;
  const newest = own && counterpartOf(own, newestFold);
  const startedAt = newest?.firstTime ?? comparand?.node.startedAt ?? 0;
  const seq = history.seqAt(startedAt + elapsed);
  return useMemo(() => {
    const fold = history.seek(seq);
    return { fold, pod: own && counterpartOf(own, fold), newestFold, newest, startedAt };
  }, [history, seq, own, newestFold, newest, startedAt]);
}
