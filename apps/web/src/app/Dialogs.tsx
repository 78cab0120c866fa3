/** The dialogs of the page, each loaded when it is first opened. */
import { type ComponentType, createElement, lazy, Suspense } from 'react';
import { type DialogName, useInterface } from '../state/interface.ts';

const NewPodDialog = lazy(() => import('../editor/NewPodDialog.tsx'));

const dialogs: Readonly<Record<DialogName, ComponentType>> = {
  help: lazy(() => import('../shell/help/HelpDialog.tsx')),
  palette: lazy(() => import('../shell/palette/CommandPalette.tsx')),
  settings: lazy(() => import('../shell/settings/SettingsDialog.tsx')),
  scenarios: lazy(() => import('../scenarios/ScenariosDialog.tsx')),
  lessons: lazy(() => import('../lessons/LessonsDialog.tsx')),
  runs: lazy(() => import('../runs/RunsDialog.tsx')),
  snapshot: lazy(() => import('../snapshot/SnapshotDialog.tsx')),
  breakpoints: lazy(() => import('../debug/breakpoints/BreakpointsDialog.tsx')),
  intervene: lazy(() => import('../debug/intervene/InterveneDialog.tsx')),
  faults: lazy(() => import('../faults/FaultsDialog.tsx')),
};

export function Dialogs() {
  const isEditing = useInterface(({ editor }) => editor !== undefined);
  const dialog = useInterface((state) => state.dialog);
  return (
    <Suspense>
      {isEditing && <NewPodDialog />}
      {dialog && createElement(dialogs[dialog])}
    </Suspense>
  );
}
