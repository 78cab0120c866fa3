/** Hooks for the session. Each hook renders its component again only when its own value changes. */
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

/** Returns true while commands can be sent. */
export const useIsConnected = (): boolean => isConnected(useConnectionState());

/** Returns the node's information, even while disconnected; undefined before the first welcome. */
export function useNodeInfo(): NodeInfo | undefined {
  const { connection } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => connection.subscribe(listener), [connection]),
    () => connection.node,
  );
}

/** Returns a number that increases with each batch of events. */
function useRunVersion(): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.version,
  );
}

/** Returns all pods; the array changes with each batch of events. */
export function usePods(): readonly PodTrack[] {
  const { run } = useSession();
  const version = useRunVersion();
  return useMemo(() => (version < 0 ? [] : run.fold.pods()), [run, version]);
}

/** Returns the browser's time at which another run replaced the known run; undefined if none did. */
export function useRestartTime(): number | undefined {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.restartedAt,
  );
}

/** Returns the speed of virtual time; undefined for real time. */
export function useRunTime(): RunTime | undefined {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.runTime,
  );
}

/** Returns the UIDs of all pods of the run. */
export function usePodUids(): readonly string[] {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.uids,
  );
}

/**
 * Returns one value of a pod and re-renders when it changes: a number, a text, or a stable object. With `frame`, the
 * value is updated with each frame; by default, only as often as text can be read.
 */
export function usePodValue<Value>(
  uid: string | undefined,
  pick: (pod: PodTrack | undefined) => Value,
  pace: 'frame' | 'text' = 'text',
): Value {
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

/**
 * A pod and its version. The record of a pod is updated in place, so memos depend on this object, which is new for each
 * version.
 */
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
