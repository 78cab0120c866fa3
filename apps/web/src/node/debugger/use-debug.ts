/** Hooks for the state of the debugger. */
import type { BreakpointState, DebugState, PointsResult, StoppedThread } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { pageGroup } from '../run/debug-store.ts';
import { useSession } from '../run/node-session.ts';
import { useIsConnected, useNodeInfo } from '../run/use-run.ts';
import { useIsPast } from '../travel/use-travel.ts';

/** Returns the debugger's state; undefined without a debugger. */
export function useDebugState(): DebugState | undefined {
  const { debug } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => debug.subscribe(listener), [debug]),
    () => debug.state,
  );
}

/** Returns where the pod worker is stopped. Returns undefined if it isn't stopped, or while the page shows the past. */
export function useStop(uid: string | undefined): StoppedThread | undefined {
  const { debug } = useSession();
  const state = useDebugState();
  const isPast = useIsPast();
  return useMemo(() => (state && !isPast ? debug.stopOf(uid) : undefined), [debug, state, isPast, uid]);
}

const none: readonly BreakpointState[] = [];

/** Returns the breakpoints that the pages of this node share. */
export function useBreakpoints(): readonly BreakpointState[] {
  const state = useDebugState();
  return useMemo(() => state?.breakpoints.filter(({ group }) => group === pageGroup) ?? none, [state]);
}

/** Returns every point that can have a breakpoint. The page requests the points once per run. */
export function usePoints(): PointsResult | undefined {
  const { connection } = useSession();
  const run = useNodeInfo()?.run;
  const enabled = useIsConnected() && run !== undefined;
  return useQuery({
    queryKey: ['points', run],
    queryFn: ({ signal }) => connection.command<'points'>({ command: 'points' }, signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
