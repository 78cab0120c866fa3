/** A container or sandbox: one instance of it, a back-off, or all its instances. */
import type { AttemptRecord, BackOffRecord, ContainerTrack } from '@podscope/trace';
import { showLogs } from '../logs/log-target.ts';
import { useSession } from '../run/node-session.ts';
import { useNow } from '../run/use-now.ts';
import { select } from '../state/view-store.ts';
import { Button } from '../ui/Button.tsx';
import { Chip } from '../ui/Chip.tsx';
import { formatClock, formatCountdown, formatDuration } from '../ui/format.ts';
import type { Tone } from '../ui/StateMark.tsx';
import { Facts } from './Facts.tsx';
import styles from './Inspector.module.css';
import { Section } from './Section.tsx';
import { SpanLink } from './SpanLink.tsx';

const typeNames: Readonly<Record<ContainerTrack['type'], string>> = {
  sandbox: 'Sandbox',
  init: 'Init container',
  sidecar: 'Sidecar',
  container: 'Container',
  ephemeral: 'Ephemeral container',
};

function attemptTone({ state, exitCode }: AttemptRecord): Tone {
  if (state === 'running') return 'running';
  if (state === 'created') return 'progressing';
  if (state === 'exited' || state === 'removed') return exitCode === undefined || exitCode === 0 ? 'succeeded' : 'error';
  return 'unknown';
}

const nameOf = (track: ContainerTrack): string => (track.type === 'sandbox' ? 'Pod sandbox' : track.name);

/** Ends of a process that say more than their number. */
const exitMeaning = (code: number): string => {
  if (code === 0) return 'success';
  if (code === 126) return 'the command cannot be run';
  if (code === 127) return 'the command was not found';
  if (code === 137) return 'killed by SIGKILL: out of memory, or its grace period was over';
  if (code === 143) return 'ended by SIGTERM';
  return code > 128 && code < 160 ? `ended by signal ${code - 128}` : 'the program’s own';
};

function Operations({ track, from, to }: { readonly track: ContainerTrack; readonly from: number; readonly to: number }) {
  const { run } = useSession();
  const now = useNow();
  const spans = track.activities.filter(({ start }) => start >= from && start <= to).flatMap(({ span }) => run.span(span) ?? []);
  if (spans.length === 0) return null;
  return (
    <Section title="Operations" count={spans.length}>
      {spans.map((span) => (
        <SpanLink key={span.id} span={span} now={now} />
      ))}
    </Section>
  );
}

export function AttemptInspector({ track, attempt }: { readonly track: ContainerTrack; readonly attempt: AttemptRecord }) {
  const now = useNow(attempt.state === 'running');
  const index = track.attempts.indexOf(attempt);
  const next = track.attempts[index + 1];
  const before = track.attempts[index - 1];
  const isSandbox = track.type === 'sandbox';
  const isLast = next === undefined;
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>
          {typeNames[track.type]}, attempt {attempt.attempt}
        </p>
        <h2 className={styles.title}>{nameOf(track)}</h2>
        <p className={styles.line}>
          <Chip tone={attemptTone(attempt)}>{attempt.state === 'exited' ? (attempt.reason ?? 'exited') : attempt.state}</Chip>
          {attempt.startedAt !== undefined && <span>{formatDuration((attempt.finishedAt ?? now) - attempt.startedAt)}</span>}
        </p>
      </header>
      {attempt.message && <p className={styles.message}>{attempt.message}</p>}
      {!isSandbox && (isLast || track.attempts.at(-2) === attempt) && (
        <div className={styles.actions}>
          <Button icon="file" onPress={() => showLogs({ container: track.name, previous: !isLast })}>
            {isLast ? 'Logs' : 'Logs of this instance'}
          </Button>
        </div>
      )}
      <Section title="Instance">
        <Facts
          facts={[
            ['Exit code', attempt.exitCode !== undefined && `${attempt.exitCode} — ${exitMeaning(attempt.exitCode)}`],
            ['Reason', attempt.reason],
            ['Created', attempt.createdAt !== undefined && formatClock(attempt.createdAt)],
            ['Started', attempt.startedAt !== undefined && formatClock(attempt.startedAt)],
            ['Finished', attempt.finishedAt !== undefined && formatClock(attempt.finishedAt)],
            ['Removed', attempt.removedAt !== undefined && formatClock(attempt.removedAt)],
            ['Image', attempt.image && <code>{attempt.image}</code>],
            ['Address', attempt.ip && <code>{attempt.ip}</code>],
            ['Id', <code key="id">{attempt.id}</code>],
            ['Sandbox', attempt.sandbox && <code>{attempt.sandbox.slice(0, 12)}</code>],
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

export function BackOffInspector({ track, backOff }: { readonly track: ContainerTrack; readonly backOff: BackOffRecord }) {
  const isOver = backOff.endedAt !== undefined;
  const now = useNow(!isOver);
  const left = backOff.until - now;
  const isImage = backOff.kind === 'image';
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{isImage ? 'Image pull back-off' : 'Restart back-off'}</p>
        <h2 className={styles.title}>{nameOf(track)}</h2>
        <p className={styles.line}>
          <Chip tone={isOver ? 'succeeded' : 'waiting'}>{isOver ? 'over' : 'waiting'}</Chip>
          <span>
            {isOver ? `was ${backOff.seconds} s` : left > 0 ? `${formatCountdown(left)} left of ${backOff.seconds} s` : 'over; the next sync tries again'}
          </span>
        </p>
      </header>
      <p className={styles.message}>
        {isImage
          ? 'The pull failed, so the kubelet waits before it tries again: 10 s at first, twice as long after each failure, 300 s at most.'
          : 'The container ended, so the kubelet waits before it starts it again: 10 s at first, twice as long after each end, 300 s at most. Ten minutes without a restart set it back.'}
      </p>
      <Section title="Back-off">
        <Facts
          facts={[
            ['Length', `${backOff.seconds} s`],
            ['Counted from', formatClock(backOff.since)],
            ['Ends', formatClock(backOff.until)],
            ['Ended by', backOff.endedAt !== undefined && `the next attempt, ${formatClock(backOff.endedAt)}`],
            ['Image', backOff.image && <code>{backOff.image}</code>],
          ]}
        />
      </Section>
      <Attempts track={track} />
    </div>
  );
}

function Attempts({ track }: { readonly track: ContainerTrack }) {
  if (track.attempts.length === 0) return null;
  return (
    <Section title="Instances" count={track.attempts.length}>
      <ul className={styles.instances}>
        {track.attempts.slice(-50).map((attempt) => (
          <li key={attempt.id}>
            <button type="button" className={styles.instance} onClick={() => select(`attempt:${attempt.id}`)}>
              <Chip tone={attemptTone(attempt)}>{attempt.state}</Chip>
              <span>attempt {attempt.attempt}</span>
              <span className={styles.quiet}>
                {attempt.exitCode !== undefined && `exit ${attempt.exitCode}`}
                {attempt.startedAt !== undefined && attempt.finishedAt !== undefined && ` after ${formatDuration(attempt.finishedAt - attempt.startedAt)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function ContainerInspector({ track }: { readonly track: ContainerTrack }) {
  const wait = track.waits.at(-1);
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{typeNames[track.type]}</p>
        <h2 className={styles.title}>{nameOf(track)}</h2>
        {wait?.reason && (
          <p className={styles.line}>
            <Chip tone="waiting">{wait.reason}</Chip>
          </p>
        )}
      </header>
      {wait?.message && <p className={styles.message}>{wait.message}</p>}
      <Attempts track={track} />
      <Operations track={track} from={0} to={Number.POSITIVE_INFINITY} />
    </div>
  );
}
