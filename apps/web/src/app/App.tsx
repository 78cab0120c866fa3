/** The one screen: pods, timeline over tabs, inspector. */
import { lazy, Suspense, useEffect } from 'react';
import { Group, Panel, useDefaultLayout, usePanelRef } from 'react-resizable-panels';
import { isEmbedded, readSource } from '../alone/source-address.ts';
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx';
import { breakpointWord, readBreakpoints } from '../debug/breakpoint-link.ts';
import { DebugBar } from '../debug/DebugBar.tsx';
import { useT } from '../i18n/i18n.ts';
import { useLesson } from '../lessons/lesson-store.ts';
import { useAddressedLesson } from '../lessons/use-addressed-lesson.ts';
import { PodHeader } from '../pod/PodHeader.tsx';
import { PodsPanel } from '../pods/PodsPanel.tsx';
import { useAddressedRun } from '../run/use-addressed-run.ts';
import { useRunRestart } from '../run/use-run-restart.ts';
import { DetailTabs } from '../shell/DetailTabs.tsx';
import { DropZone } from '../shell/DropZone.tsx';
import { EmbedBar } from '../shell/EmbedBar.tsx';
import { hintCount } from '../shell/hints/hint-count.ts';
import { Notices } from '../shell/Notices.tsx';
import { TopBar } from '../shell/TopBar.tsx';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Welcome } from '../shell/Welcome.tsx';
import { useInterface } from '../state/interface.ts';
import { followMotion } from '../state/motion.ts';
import { pageStorage } from '../state/page-storage.ts';
import { usePreferences } from '../state/preferences.ts';
import { followPresentation } from '../state/presentation.ts';
import { followTheme } from '../state/theme.ts';
import { useFirstPod } from '../state/use-first-pod.ts';
import { useSelectedTrack } from '../state/use-selected-pod.ts';
import { followHistory } from '../state/view-store.ts';
import { TimelinePanel } from '../timeline/TimelinePanel.tsx';
import { Scrubber } from '../travel/Scrubber.tsx';
import { useAddressedInstant } from '../travel/use-travel.ts';
import styles from './App.module.css';
import { Dialogs } from './Dialogs.tsx';
import { Divider } from './Divider.tsx';
import { appMessages as texts } from './messages.en.ts';

// Who has seen them does not load them.
const Hints = lazy(() => import('../shell/hints/Hints.tsx'));
const LessonPanel = lazy(() => import('../lessons/LessonPanel.tsx'));
const ScenarioNotes = lazy(() => import('../scenarios/ScenarioNotes.tsx'));

// Its own part of the page: the timeline is there before it.
const Inspector = lazy(async () => ({ default: (await import('../inspector/Inspector.tsx')).Inspector }));

const LinkedBreakpoints = lazy(() => import('../debug/breakpoints/LinkedBreakpoints.tsx'));

// Read before the view writes the address anew.
const linked = readBreakpoints(new URLSearchParams(location.search).get(breakpointWord));
const embedded = isEmbedded(location.search);
const source = readSource(location.search, import.meta.env.MODE === 'site');
const played = source.kind === 'page' ? source.options : undefined;

/** A panel that folds away when `isOpen` says so, and says so itself when it is dragged shut. */
function useFoldingPanel(isOpen: boolean, setOpen: (isOpen: boolean) => void) {
  const ref = usePanelRef();
  useEffect(() => {
    if (isOpen) ref.current?.expand();
    else ref.current?.collapse();
  }, [isOpen, ref]);
  return { panelRef: ref, collapsible: true, onResize: ({ inPixels }: { inPixels: number }) => setOpen(inPixels > 0) };
}

function Center() {
  const pod = useSelectedTrack();
  const t = useT();
  const layout = useDefaultLayout({ id: 'podscope.center', storage: pageStorage });
  if (!pod) {
    return (
      <section className={styles.center} aria-label={t(texts.selectedPod)}>
        <Welcome />
      </section>
    );
  }
  return (
    <section className={styles.center} aria-label={t(texts.selectedPod)}>
      <PodHeader pod={pod} />
      <Group orientation="vertical" className={styles.group} defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged}>
        <Panel id="timeline" data-look="timeline" defaultSize="50%" minSize={120}>
          <TimelinePanel pod={pod} />
        </Panel>
        <Divider label={t(texts.resizeTimeline)} />
        <Panel id="details" data-look="steps code results events logs spec compare" minSize={120} className={styles.details}>
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

function Left() {
  const areHintsSeen = usePreferences(({ hintsSeen }) => hintsSeen >= hintCount);
  const hasPod = useSelectedTrack() !== undefined;
  // It has its own say in what comes next.
  const hasLesson = useLesson(({ lesson }) => lesson !== undefined);
  return (
    <div className={styles.left} data-look="pods notes">
      <PodsPanel />
      {played?.scenario !== undefined && (
        <Suspense>
          <ScenarioNotes id={played.scenario} profile={played.profile ?? 'v1.36'} />
        </Suspense>
      )}
      {!areHintsSeen && hasPod && !hasLesson && played?.scenario === undefined && (
        <Suspense>
          <Hints />
        </Suspense>
      )}
    </div>
  );
}

function Body() {
  const isPodsOpen = useInterface((state) => state.isPodsOpen);
  const isInspectorOpen = useInterface((state) => state.isInspectorOpen);
  const hasLesson = useLesson(({ lesson }) => lesson !== undefined);
  const t = useT();
  const pods = useFoldingPanel(isPodsOpen, (open) => useInterface.setState({ isPodsOpen: open }));
  const inspector = useFoldingPanel(isInspectorOpen, (open) => useInterface.setState({ isInspectorOpen: open }));
  // What a frame shows is not what the page's own window remembers.
  const layout = useDefaultLayout({ id: embedded ? 'podscope.embedded' : 'podscope.columns', storage: pageStorage });
  return (
    <main className={styles.body}>
      {hasLesson && (
        <Suspense>
          <LessonPanel />
        </Suspense>
      )}
      <Group orientation="horizontal" className={styles.group} defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged}>
        <Panel id="pods" defaultSize={250} minSize={180} maxSize={420} groupResizeBehavior="preserve-pixel-size" {...pods}>
          <Left />
        </Panel>
        <Divider label={t(texts.resizePods)} />
        <Panel id="center" minSize={360}>
          <Center />
        </Panel>
        <Divider label={t(texts.resizeInspector)} />
        <Panel id="inspector" data-look="inspector why" defaultSize={330} minSize={240} maxSize={640} groupResizeBehavior="preserve-pixel-size" {...inspector}>
          <Suspense>
            <Inspector />
          </Suspense>
        </Panel>
      </Group>
    </main>
  );
}

export function App() {
  useShortcuts();
  useRunRestart();
  useAddressedRun();
  useAddressedLesson();
  useFirstPod();
  useAddressedInstant();
  useEffect(() => followTheme(), []);
  useEffect(() => followMotion(), []);
  useEffect(() => followPresentation(), []);
  useEffect(() => followHistory(), []);
  return (
    <div className={styles.app}>
      {!embedded && <TopBar />}
      <ConnectionBanner />
      <Body />
      {embedded && <EmbedBar />}
      <Dialogs />
      {linked && (
        <Suspense>
          <LinkedBreakpoints linked={linked} />
        </Suspense>
      )}
      <Notices />
      <DropZone />
    </div>
  );
}
