/** The pod as a whole: how it stands, its conditions and its containers. */
import type { PodTrack } from '@podscope/trace';
import { Suspense } from 'react';
import { useT } from '../i18n/i18n.ts';
import { createdAt, podRowText } from '../pods/pod-row-text.ts';
import { useSession } from '../run/node-session.ts';
import { useNow } from '../run/use-now.ts';
import { select } from '../state/view-store.ts';
import { Chip } from '../ui/Chip.tsx';
import { formatAge, formatClock } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { StateMark } from '../ui/StateMark.tsx';
import { decisionsWithin } from './decisions-within.ts';
import { Facts } from './Facts.tsx';
import styles from './Inspector.module.css';
import { Interventions } from './Interventions.tsx';
import { inspectorMessages } from './messages.en.ts';
import { readConditions, readContainers, readPodFacts } from './read-pod.ts';
import { Section } from './Section.tsx';
import { LazyCauses, LazyDecisions } from './why/lazy-why.ts';

export function PodInspector({ pod }: { readonly pod: PodTrack }) {
  const { run } = useSession();
  const t = useT();
  const now = useNow(pod.deletedAt === undefined);
  const { description, countdown } = podRowText(pod, now);
  const facts = readPodFacts(pod);
  const conditions = readConditions(pod);
  const lastSync = run.span(pod.syncs.at(-1)?.span);
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{t(inspectorMessages.pod)}</p>
        <h2 className={styles.title}>{pod.name}</h2>
        <p className={styles.line}>
          <Chip tone={description.tone}>{description.status}</Chip>
          {countdown && (
            <span className={styles.countdown} title={countdown.title}>
              <Icon name="clock" size={13} />
              {countdown.text}
            </span>
          )}
        </p>
      </header>
      <Suspense fallback={description.message && <p className={styles.message}>{description.message}</p>}>
        <LazyCauses pod={pod} />
      </Suspense>
      <Interventions all={pod.interventions} />
      <Section title={t(inspectorMessages.containers)}>
        <ul className={styles.instances}>
          {readContainers(t, pod).map(({ name, type, state, tone, restarts, item }) => (
            <li key={name}>
              <button type="button" className={styles.instance} disabled={item === undefined} onClick={() => select(item)}>
                <StateMark tone={tone} size={10} />
                <span>{name}</span>
                <span className={styles.quiet}>{type}</span>
                <span className={styles.end}>
                  {state}
                  {restarts > 0 && <span className={styles.quiet}> ↻ {restarts}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Section>
      {conditions.length > 0 && (
        <Section title={t(inspectorMessages.conditions)}>
          <ul className={styles.conditions}>
            {conditions.map(({ type, status, reason, message }) => (
              <li key={type} title={message}>
                <StateMark tone={status === 'True' ? 'done' : status === 'False' ? 'terminating' : 'unknown'} size={10} />
                <span>{type}</span>
                <span className={styles.quiet}>{status === 'True' ? '' : (reason ?? status)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t(inspectorMessages.pod)}>
        <Facts
          facts={[
            [t(inspectorMessages.phase), facts.phase],
            [t(inspectorMessages.namespace), pod.namespace],
            [t(inspectorMessages.address), facts.ip && <code>{facts.ip}</code>],
            [t(inspectorMessages.qosClass), facts.qosClass],
            [t(inspectorMessages.restartPolicy), facts.restartPolicy],
            [
              t(inspectorMessages.created),
              t(inspectorMessages.createdAgo, { clock: formatClock(createdAt(pod), false), age: formatAge((pod.deletedAt ?? now) - createdAt(pod)) }),
            ],
            [t(inspectorMessages.gracePeriod), facts.gracePeriod !== undefined && t(inspectorMessages.seconds, { count: facts.gracePeriod })],
            [t(inspectorMessages.uid), <code key="uid">{pod.uid}</code>],
          ]}
        />
      </Section>
      {lastSync && (
        <Suspense>
          <LazyDecisions decisions={decisionsWithin(lastSync, (id) => run.span(id)).filter(({ decisive }) => decisive)} />
        </Suspense>
      )}
    </div>
  );
}
