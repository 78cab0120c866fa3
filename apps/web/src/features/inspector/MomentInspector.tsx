/** Shows what happened at one time: a Kubernetes event or a stop of the pod worker. */
import type { KubernetesEventRecord, StopRecord } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Section } from '../../base/ui/layout/Section.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import { Facts } from '../../base/ui/text/Facts.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { sourceMessages } from '../../node/sources/messages.en.ts';
import { useSourceText } from '../../node/sources/source-text.ts';
import { InjectedBehind } from '../interventions/index.ts';
import styles from './Inspector.module.css';
import { inspectorMessages } from './messages.en.ts';

export function EventInspector({ event }: { readonly event: KubernetesEventRecord }) {
  const t = useT();
  const source = useSourceText()(event);
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{t(inspectorMessages.kubernetesEvent)}</p>
        <h2 className={styles.title}>{event.reason}</h2>
        <p className={styles.line}>
          <Chip tone={event.type === 'Warning' ? 'error' : 'done'}>{event.type}</Chip>
          <InjectedBehind text={event.message} />
          <span className={styles.quiet}>{formatClock(event.time)}</span>
        </p>
      </header>
      <p className={styles.message}>{event.message}</p>
      <Section title={t(inspectorMessages.event)}>
        <Facts
          facts={[
            [t(inspectorMessages.container), event.container && <code>{event.container}</code>],
            [t(inspectorMessages.seen), t(inspectorMessages.times, { count: event.count })],
            [t(sourceMessages.source), source],
          ]}
        />
      </Section>
    </div>
  );
}

export function StopInspector({ stop }: { readonly stop: StopRecord }) {
  const t = useT();
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{t(inspectorMessages.stop)}</p>
        <h2 className={styles.title}>{stop.point}</h2>
        <p className={styles.line}>
          <Chip tone="stopped">{t(stop.end === undefined ? inspectorMessages.held : inspectorMessages.wentOn)}</Chip>
        </p>
      </header>
      <Section title={t(inspectorMessages.stop)}>
        <Facts
          facts={[
            [t(inspectorMessages.where), `${stop.phase} ${stop.point}`],
            [t(inspectorMessages.reason), stop.reason],
            [t(inspectorMessages.since), formatClock(stop.start)],
            [t(inspectorMessages.until), stop.end !== undefined && formatClock(stop.end)],
          ]}
        />
      </Section>
    </div>
  );
}
