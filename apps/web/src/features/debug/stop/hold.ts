/** Finds the hold of a stopped call of an observed kubelet. */
import type { ObservedHold, StoppedThread } from '@podscope/protocol';
import { useNodeInfo } from '../../../node/run/use-run.ts';

/** Returns the hold of the call at which a thread is stopped; undefined for any other stop. */
export function useHold({ span }: StoppedThread): ObservedHold | undefined {
  return useNodeInfo()?.holds?.find((hold) => hold.span === span);
}
