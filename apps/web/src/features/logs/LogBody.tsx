/** Shows the lines of a log up to the shown instant, or explains why the log has no lines. */
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
import { useLogs } from './use-logs.ts';
import { useMoment } from './use-moment.ts';

interface LogBodyProps {
  readonly pod: PodTrack;
  /** The containers whose logs are shown. */
  readonly tracks: readonly ContainerTrack[];
  readonly previous: boolean;
  readonly connected: boolean;
  readonly search: string;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly wrap: boolean;
  readonly timestamps: boolean;
}

export function LogBody({
  pod,
  tracks,
  previous,
  connected,
  search,
  follow,
  onFollow,
  wrap,
  timestamps,
}: LogBodyProps) {
  const t = useT();
  const { run } = useSession();
  const { isPast, now } = useTravel();
  const moment = useMoment();
  const isRecorded = useIsElsewhere();
  const [track] = tracks;
  // The shown instance matters only if the log of a single container is shown.
  const current = tracks.length === 1 ? track?.attempts.at(-1) : undefined;
  // The node keeps only the logs of this instance and the previous one.
  const newest = run.history.newest
    .pod(pod.uid)
    ?.containers.find(({ name }) => name === track?.name)
    ?.attempts.at(-1)?.attempt;
  const sources = tracks.map(({ name, attempts }) => {
    const last = attempts.at(-1);
    return {
      namespace: pod.namespace,
      name: pod.name,
      container: name,
      previous,
      attempt: isPast || last?.startedAt === undefined ? undefined : last.attempt,
    };
  });
  const { lines, earlier, loadEarlier, found, problem, phase } = useLogs(sources, search, isPast);
  const until = isPast ? countUpTo(lines, now) : lines.length;
  const time = moment?.time;
  const what = moment?.text;
  const shown = useMemo(() => {
    if (search !== '') return (found?.lines ?? []).filter((line) => !isPast || line.time <= now);
    const then = lines.slice(0, until);
    return time === undefined || what === undefined || then.length === 0
      ? then
      : withMoment(then, { time, text: t(logMessages.selectedAt, { what }) });
  }, [lines, search, found, isPast, now, until, time, what, t]);
  if (shown.length === 0) {
    if (search !== '' && until > 0 && !found) return <EmptyState busy title={t(logMessages.searching)} />;
    if (search !== '' && until > 0)
      return (
        <EmptyState icon="search" title={t(logMessages.noMatch)}>
          {t(logMessages.inAll, { count: found?.total ?? until })}
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
          {t(logMessages.matches, {
            count: isPast ? shown.length : (found?.matches ?? 0),
            total: found?.total ?? until,
          })}
          {!isPast &&
            found &&
            found.matches > shown.length &&
            ` ${t(logMessages.newestMatches, { count: shown.length })}`}
        </p>
      )}
      <LogLines
        label={tracks.length > 1 ? t(logMessages.logOfAll) : t(logMessages.logOf, { name: track?.name ?? '' })}
        lines={shown}
        search={search}
        wrap={wrap}
        timestamps={timestamps}
        follow={follow && moment === undefined}
        onFollow={onFollow}
        earlier={search === '' ? earlier : 0}
        onEarlier={loadEarlier}
        momentAt={time}
      />
      {problem && <p className={styles.problem}>{problem}</p>}
    </>
  );
}
