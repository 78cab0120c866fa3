/** What React reads of the session: the connection, pods and spans, each re-rendering only its own readers. */
import type { NodeInfo } from '@podscope/protocol';
import type { PodTrack } from '@podscope/trace';
import { useCallback, useRef, useSyncExternalStore } from 'react';
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
  const state = useConnectionState();
  const last = useRef<NodeInfo>(undefined);
  if (isConnected(state)) last.current = state.node;
  return last.current;
}

/** Grows with each batch of events. */
export function useRunVersion(): number {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.version,
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

/** A pod and the version it has: the record is updated in place, so what is computed from it depends on the version. */
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
  return { pod: run.pod(uid), version };
}
