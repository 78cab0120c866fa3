/** Renders the open dialog. Each dialog loads when it first opens. */
import { type ComponentType, createElement } from 'react';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { ClassDialog } from '../../features/classroom/index.ts';
import { SourceFinder } from '../../features/code/index.ts';
import { BreakpointsDialog, InterveneDialog } from '../../features/debug/index.ts';
import { NewPodDialog } from '../../features/editor/index.ts';
import { FaultsDialog } from '../../features/faults/index.ts';
import { LessonEditor } from '../../features/lesson-editor/index.ts';
import { LessonsDialog } from '../../features/lessons/index.ts';
import { NodeDialog } from '../../features/node-view/index.ts';
import { RunsDialog } from '../../features/runs/index.ts';
import { ScenariosDialog } from '../../features/scenarios/index.ts';
import { SnapshotDialog } from '../../features/snapshot/index.ts';
import { type DialogName, useInterface } from '../../node/view/interface.ts';

const dialogs: Readonly<Record<DialogName, ComponentType>> = {
  guide: lazyPart(() => import('../guide/GuideDialog.tsx')),
  help: lazyPart(() => import('../help/HelpDialog.tsx')),
  palette: lazyPart(() => import('../palette/CommandPalette.tsx')),
  settings: lazyPart(() => import('../settings/SettingsDialog.tsx')),
  sources: SourceFinder,
  scenarios: ScenariosDialog,
  lessons: LessonsDialog,
  lessonEditor: LessonEditor,
  class: ClassDialog,
  node: NodeDialog,
  runs: RunsDialog,
  snapshot: SnapshotDialog,
  breakpoints: BreakpointsDialog,
  intervene: InterveneDialog,
  faults: FaultsDialog,
};

export function Dialogs() {
  const isEditing = useInterface(({ editor }) => editor !== undefined);
  const dialog = useInterface((state) => state.dialog);
  return (
    <>
      {isEditing && <NewPodDialog />}
      {dialog && createElement(dialogs[dialog])}
    </>
  );
}
