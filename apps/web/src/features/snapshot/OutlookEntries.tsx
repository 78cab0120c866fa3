/** Renders the forecast of a pod, and the notices about it. */
import { formatGoDuration } from '@podscope/base';
import { useT } from '../../base/i18n/i18n.ts';
import { formatClock, formatCountdown } from '../../base/ui/text/format.ts';
import { snapshotMessages as texts } from './messages.en.ts';
import styles from './OutlookEntries.module.css';
import type { Outlook, OutlookEntry } from './snapshot-messages.ts';
import { translateNotice } from './translate-notice.ts';

type Translate = ReturnType<typeof useT>;

/** Formats a duration like the kubelet's messages: `1m20s`. */
const seconds = (number: number): string => formatGoDuration(number * 1_000);

function describe(t: Translate, entry: OutlookEntry): string {
  switch (entry.kind) {
    case 'start':
      return t(texts.start, { container: entry.container, attempt: entry.attempt });
    case 'exit': {
      const { container, exitCode, reason, isGuess } = entry;
      return t(isGuess ? texts.exitGuess : texts.exit, { container, exitCode, reason: reason && `(${reason})` });
    }
    case 'wait':
      return t(entry.of === 'image' ? texts.waitPull : texts.waitStart, {
        container: entry.container,
        length: seconds(entry.seconds),
      });
    case 'event':
      return t(texts.event, { reason: entry.reason, message: entry.message });
    case 'phase':
      return t(texts.phase, { phase: entry.phase });
    case 'gone':
      return t(texts.gone);
  }
}

/** Shows the waits and the predicted events of a simulated pod. */
export function OutlookEntries({ outlook: { observedAt, waits, entries, until } }: { readonly outlook: Outlook }) {
  const t = useT();
  return (
    <section aria-label={t(texts.outlook)}>
      <h4 className={styles.label}>
        {t(texts.outlook)}{' '}
        <span className={styles.seen}>{t(texts.seenFrom, { time: formatClock(observedAt, false) })}</span>
      </h4>
      {waits.map(({ container, kind, seconds: length, until: end }) => (
        <p key={container} className={styles.wait}>
          {t(kind === 'image' ? texts.nextPull : texts.nextStart, {
            container,
            time: formatClock(end, false),
            length: seconds(length),
          })}
        </p>
      ))}
      {entries.length === 0 && <p>{t(texts.nothing, { length: formatCountdown(until - observedAt) })}</p>}
      <ol className={styles.entries}>
        {entries.map((entry) => (
          <li key={`${entry.at} ${JSON.stringify(entry)}`} className={styles.entry}>
            <time className={styles.time}>{formatClock(entry.at, false)}</time>
            <span className={styles.ahead}>+{formatCountdown(entry.at - observedAt)}</span>
            <span>{describe(t, entry)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Shows how the simulated pod differs from the real one. */
export function OutlookNotices({ notices }: Pick<Outlook, 'notices'>) {
  const t = useT();
  if (notices.length === 0) return null;
  return (
    <section aria-label={t(texts.notices)}>
      <h4 className={styles.label}>{t(texts.notices)}</h4>
      <ul className={styles.notices}>
        {notices.map((notice) => {
          const said = translateNotice(t, notice);
          return <li key={said}>{said}</li>;
        })}
      </ul>
    </section>
  );
}
