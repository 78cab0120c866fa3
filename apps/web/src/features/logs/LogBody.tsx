/** Shows the lines of a log up to the shown moment, or the reason why no lines exist. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useMemo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useIsElsewhere } from '../../node/run/open-node.ts';
import { useTravel } from '../../node/travel/use-travel.ts';
import { countUpTo, withMoment } from './instant-view.ts';
import styles from './LogsTab.module.css';
import { LogLines } from './lines/LogLines.tsx';
import { logMessages } from './messages.en.ts';
import { useLog } from './use-log.ts';
import { useMoment } from './use-moment.ts';

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
  const t = useT();
  const { run } = useSession();
  const { isPast, now } = useTravel();
  const moment = useMoment();
  const isRecorded = useIsElsewhere();
  const current = track.attempts.at(-1);
  // The node keeps only the logs of this instance and the previous one.
  const newest = run.history.newest
    .pod(pod.uid)
    ?.containers.find(({ name }) => name === track.name)
    ?.attempts.at(-1)?.attempt;
  const { lines, dropped, problem, phase } = useLog({
    namespace: pod.namespace,
    name: pod.name,
    container: track.name,
    previous,
    attempt: isPast || current?.startedAt === undefined ? undefined : current.attempt,
    isPast,
  });
  const until = isPast ? countUpTo(lines, now) : lines.length;
  const time = moment?.time;
  const what = moment?.text;
  const shown = useMemo(() => {
    const needle = search.toLowerCase();
    const then = lines.slice(0, until);
    if (needle !== '')
      return then.filter(({ text, stream }) => stream !== 'divider' && text.toLowerCase().includes(needle));
    return time === undefined || what === undefined || then.length === 0
      ? then
      : withMoment(then, { time, text: t(logMessages.selectedAt, { what }) });
  }, [lines, search, until, time, what, t]);
  if (shown.length === 0) {
    if (search !== '' && until > 0)
      return (
        <EmptyState icon="search" title={t(logMessages.noMatch)}>
          {t(logMessages.inAll, { count: until })}
        </EmptyState>
      );
    if (isRecorded) return <EmptyState icon="file" title={t(logMessages.notThere)} />;
    if (lines.length > 0) {
      const clock = formatClock(now);
      if (current && newest !== undefined && current.attempt < newest - (previous ? 1 : 0)) {
        const where = current.attempt === newest - 1 ? logMessages.previousInstance : logMessages.olderInstance;
        return (
          <EmptyState icon="clock" title={t(logMessages.otherInstance)}>
            {t(where, { clock, attempt: current.attempt })}
          </EmptyState>
        );
      }
      return (
        <EmptyState icon="clock" title={t(logMessages.nothingThen)}>
          {t(logMessages.upTo, { clock, count: lines.length })}
        </EmptyState>
      );
    }
    if (!connected) return <EmptyState icon="warning" title={t(logMessages.waitingForNode)} />;
    if (phase === 'loading') return <EmptyState busy title={t(logMessages.reading)} />;
    return (
      <EmptyState
        icon="file"
        title={problem ?? t(phase === 'following' ? logMessages.nothingYet : logMessages.empty)}
      />
    );
  }
  return (
    <>
      {isPast && (
        <p className={styles.past}>{t(logMessages.upTo, { clock: formatClock(now), count: lines.length - until })}</p>
      )}
      {search !== '' && (
        <p className={styles.note} role="status">
          {t(logMessages.matches, { count: shown.length, total: until })}
        </p>
      )}
      <LogLines
        label={t(logMessages.logOf, { name: track.name })}
        lines={shown}
        search={search}
        wrap={wrap}
        timestamps={timestamps}
        follow={follow && moment === undefined}
        onFollow={onFollow}
        dropped={dropped}
        momentAt={time}
      />
      {problem && <p className={styles.problem}>{problem}</p>}
    </>
  );
}
