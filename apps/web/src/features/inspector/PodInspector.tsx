/** Shows the pod: diagnosis, conditions and containers. */
import { currentBackOff, type PodTrack } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Section } from '../../base/ui/layout/Section.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { Facts } from '../../base/ui/text/Facts.tsx';
import { formatAge, formatClock } from '../../base/ui/text/format.ts';
import { select } from '../../node/address/view-store.ts';
import { createdAt, podRowText } from '../../node/pods/pod-row-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useNow } from '../../node/run/use-now.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { useSourceText } from '../../node/sources/source-text.ts';
import { RunForecast } from '../snapshot/index.ts';
import { LazyCauses, LazyDecisions } from '../why/index.ts';
import { SkipWait } from './ContainerActions.tsx';
import styles from './Inspector.module.css';
import { Interventions } from './Interventions.tsx';
import { inspectorMessages } from './messages.en.ts';
import { readConditions, readContainers, readPodFacts } from './read-pod.ts';
import { decisionsWithin } from './spans/decisions-within.ts';

export function PodInspector({ pod }: { readonly pod: PodTrack }) {
  const { run } = useSession();
  const t = useT();
  const now = useNow(pod.deletedAt === undefined);
  const { description, countdown } = podRowText(pod, now);
  const facts = readPodFacts(pod);
  const conditions = readConditions(pod);
  const isObserved = useNodeInfo()?.observed !== undefined;
  const source = useSourceText()(pod.statusFrom);
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
      {pod.containers.map(
        (track) =>
          pod.deletedAt === undefined &&
          currentBackOff(track, now) && (
            <SkipWait key={track.name} pod={pod} container={track.name} isNamed={pod.containers.length > 1} />
          ),
      )}
      <LazyCauses pod={pod} fallback={description.message && <p className={styles.message}>{description.message}</p>} />
      {isObserved && pod.deletedAt === undefined && <RunForecast key={pod.uid} pod={pod} />}
      <Interventions all={pod.interventions} />
      <Section title={t(inspectorMessages.containers)}>
        <ul className={styles.instances}>
          {readContainers(t, pod).map(({ name, type, state, tone, restarts, item }) => (
            <li key={name}>
              <button
                type="button"
                className={styles.instance}
                disabled={item === undefined}
                onClick={() => select(item)}
              >
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
                <StateMark
                  tone={status === 'True' ? 'done' : status === 'False' ? 'terminating' : 'unknown'}
                  size={10}
                />
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
            [t(inspectorMessages.statusSource), source],
            [t(inspectorMessages.namespace), pod.namespace],
            [t(inspectorMessages.address), facts.ip && <code>{facts.ip}</code>],
            [t(inspectorMessages.qosClass), facts.qosClass],
            [t(inspectorMessages.restartPolicy), facts.restartPolicy],
            [
              t(inspectorMessages.created),
              t(inspectorMessages.createdAgo, {
                clock: formatClock(createdAt(pod), false),
                age: formatAge((pod.deletedAt ?? now) - createdAt(pod)),
              }),
            ],
            [
              t(inspectorMessages.gracePeriod),
              facts.gracePeriod !== undefined && t(inspectorMessages.seconds, { count: facts.gracePeriod }),
            ],
            [t(inspectorMessages.uid), <code key="uid">{pod.uid}</code>],
          ]}
        />
      </Section>
      {lastSync && (
        <LazyDecisions decisions={decisionsWithin(lastSync, (id) => run.span(id)).filter(({ decisive }) => decisive)} />
      )}
    </div>
  );
}
