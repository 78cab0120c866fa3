/** What React reads of the debugger. */
import type { BreakpointState, DebugState, PointsResult, StoppedThread } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '../run/node-session.ts';
import { useIsConnected, useNodeInfo } from '../run/use-run.ts';
import { useIsPast } from '../travel/use-travel.ts';
import { pageGroup } from './debug-store.ts';

/** The debugger's state; undefined where there is none. */
export function useDebugState(): DebugState | undefined {
  const { debug } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => debug.subscribe(listener), [debug]),
    () => debug.state,
  );
}

/** Where the pod's worker stands still; nowhere while the page looks back. */
export function useStop(uid: string | undefined): StoppedThread | undefined {
  const { debug } = useSession();
  const state = useDebugState();
  const isPast = useIsPast();
  return useMemo(() => (state && !isPast ? debug.stopOf(uid) : undefined), [debug, state, isPast, uid]);
}

const none: readonly BreakpointState[] = [];

/** This page's breakpoints. */
export function useBreakpoints(): readonly BreakpointState[] {
  const state = useDebugState();
  return useMemo(() => state?.breakpoints.filter(({ group }) => group === pageGroup) ?? none, [state]);
}

/** Every place that can be stopped at; asked for once per run. */
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
