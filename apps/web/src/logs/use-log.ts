/** Follows a container's log through its restarts, or reads that of the instance before. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { CommandFailedError } from '../connection/errors.ts';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { LogBuffer, type ShownLine } from './log-buffer.ts';
import { logMessages } from './messages.en.ts';

/** Lines asked for at first. */
const tailLines = 2_000;

export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous: boolean;
  /** Number of the container's current instance once it runs: with another one, another log begins. */
  readonly attempt: number | undefined;
  /** Looked at as it was: nothing begins anew then. */
  readonly isPast: boolean;
}

export interface LogView {
  readonly lines: readonly ShownLine[];
  /** Lines that fell out at the front. */
  readonly dropped: number;
  readonly phase: 'loading' | 'following' | 'ended';
  /** Why there is nothing (more). */
  readonly problem: string | undefined;
}

type Status = Pick<LogView, 'phase' | 'problem'>;

const problemOf = (error: unknown): Status => ({ phase: 'ended', problem: error instanceof CommandFailedError ? error.message : undefined });

/** Another log, or the same one after an absence, is another component: only `attempt` changes. */
export function useLog({ namespace, name, container, previous, attempt, isPast }: LogRequest): LogView {
  const { connection, run } = useSession();
  const [buffer] = useState(() => new LogBuffer());
  const t = useT();
  const [followed, setFollowed] = useState(attempt);
  // While the page looks back, the log that was followed stays.
  if (!isPast && attempt !== followed) setFollowed(attempt);
  const [status, setStatus] = useState<Status>({ phase: 'loading', problem: undefined });
  const lines = useSyncExternalStore(
    (listener) => buffer.subscribe(listener),
    () => buffer.lines,
  );

  useEffect(() => {
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      try {
        const { lines: found } = await connection.command<'logs'>({ command: 'logs', namespace, name, container, previous: true, tailLines }, abort.signal);
        if (abort.signal.aborted) return;
        buffer.clear();
        buffer.add(found);
        setStatus({ phase: 'ended', problem: undefined });
      } catch (error) {
        if (!abort.signal.aborted) setStatus(problemOf(error));
      }
    };
    if (previous) {
      void read();
      return () => abort.abort();
    }
    if (buffer.lines.length > 0)
      buffer.divide(run.liveNow(), followed === undefined ? t(logMessages.restarting) : t(logMessages.attempt, { attempt: followed }));
    return connection.followLogs(
      { command: 'followLogs', namespace, name, container, tailLines },
      (added, end) => {
        buffer.add(added);
        setStatus({ phase: end ? 'ended' : 'following', problem: undefined });
      },
      (error) => setStatus(problemOf(error)),
    );
  }, [buffer, connection, run, namespace, name, container, previous, followed, t]);

  return { lines, dropped: buffer.dropped, ...status };
}
