/** Shows a container or sandbox: one instance, a back-off, or all instances. */
import { formatDuration } from '@podscope/timeline';
import {
  type AttemptRecord,
  type BackOffRecord,
  type ContainerTrack,
  currentBackOff,
  type PodTrack,
} from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Section } from '../../base/ui/layout/Section.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import type { Tone } from '../../base/ui/marks/StateMark.tsx';
import { Facts } from '../../base/ui/text/Facts.tsx';
import { formatClock, formatCountdown } from '../../base/ui/text/format.ts';
import { select } from '../../node/address/view-store.ts';
import { containerTypeMessages } from '../../node/pods/messages.en.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useExactNow, useNow } from '../../node/run/use-now.ts';
import { sourceMessages } from '../../node/sources/messages.en.ts';
import { useSourceText } from '../../node/sources/source-text.ts';
import { showLogs, showTerminal } from '../logs/index.ts';
import { ExitMeaning, LazyCauses } from '../why/index.ts';
import { EndContainer, SkipWait } from './ContainerActions.tsx';
import styles from './Inspector.module.css';
import { inspectorMessages, stateMessages } from './messages.en.ts';
import { SpanLink } from './spans/SpanLink.tsx';

function attemptTone({ state, exitCode }: AttemptRecord): Tone {
  if (state === 'running') return 'running';
  if (state === 'created') return 'progressing';
  if (state === 'exited' || state === 'removed')
    return exitCode === undefined || exitCode === 0 ? 'succeeded' : 'error';
  return 'unknown';
}

type Translate = ReturnType<typeof useT>;

const nameOf = (t: Translate, track: ContainerTrack): string =>
  track.type === 'sandbox' ? t(inspectorMessages.podSandbox) : track.name;

interface OfTrack {
  readonly pod: PodTrack;
  readonly track: ContainerTrack;
}

function Operations({
  track,
  from,
  to,
}: {
  readonly track: ContainerTrack;
  readonly from: number;
  readonly to: number;
}) {
  const { run } = useSession();
  const t = useT();
  const spans = track.activities
    .filter(({ start }) => start >= from && start <= to)
    .flatMap(({ span }) => run.span(span) ?? []);
  const now = useExactNow(spans.some(({ end }) => end === undefined));
  if (spans.length === 0) return null;
  return (
    <Section title={t(inspectorMessages.operations)} count={spans.length}>
      {spans.map((span) => (
        <SpanLink key={span.id} span={span} now={now} />
      ))}
    </Section>
  );
}

export function AttemptInspector({ pod, track, attempt }: OfTrack & { readonly attempt: AttemptRecord }) {
  const t = useT();
  const sourceText = useSourceText();
  const source = sourceText(attempt);
  const exitSource = sourceText(attempt.finishedFrom);
  const now = useExactNow(pod.deletedAt === undefined);
  const index = track.attempts.indexOf(attempt);
  const next = track.attempts[index + 1];
  const before = track.attempts[index - 1];
  const isSandbox = track.type === 'sandbox';
  const isLast = next === undefined;
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>
          {t(inspectorMessages.attemptOf, { type: t(containerTypeMessages[track.type]), attempt: attempt.attempt })}
        </p>
        <h2 className={styles.title}>{nameOf(t, track)}</h2>
        <p className={styles.line}>
          <Chip tone={attemptTone(attempt)}>
            {attempt.state === 'exited' ? (attempt.reason ?? t(stateMessages.exited)) : t(stateMessages[attempt.state])}
          </Chip>
          {attempt.startedAt !== undefined && (
            <span>{formatDuration((attempt.finishedAt ?? now) - attempt.startedAt)}</span>
          )}
        </p>
      </header>
      {attempt.message && <p className={styles.message}>{attempt.message}</p>}
      {!isSandbox && (isLast || track.attempts.at(-2) === attempt) && (
        <div className={styles.actions}>
          <Button icon="file" onPress={() => showLogs({ container: track.name, previous: !isLast })}>
            {t(isLast ? inspectorMessages.logs : inspectorMessages.logsOfInstance)}
          </Button>
          {attempt.state === 'running' && (
            <Button icon="terminal" onPress={() => showTerminal(track.name)}>
              {t(inspectorMessages.terminal)}
            </Button>
          )}
          {attempt.state === 'running' && <EndContainer pod={pod} container={track.name} />}
        </div>
      )}
      {isLast && currentBackOff(track, now) && <SkipWait pod={pod} container={track.name} />}
      {isLast && !isSandbox && <LazyCauses pod={pod} container={track.name} />}
      <Section title={t(inspectorMessages.instance)}>
        <Facts
          facts={[
            [
              t(inspectorMessages.exitCode),
              attempt.exitCode !== undefined && (
                <ExitMeaning key="exit" code={attempt.exitCode} reason={attempt.reason} />
              ),
            ],
            [t(inspectorMessages.reason), attempt.reason],
            [t(inspectorMessages.created), attempt.createdAt !== undefined && formatClock(attempt.createdAt)],
            [t(inspectorMessages.started), attempt.startedAt !== undefined && formatClock(attempt.startedAt)],
            [t(inspectorMessages.finished), attempt.finishedAt !== undefined && formatClock(attempt.finishedAt)],
            [t(inspectorMessages.removed), attempt.removedAt !== undefined && formatClock(attempt.removedAt)],
            [t(inspectorMessages.image), attempt.image && <code>{attempt.image}</code>],
            [t(inspectorMessages.address), attempt.ip && <code>{attempt.ip}</code>],
            [t(inspectorMessages.id), <code key="id">{attempt.id}</code>],
            [t(inspectorMessages.sandboxId), attempt.sandbox && <code>{attempt.sandbox.slice(0, 12)}</code>],
            [t(sourceMessages.source), source],
            [t(inspectorMessages.exitSource), exitSource !== source && exitSource],
          ]}
        />
      </Section>
      <Operations
        track={track}
        from={before?.finishedAt ?? before?.startedAt ?? 0}
        to={next?.createdAt === undefined ? Number.POSITIVE_INFINITY : (attempt.finishedAt ?? next.createdAt)}
      />
    </div>
  );
}

export function BackOffInspector({ pod, track, backOff }: OfTrack & { readonly backOff: BackOffRecord }) {
  const t = useT();
  const source = useSourceText()(backOff);
  const isOver = backOff.endedAt !== undefined;
  const now = useNow(!isOver);
  const left = backOff.until - now;
  const isImage = backOff.kind === 'image';
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{t(isImage ? inspectorMessages.imageBackOff : inspectorMessages.restartBackOff)}</p>
        <h2 className={styles.title}>{nameOf(t, track)}</h2>
        <p className={styles.line}>
          <Chip tone={isOver ? 'succeeded' : 'waiting'}>
            {t(isOver ? inspectorMessages.over : inspectorMessages.waiting)}
          </Chip>
          <span>
            {isOver
              ? t(inspectorMessages.wasSeconds, { count: backOff.seconds })
              : left > 0
                ? t(inspectorMessages.leftOf, { left: formatCountdown(left), count: backOff.seconds })
                : t(inspectorMessages.overNext)}
          </span>
        </p>
      </header>
      <p className={styles.message}>
        {t(isImage ? inspectorMessages.imageBackOffText : inspectorMessages.restartBackOffText)}
      </p>
      {!isOver && <SkipWait pod={pod} container={track.name} />}
      <Section title={t(inspectorMessages.backOff)}>
        <Facts
          facts={[
            [t(inspectorMessages.length), t(inspectorMessages.seconds, { count: backOff.seconds })],
            [t(inspectorMessages.countedFrom), formatClock(backOff.since)],
            [t(inspectorMessages.ends), formatClock(backOff.until)],
            [
              t(inspectorMessages.endedBy),
              backOff.endedAt !== undefined &&
                t(inspectorMessages.nextAttempt, { clock: formatClock(backOff.endedAt) }),
            ],
            [t(inspectorMessages.image), backOff.image && <code>{backOff.image}</code>],
            [t(sourceMessages.source), source],
          ]}
        />
      </Section>
      {!isOver && <LazyCauses pod={pod} container={track.name} />}
      <Attempts track={track} />
    </div>
  );
}

function Attempts({ track }: { readonly track: ContainerTrack }) {
  const t = useT();
  if (track.attempts.length === 0) return null;
  return (
    <Section title={t(inspectorMessages.instances)} count={track.attempts.length}>
      <ul className={styles.instances}>
        {track.attempts.slice(-50).map((attempt) => (
          <li key={attempt.id}>
            <button type="button" className={styles.instance} onClick={() => select(`attempt:${attempt.id}`)}>
              <Chip tone={attemptTone(attempt)}>{t(stateMessages[attempt.state])}</Chip>
              <span>{t(inspectorMessages.attempt, { attempt: attempt.attempt })}</span>
              <span className={styles.quiet}>
                {attempt.exitCode !== undefined && t(inspectorMessages.exit, { code: attempt.exitCode })}
                {attempt.startedAt !== undefined &&
                  attempt.finishedAt !== undefined &&
                  t(inspectorMessages.after, { duration: formatDuration(attempt.finishedAt - attempt.startedAt) })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function ContainerInspector({ pod, track }: OfTrack) {
  const t = useT();
  const now = useNow(pod.deletedAt === undefined);
  const wait = track.waits.at(-1);
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{t(containerTypeMessages[track.type])}</p>
        <h2 className={styles.title}>{nameOf(t, track)}</h2>
        {wait?.reason && (
          <p className={styles.line}>
            <Chip tone="waiting">{wait.reason}</Chip>
          </p>
        )}
      </header>
      {currentBackOff(track, now) && <SkipWait pod={pod} container={track.name} />}
      <LazyCauses
        pod={pod}
        container={track.name}
        fallback={wait?.message && <p className={styles.message}>{wait.message}</p>}
      />
      <Attempts track={track} />
      <Operations track={track} from={0} to={Number.POSITIVE_INFINITY} />
    </div>
  );
}
