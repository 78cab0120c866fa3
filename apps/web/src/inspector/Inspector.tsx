/** The panel on the right: all about what is selected. */
import { useSession } from '../run/node-session.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { useView } from '../state/view-store.ts';
import { Chip } from '../ui/Chip.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatClock } from '../ui/format.ts';
import { AttemptInspector, BackOffInspector, ContainerInspector } from './ContainerInspector.tsx';
import { Facts } from './Facts.tsx';
import styles from './Inspector.module.css';
import { PodInspector } from './PodInspector.tsx';
import { resolveSelection } from './resolve-selection.ts';
import { SpanInspector } from './SpanInspector.tsx';

function Content() {
  const { run } = useSession();
  // Subscribes to the pod: what is selected is part of it.
  const { pod } = useSelectedPod();
  const selected = useView((view) => view.selected);
  if (!pod) return <EmptyState title="Nothing selected">Select a pod, then a step, a bar of the timeline, a result or an event.</EmptyState>;
  const selection = resolveSelection(selected, pod, (id) => run.span(id));
  switch (selection.kind) {
    case 'pod':
      return <PodInspector pod={pod} />;
    case 'span':
      return <SpanInspector key={selection.span.id} span={selection.span} />;
    case 'attempt':
      return <AttemptInspector track={selection.track} attempt={selection.attempt} />;
    case 'backOff':
      return <BackOffInspector track={selection.track} backOff={selection.backOff} />;
    case 'container':
      return <ContainerInspector track={selection.track} />;
    case 'event': {
      const { event } = selection;
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
          <div className={styles.facts}>
            <Facts
              facts={[
                ['Container', event.container && <code>{event.container}</code>],
                ['Seen', event.count > 1 && `${event.count} times`],
              ]}
            />
          </div>
        </div>
      );
    }
    case 'stop': {
      const { stop } = selection;
      return (
        <div>
          <header className={styles.head}>
            <p className={styles.kind}>Stop</p>
            <h2 className={styles.title}>{stop.point}</h2>
            <p className={styles.line}>
              <Chip tone="stopped">{stop.end === undefined ? 'held' : 'went on'}</Chip>
            </p>
          </header>
          <div className={styles.facts}>
            <Facts
              facts={[
                ['Where', `${stop.phase} ${stop.point}`],
                ['Reason', stop.reason],
                ['Since', formatClock(stop.start)],
                ['Until', stop.end !== undefined && formatClock(stop.end)],
              ]}
            />
          </div>
        </div>
      );
    }
  }
}

export function Inspector() {
  return (
    <aside className={styles.panel} aria-label="Inspector">
      <Content />
    </aside>
  );
}
