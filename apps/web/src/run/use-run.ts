/** What React reads of the session: the connection, pods and spans, each re-rendering only its own readers. */
import type { NodeInfo, RunTime } from '@podscope/protocol';
import type { PodTrack } from '@podscope/trace';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { type ConnectionState, isConnected } from '../connection/connection-state.ts';
import { useSession } from './node-session.ts';

export function useConnectionState(): ConnectionState {
  const { connection } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => connection.subscribe(listener), [connection]),
    () => connection.state,
  );
}

/** True while commands can be sent. */
export const useIsConnected = (): boolean => isConnected(useConnectionState());

/** The node, also while away from it; undefined before the first welcome. */
export function useNodeInfo(): NodeInfo | undefined {
  const { connection } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => connection.subscribe(listener), [connection]),
    () => connection.node,
  );
}

/** Grows with each batch of events. */
function useRunVersion(): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.version,
  );
}

/** All pods of the run; another array with each batch of events. */
export function usePods(): readonly PodTrack[] {
  const { run } = useSession();
  const version = useRunVersion();
  return useMemo(() => (version < 0 ? [] : run.fold.pods()), [run, version]);
}

/** When this page found another run in place of the one it knew, if ever; the browser's clock. */
export function useRestartTime(): number | undefined {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.restartedAt,
  );
}

/** How the run's time passes, when it is virtual. */
export function useRunTime(): RunTime | undefined {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.runTime,
  );
}

/** UIDs of all pods ever heard of in this run. */
export function usePodUids(): readonly string[] {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.uids,
  );
}

/**
 * One value of a pod, as soon as it is another one: a number, a text, or an object that stays the same. `frame` hears of it with each frame,
 * for what follows events as they come.
 */
export function usePodValue<Value>(uid: string | undefined, pick: (pod: PodTrack | undefined) => Value, pace: 'frame' | 'text' = 'text'): Value {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback(
      (listener) => {
        if (uid === undefined) return () => {};
        return pace === 'frame' ? run.subscribeFrames(listener) : run.subscribePod(uid, listener);
      },
      [run, uid, pace],
    ),
    () => pick(run.pod(uid)),
  );
}

/** A pod as it is at a version: the record is updated in place, so what is computed from it depends on this object, which is another one each time. */
export interface VersionedPod {
  readonly pod: PodTrack | undefined;
  readonly version: number;
}

export function usePod(uid: string | undefined): VersionedPod {
  const { run } = useSession();
  const version = useSyncExternalStore(
    useCallback((listener) => (uid === undefined ? () => {} : run.subscribePod(uid, listener)), [run, uid]),
    () => run.podVersion(uid),
  );
  return useMemo(() => ({ pod: run.pod(uid), version }), [run, uid, version]);
}
