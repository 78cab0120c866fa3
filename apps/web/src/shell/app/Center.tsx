/** Lays out the middle of the page: the selected pod's timeline above its tabs, or a message while no pod is shown. */
import { useEffect } from 'react';
import { Group, Panel, useDefaultLayout, usePanelRef } from 'react-resizable-panels';
import { useT } from '../../base/i18n/i18n.ts';
import { pageStorage } from '../../base/preferences/page-storage.ts';
import { useIsSmallWindow } from '../../base/theme/small-window.ts';
import { DebugBar } from '../../features/debug/index.ts';
import { PodHeader } from '../../features/pod/index.ts';
import { TimelinePanel } from '../../features/timeline/index.ts';
import { Scrubber } from '../../features/travel/index.ts';
import { useSelectedTrack } from '../../node/run/use-selected-pod.ts';
import { useIsPast } from '../../node/travel/use-travel.ts';
import { useInterface } from '../../node/view/interface.ts';
import styles from './App.module.css';
import { DetailTabs } from './DetailTabs.tsx';
import { Divider } from './Divider.tsx';
import { appMessages as texts } from './messages.en.ts';
import { Welcome } from './Welcome.tsx';

export function Center() {
  const pod = useSelectedTrack();
  const isPast = useIsPast();
  const timeline = usePanelRef();
  const isTimelineReplaced = useInterface((state) => state.isTimelineReplaced);
  useEffect(() => {
    if (isTimelineReplaced) timeline.current?.collapse();
    else timeline.current?.expand();
  }, [isTimelineReplaced, timeline]);
  const t = useT();
  const isSmall = useIsSmallWindow();
  const layout = useDefaultLayout({ id: isSmall ? 'podscope.center.small' : 'podscope.center', storage: pageStorage });
  if (!pod) {
    return (
      <section className={styles.center} aria-label={t(texts.selectedPod)}>
        <Welcome />
        {isPast && (
          <div className={styles.controls} data-look="time">
            <Scrubber />
          </div>
        )}
      </section>
    );
  }
  return (
    <section className={styles.center} aria-label={t(texts.selectedPod)}>
      <PodHeader pod={pod} />
      <Group
        key={String(isSmall)}
        orientation="vertical"
        className={isSmall ? styles.tall : styles.group}
        defaultLayout={layout.defaultLayout}
        onLayoutChanged={layout.onLayoutChanged}
      >
        <Panel
          id="timeline"
          data-look="timeline"
          defaultSize={isSmall ? '30%' : '50%'}
          minSize={120}
          panelRef={timeline}
          collapsible
          collapsedSize={0}
        >
          <TimelinePanel pod={pod} />
        </Panel>
        <Divider label={t(texts.resizeTimeline)} />
        <Panel
          id="details"
          data-look="steps code results events logs spec compare"
          minSize={120}
          className={styles.details}
        >
          <div className={styles.controls} data-look="time debugger">
            <Scrubber uid={pod.uid} />
            <DebugBar pod={pod} />
          </div>
          <DetailTabs />
        </Panel>
      </Group>
    </section>
  );
}
