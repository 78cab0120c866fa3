/** Shows the details of the selected item. */

import { useLayoutEffect, useRef } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { useView } from '../../node/address/view-store.ts';
import { useStop } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useSelectedPod, useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { resolveSelection } from '../../node/selection/resolve-selection.ts';
import { StopPanel } from '../debug/index.ts';
import { AttemptInspector, BackOffInspector, ContainerInspector } from './ContainerInspector.tsx';
import styles from './Inspector.module.css';
import { EventInspector, StopInspector } from './MomentInspector.tsx';
import { inspectorMessages } from './messages.en.ts';
import { PodInspector } from './PodInspector.tsx';
import { SpanInspector } from './spans/SpanInspector.tsx';

function Content() {
  const { run } = useSession();
  const t = useT();
  // Subscribes to the pod, because the selected item is part of it.
  const { pod } = useSelectedPod();
  const selected = useView((view) => view.selected);
  if (!pod)
    return <EmptyState title={t(inspectorMessages.nothingSelected)}>{t(inspectorMessages.selectSomething)}</EmptyState>;
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
  const uid = useSelectedUid();
  const stop = useStop(uid);
  const selected = useView((view) => view.selected);
  const panel = useRef<HTMLElement>(null);
  // When another item is selected, scroll to the top, where the diagnosis is.
  useLayoutEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the effect follows the selection
  }, [uid, selected]);
  return (
    <aside ref={panel} className={styles.panel} aria-label={t(inspectorMessages.inspector)}>
      {stop && <StopPanel key={stop.thread} stop={stop} />}
      <Content />
    </aside>
  );
}
