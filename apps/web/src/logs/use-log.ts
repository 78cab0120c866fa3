/** Follows a container's log through its restarts and the page's absences, or reads that of the instance before. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { CommandFailedError } from '../connection/errors.ts';
import { useSession } from '../run/node-session.ts';
import { useIsConnected } from '../run/use-run.ts';
import { LogBuffer, type ShownLine } from './log-buffer.ts';

/** Lines asked for at first. */
const tailLines = 2_000;

export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous: boolean;
  /** Number of the container's current instance: with another one, another log begins. */
  readonly attempt: number | undefined;
}

export interface LogView {
  readonly lines: readonly ShownLine[];
  readonly dropped: number;
  /** Why there is nothing (more). */
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  /** Lines are still coming. */
  readonly isFollowing: boolean;
}

type Phase = 'loading' | 'following' | 'ended';

export function useLog({ namespace, name, container, previous, attempt }: LogRequest): LogView {
  const { connection, run } = useSession();
  const connected = useIsConnected();
  // A log of its own for each container, and anew after an absence: what was missed is read again.
  const buffer = useMemo(() => new LogBuffer(), [namespace, name, container, previous, connected]);
  const [phase, setPhase] = useState<Phase>('loading');
  const [problem, setProblem] = useState<string>();
  const lines = useSyncExternalStore(
    (listener) => buffer.subscribe(listener),
    () => buffer.lines,
  );

  useEffect(() => {
    if (!connected) return undefined;
    setProblem(undefined);
    setPhase('loading');
    const fail = (error: Error): void => {
      setPhase('ended');
      setProblem(error instanceof CommandFailedError ? error.message : undefined);
    };
    if (previous) {
      const abort = new AbortController();
      connection
        .command<'logs'>({ command: 'logs', namespace, name, container, previous, tailLines }, abort.signal)
        .then(({ lines: found }) => {
          if (abort.signal.aborted) return;
          buffer.clear();
          buffer.add(found);
          setPhase('ended');
        })
        .catch((error: Error) => {
          if (!abort.signal.aborted) fail(error);
        });
      return () => abort.abort();
    }
    if (buffer.lines.length > 0) buffer.divide(run.now(), attempt === undefined ? 'restarted' : `attempt ${attempt}`);
    return connection.followLogs(
      { command: 'followLogs', namespace, name, container, tailLines },
      (added, end) => {
        buffer.add(added);
        setPhase(end ? 'ended' : 'following');
      },
      fail,
    );
  }, [buffer, connected, connection, run, namespace, name, container, previous, attempt]);

  return { lines, dropped: buffer.dropped, problem, isLoading: phase === 'loading' && connected, isFollowing: phase !== 'ended' && connected };
}
