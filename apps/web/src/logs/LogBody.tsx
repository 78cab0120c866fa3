/** The lines of one log, or why there are none. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useMemo } from 'react';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatCount } from '../ui/format.ts';
import { LogLines } from './LogLines.tsx';
import styles from './LogsTab.module.css';
import { useLog } from './use-log.ts';

interface LogBodyProps {
  readonly pod: PodTrack;
  readonly track: ContainerTrack;
  readonly previous: boolean;
  readonly connected: boolean;
  readonly search: string;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly wrap: boolean;
  readonly timestamps: boolean;
}

export function LogBody({ pod, track, previous, connected, search, follow, onFollow, wrap, timestamps }: LogBodyProps) {
  const current = track.attempts.at(-1);
  const { lines, dropped, problem, phase } = useLog({
    namespace: pod.namespace,
    name: pod.name,
    container: track.name,
    previous,
    attempt: current?.startedAt === undefined ? undefined : current.attempt,
  });
  const shown = useMemo(() => {
    const needle = search.toLowerCase();
    return needle === '' ? lines : lines.filter(({ text, stream }) => stream !== 'divider' && text.toLowerCase().includes(needle));
  }, [lines, search]);
  if (shown.length === 0) {
    if (search !== '' && lines.length > 0)
      return <EmptyState icon="search" title="No line matches">{`${formatCount(lines.length, 'line')} in all.`}</EmptyState>;
    if (!connected) return <EmptyState icon="warning" title="Waiting for the node" />;
    if (phase === 'loading') return <EmptyState busy title="Reading the log…" />;
    return <EmptyState icon="file" title={problem ?? (phase === 'following' ? 'Nothing was printed yet' : 'The log is empty')} />;
  }
  return (
    <>
      {search !== '' && (
        <p className={styles.note} role="status">
          {formatCount(shown.length, 'line matches', 'lines match')}, of {lines.length.toLocaleString('en')}
        </p>
      )}
      <LogLines
        label={`Log of ${track.name}`}
        lines={shown}
        search={search}
        wrap={wrap}
        timestamps={timestamps}
        follow={follow}
        onFollow={onFollow}
        dropped={dropped}
      />
      {problem && <p className={styles.problem}>{problem}</p>}
    </>
  );
}
