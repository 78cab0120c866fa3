/** The panel on the right: all about what is selected. */
import { StopPanel } from '../debug/StopPanel.tsx';
import { useStop } from '../debug/use-debug.ts';
import { useSession } from '../run/node-session.ts';
import { useSelectedPod, useSelectedUid } from '../state/use-selected-pod.ts';
import { useView } from '../state/view-store.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { AttemptInspector, BackOffInspector, ContainerInspector } from './ContainerInspector.tsx';
import styles from './Inspector.module.css';
import { EventInspector, StopInspector } from './MomentInspector.tsx';
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
    case 'span':
      return <SpanInspector key={selection.span.id} span={selection.span} />;
    case 'attempt':
      return <AttemptInspector track={selection.track} attempt={selection.attempt} />;
    case 'backOff':
      return <BackOffInspector track={selection.track} backOff={selection.backOff} />;
    case 'container':
      return <ContainerInspector track={selection.track} />;
    case 'event':
      return <EventInspector event={selection.event} />;
    case 'stop':
      return <StopInspector stop={selection.stop} />;
    default:
      return <PodInspector pod={pod} />;
  }
}

export function Inspector() {
  const stop = useStop(useSelectedUid());
  return (
    <aside className={styles.panel} aria-label="Inspector">
      {stop && <StopPanel key={stop.thread} stop={stop} />}
      <Content />
    </aside>
  );
}
