/** What happens at an instant: a Kubernetes event, a stop of the pod worker. */
import type { KubernetesEventRecord, StopRecord } from '@podscope/trace';
import { Chip } from '../ui/Chip.tsx';
import { formatClock } from '../ui/format.ts';
import { Facts } from './Facts.tsx';
import styles from './Inspector.module.css';
import { Section } from './Section.tsx';

export function EventInspector({ event }: { readonly event: KubernetesEventRecord }) {
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>Kubernetes event</p>
        <h2 className={styles.title}>{event.reason}</h2>
        <p className={styles.line}>
          <Chip tone={event.type === 'Warning' ? 'error' : 'done'}>{event.type}</Chip>
          <span className={styles.quiet}>{formatClock(event.time)}</span>
        </p>
      </header>
      <p className={styles.message}>{event.message}</p>
      <Section title="Event">
        <Facts
          facts={[
            ['Container', event.container && <code>{event.container}</code>],
            ['Seen', event.count > 1 ? `${event.count} times` : 'once'],
          ]}
        />
      </Section>
    </div>
  );
}

export function StopInspector({ stop }: { readonly stop: StopRecord }) {
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>Stop</p>
        <h2 className={styles.title}>{stop.point}</h2>
        <p className={styles.line}>
          <Chip tone="stopped">{stop.end === undefined ? 'held' : 'went on'}</Chip>
        </p>
      </header>
      <Section title="Stop">
        <Facts
          facts={[
            ['Where', `${stop.phase} ${stop.point}`],
            ['Reason', stop.reason],
            ['Since', formatClock(stop.start)],
            ['Until', stop.end !== undefined && formatClock(stop.end)],
          ]}
        />
      </Section>
    </div>
  );
}
