/** The panel on the right: all about what is selected. */
import { StopPanel } from '../debug/StopPanel.tsx';
import { useStop } from '../debug/use-debug.ts';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useSelectedPod, useSelectedUid } from '../state/use-selected-pod.ts';
import { useView } from '../state/view-store.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { AttemptInspector, BackOffInspector, ContainerInspector } from './ContainerInspector.tsx';
import styles from './Inspector.module.css';
import { EventInspector, StopInspector } from './MomentInspector.tsx';
import { inspectorMessages } from './messages.en.ts';
import { PodInspector } from './PodInspector.tsx';
import { resolveSelection } from './resolve-selection.ts';
import { SpanInspector } from './SpanInspector.tsx';

function Content() {
  const { run } = useSession();
  const t = useT();
  // Subscribes to the pod: what is selected is part of it.
  const { pod } = useSelectedPod();
  const selected = useView((view) => view.selected);
  if (!pod) return <EmptyState title={t(inspectorMessages.nothingSelected)}>{t(inspectorMessages.selectSomething)}</EmptyState>;
  const selection = resolveSelection(selected, pod, (id) => run.span(id));
  switch (selection.kind) {
    case 'span':
      return <SpanInspector key={selection.span.id} span={selection.span} />;
    case 'attempt':
      return <AttemptInspector pod={pod} track={selection.track} attempt={selection.attempt} />;
    case 'backOff':
      return <BackOffInspector pod={pod} track={selection.track} backOff={selection.backOff} />;
    case 'container':
      return <ContainerInspector pod={pod} track={selection.track} />;
    case 'event':
      return <EventInspector event={selection.event} />;
    case 'stop':
      return <StopInspector stop={selection.stop} />;
    default:
      return <PodInspector pod={pod} />;
  }
}

export function Inspector() {
  const t = useT();
  const stop = useStop(useSelectedUid());
  return (
    <aside className={styles.panel} aria-label={t(inspectorMessages.inspector)}>
      {stop && <StopPanel key={stop.thread} stop={stop} />}
      <Content />
    </aside>
  );
}
