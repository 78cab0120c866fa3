/** Follows a container's log through restarts, or reads that of the previous instance. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { CommandFailedError } from '../../node/connection/errors.ts';
import { useSession } from '../../node/run/node-session.ts';
import { LogBuffer, type ShownLine } from './lines/log-buffer.ts';
import { logMessages } from './messages.en.ts';

/** Number of lines requested first. */
const tailLines = 2_000;

export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous: boolean;
  /** Attempt of the running instance; another attempt starts another log. */
  readonly attempt: number | undefined;
  /** True while the page shows the past: no new log starts. */
  readonly isPast: boolean;
}

export interface LogView {
  readonly lines: readonly ShownLine[];
  /** Number of dropped lines. */
  readonly dropped: number;
  readonly phase: 'loading' | 'following' | 'ended';
  /** Error that ended the log. */
  readonly problem: string | undefined;
}

type Status = Pick<LogView, 'phase' | 'problem'>;

const problemOf = (error: unknown): Status => ({
  phase: 'ended',
  problem: error instanceof CommandFailedError ? error.message : undefined,
});

/** Another log mounts another component, so only `attempt` changes. */
export function useLog({ namespace, name, container, previous, attempt, isPast }: LogRequest): LogView {
  const { connection, run } = useSession();
  const [buffer] = useState(() => new LogBuffer());
  const t = useT();
  const [followed, setFollowed] = useState(attempt);
  // While the page shows the past, the followed log stays.
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
        const { lines: found } = await connection.command<'logs'>(
          { command: 'logs', namespace, name, container, previous: true, tailLines },
          abort.signal,
        );
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
      buffer.divide(
        run.liveNow(),
        followed === undefined ? t(logMessages.restarting) : t(logMessages.attempt, { attempt: followed }),
      );
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
