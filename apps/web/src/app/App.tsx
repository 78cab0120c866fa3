/** The one screen: pods, timeline over tabs, inspector. */
import { lazy, Suspense, useEffect } from 'react';
import { Group, Panel, useDefaultLayout, usePanelRef } from 'react-resizable-panels';
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx';
import { DebugBar } from '../debug/DebugBar.tsx';
import { Inspector } from '../inspector/Inspector.tsx';
import { PodHeader } from '../pod/PodHeader.tsx';
import { PodsPanel } from '../pods/PodsPanel.tsx';
import { useRunRestart } from '../run/use-run-restart.ts';
import { DetailTabs } from '../shell/DetailTabs.tsx';
import { DropZone } from '../shell/DropZone.tsx';
import { Notices } from '../shell/Notices.tsx';
import { TopBar } from '../shell/TopBar.tsx';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Welcome } from '../shell/Welcome.tsx';
import { useInterface } from '../state/interface.ts';
import { followTheme } from '../state/theme.ts';
import { useFirstPod } from '../state/use-first-pod.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { followHistory } from '../state/view-store.ts';
import { TimelinePanel } from '../timeline/TimelinePanel.tsx';
import { Scrubber } from '../travel/Scrubber.tsx';
import { useAddressedInstant } from '../travel/use-travel.ts';
import styles from './App.module.css';
import { Divider } from './Divider.tsx';

// Loaded when first opened.
const NewPodDialog = lazy(() => import('../editor/NewPodDialog.tsx'));
const BreakpointsDialog = lazy(() => import('../debug/BreakpointsDialog.tsx'));
const InterveneDialog = lazy(() => import('../debug/InterveneDialog.tsx'));
const ScenariosDialog = lazy(() => import('../scenarios/ScenariosDialog.tsx'));
const HelpDialog = lazy(() => import('../shell/HelpDialog.tsx'));

function Dialogs() {
  const isEditing = useInterface(({ editor }) => editor !== undefined);
  const isScenariosOpen = useInterface((state) => state.isScenariosOpen);
  const debugDialog = useInterface((state) => state.debugDialog);
  const isHelpOpen = useInterface((state) => state.isHelpOpen);
  return (
    <Suspense>
      {isEditing && <NewPodDialog />}
      {isHelpOpen && <HelpDialog />}
      {isScenariosOpen && <ScenariosDialog />}
      {debugDialog === 'breakpoints' && <BreakpointsDialog />}
      {debugDialog === 'intervene' && <InterveneDialog />}
    </Suspense>
  );
}

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
  const { pod } = useSelectedPod();
  const layout = useDefaultLayout({ id: 'podscope.center', storage: localStorage });
  if (!pod) {
    return (
      <section className={styles.center} aria-label="Selected pod">
        <Welcome />
      </section>
    );
  }
  return (
    <section className={styles.center} aria-label="Selected pod">
      <PodHeader pod={pod} />
      <Group orientation="vertical" className={styles.group} defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged}>
        <Panel id="timeline" defaultSize="50%" minSize={120}>
          <TimelinePanel pod={pod} />
        </Panel>
        <Divider label="Resize timeline" />
        <Panel id="details" minSize={120} className={styles.details}>
          <Scrubber uid={pod.uid} />
          <DebugBar pod={pod} />
          <DetailTabs />
        </Panel>
      </Group>
    </section>
  );
}

export function App() {
  const isPodsOpen = useInterface((state) => state.isPodsOpen);
  const isInspectorOpen = useInterface((state) => state.isInspectorOpen);
  const pods = useFoldingPanel(isPodsOpen, (open) => useInterface.setState({ isPodsOpen: open }));
  const inspector = useFoldingPanel(isInspectorOpen, (open) => useInterface.setState({ isInspectorOpen: open }));
  const layout = useDefaultLayout({ id: 'podscope.columns', storage: localStorage });
  useShortcuts();
  useRunRestart();
  useFirstPod();
  useAddressedInstant();
  useEffect(() => followTheme(), []);
  useEffect(() => followHistory(), []);
  return (
    <div className={styles.app}>
      <TopBar />
      <ConnectionBanner />
      <main className={styles.body}>
        <Group orientation="horizontal" className={styles.group} defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged}>
          <Panel id="pods" defaultSize={250} minSize={180} maxSize={420} groupResizeBehavior="preserve-pixel-size" {...pods}>
            <PodsPanel />
          </Panel>
          <Divider label="Resize pods" />
          <Panel id="center" minSize={360}>
            <Center />
          </Panel>
          <Divider label="Resize inspector" />
          <Panel id="inspector" defaultSize={330} minSize={240} maxSize={640} groupResizeBehavior="preserve-pixel-size" {...inspector}>
            <Inspector />
          </Panel>
        </Group>
      </main>
      <Dialogs />
      <Notices />
      <DropZone />
    </div>
  );
}
