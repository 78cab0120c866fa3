/** Lays out the page: pods, timeline above tabs, inspector. */
import { linkVersion } from '@podscope/protocol';
import { useEffect, useRef } from 'react';
import { Group, Panel, type PanelSize, useDefaultLayout, usePanelRef } from 'react-resizable-panels';
import { translate, useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { pageStorage } from '../../base/preferences/page-storage.ts';
import { usePreferences } from '../../base/preferences/preferences.ts';
import { followContrast } from '../../base/theme/contrast.ts';
import { followMotion } from '../../base/theme/motion.ts';
import { useIsNarrowerThan } from '../../base/theme/small-window.ts';
import { followTheme } from '../../base/theme/theme.ts';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { ClassBar, PresenterView } from '../../features/classroom/index.ts';
import { LinkedBreakpoints } from '../../features/debug/index.ts';
import { Inspector } from '../../features/inspector/index.ts';
import { RecordBar, useIsRecording } from '../../features/lesson-editor/index.ts';
import { LessonPanel, useAddressedLesson, useLesson } from '../../features/lessons/index.ts';
import { DropZone } from '../../features/open-file/index.ts';
import { PodsPanel } from '../../features/pods/index.ts';
import { ScenarioNotes } from '../../features/scenarios/index.ts';
import { SlowMotion, useIsSlowMotion } from '../../features/slow-motion/index.ts';
import {
  addressedClass,
  isEmbedded,
  isPresenterView,
  linkedBreakpoints,
  newerLink,
} from '../../node/address/address.ts';
import { followHistory } from '../../node/address/view-store.ts';
import { connectionMessages } from '../../node/connection/messages.en.ts';
import { useAddressedRun } from '../../node/files/use-addressed-run.ts';
import { useFirstPod } from '../../node/pods/use-first-pod.ts';
import { useOpenNode, useOwnOptions } from '../../node/run/open-node.ts';
import { useRunRestart } from '../../node/run/use-run-restart.ts';
import { useSelectedTrack } from '../../node/run/use-selected-pod.ts';
import { useAddressedInstant } from '../../node/travel/use-travel.ts';
import { roomForInspector, roomForPods, setColumn, setNarrow, useInterface } from '../../node/view/interface.ts';
import { useShortcuts } from '../commands/use-shortcuts.ts';
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx';
import { hintCount } from '../hints/hint-count.ts';
import { followPresentation } from '../presentation.ts';
import { TopBar } from '../top-bar/TopBar.tsx';
import styles from './App.module.css';
import { Center } from './Center.tsx';
import { Dialogs } from './Dialogs.tsx';
import { Divider } from './Divider.tsx';
import { loadAhead } from './load-ahead.ts';
import { appMessages as texts } from './messages.en.ts';
import { Notices } from './Notices.tsx';

// This bar is loaded only in a frame of another site.
const EmbedBar = lazyPart(() => import('./EmbedBar.tsx'));
// The hints are loaded only until the user has seen them.
const Hints = lazyPart(() => import('../hints/Hints.tsx'));
/**
 * Returns the properties of a panel that users collapse by a command or by dragging. A panel that covers the run can't
 * be dragged, so its size says nothing.
 */
function useFoldingPanel(isOpen: boolean, isNarrow: boolean, setOpen: (isOpen: boolean) => void) {
  const ref = usePanelRef();
  const onResize = (size: PanelSize, _id: unknown, before: PanelSize | undefined): void => {
    // The first call reports the size from before the first effect, so it must not open the panel.
    if (!isNarrow && (before !== undefined || size.inPixels === 0)) setOpen(size.inPixels > 0);
  };
  // The keyboard must not reach the controls of a collapsed panel.
  return { panelRef: ref, collapsible: true, onResize, inert: !isOpen };
}

function Left() {
  const areHintsSeen = usePreferences(({ hintsSeen }) => hintsSeen >= hintCount);
  const hasPod = useSelectedTrack() !== undefined;
  // Show no hints during a lesson, because the lesson guides the user.
  const hasLesson = useLesson(({ lesson }) => lesson !== undefined);
  const { scenario, profile = 'v1.36' } = useOwnOptions() ?? {};
  return (
    <div className={styles.left} data-look="pods notes">
      <PodsPanel />
      {hasPod && !hasLesson && scenario !== undefined && <ScenarioNotes id={scenario} profile={profile} />}
      {!areHintsSeen && hasPod && !hasLesson && scenario === undefined && <Hints />}
    </div>
  );
}

function Body() {
  const isPodsOpen = useInterface((state) => state.isPodsOpen);
  const isInspectorOpen = useInterface((state) => state.isInspectorOpen);
  // Hide the lesson while another participant's run is shown.
  const isCovered = useOpenNode(({ covered }) => covered !== undefined);
  const hasLesson = useLesson(({ lesson }) => lesson !== undefined) && !isCovered;
  const t = useT();
  const isNarrow = useIsNarrowerThan(hasLesson ? roomForInspector : roomForPods);
  useEffect(() => setNarrow(isNarrow), [isNarrow]);
  const isRunCovered = isNarrow && (isPodsOpen || isInspectorOpen);
  // Show the run of the pod that the user chose in the column that covers it.
  const uid = useSelectedTrack()?.uid;
  const shown = useRef(uid);
  useEffect(() => {
    if (isNarrow && shown.current !== uid) setColumn('pods', false);
    shown.current = uid;
  }, [isNarrow, uid]);
  const pods = useFoldingPanel(isPodsOpen, isNarrow, (open) => setColumn('pods', open));
  const inspector = useFoldingPanel(isInspectorOpen, isNarrow, (open) => setColumn('inspector', open));
  const { panelRef: podsRef } = pods;
  const { panelRef: inspectorRef } = inspector;
  useEffect(() => {
    if (isNarrow) return;
    // Close a column before the other is opened, which may need its space.
    if (!isPodsOpen) podsRef.current?.collapse();
    if (isInspectorOpen) inspectorRef.current?.expand();
    else inspectorRef.current?.collapse();
    if (isPodsOpen) podsRef.current?.expand();
  }, [isPodsOpen, isInspectorOpen, isNarrow, podsRef, inspectorRef]);
  // An embedded page stores its layout separately.
  const layout = useDefaultLayout({ id: isEmbedded ? 'podscope.embedded' : 'podscope.columns', storage: pageStorage });
  return (
    <main className={styles.body}>
      {hasLesson && <LessonPanel />}
      <Group
        orientation="horizontal"
        className={isNarrow ? styles.covered : styles.group}
        defaultLayout={layout.defaultLayout}
        onLayoutChanged={layout.onLayoutChanged}
      >
        <Panel
          id="pods"
          defaultSize={250}
          minSize={180}
          maxSize={420}
          groupResizeBehavior="preserve-pixel-size"
          {...pods}
        >
          <Left />
        </Panel>
        <Divider label={t(texts.resizePods)} />
        <Panel id="center" minSize={360} inert={isRunCovered}>
          <Center />
        </Panel>
        <Divider label={t(texts.resizeInspector)} />
        <Panel
          id="inspector"
          data-look="inspector why"
          defaultSize={330}
          minSize={240}
          maxSize={640}
          groupResizeBehavior="preserve-pixel-size"
          {...inspector}
        >
          <Inspector />
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
  const isSlowMotion = useIsSlowMotion();
  const isRecording = useIsRecording();
  useEffect(() => {
    if (newerLink !== undefined)
      notify('error', translate(connectionMessages.newerLink, { link: newerLink, page: linkVersion }));
  }, []);
  useEffect(() => loadAhead(), []);
  useEffect(() => followTheme(), []);
  useEffect(() => followMotion(), []);
  useEffect(() => followContrast(), []);
  useEffect(() => followPresentation(), []);
  useEffect(() => followHistory(), []);
  if (isPresenterView) return <PresenterView />;
  return (
    <div className={styles.app}>
      {!isEmbedded && <TopBar />}
      <ConnectionBanner />
      {addressedClass && <ClassBar />}
      <Body />
      {isRecording && <RecordBar />}
      {isSlowMotion && <SlowMotion />}
      {isEmbedded && <EmbedBar />}
      <Dialogs />
      {linkedBreakpoints && <LinkedBreakpoints linked={linkedBreakpoints} />}
      <Notices />
      <DropZone />
    </div>
  );
}
