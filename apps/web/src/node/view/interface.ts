/** Stores the interface state that no link restores: open dialog and panels. */
import type { BreakpointSpec } from '@podscope/protocol';
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { isEmbedded, wantsOtherRelease } from '../address/address.ts';

/** The dialogs; one is open at a time. */
export type DialogName =
  | 'help'
  | 'guide'
  | 'sources'
  | 'palette'
  | 'settings'
  | 'scenarios'
  | 'lessons'
  | 'lessonEditor'
  | 'class'
  | 'node'
  | 'runs'
  | 'snapshot'
  | 'breakpoints'
  | 'intervene'
  | 'faults';

/** The breakpoint in the form of the breakpoints dialog; `id` is undefined for a new breakpoint. */
export interface EditedBreakpoint {
  readonly id: number | undefined;
  readonly spec: BreakpointSpec | undefined;
}

interface InterfaceState {
  /** The manifest editor; `manifest` is its initial text. */
  readonly editor: { readonly manifest: string | undefined; readonly source: string | undefined } | undefined;
  readonly dialog: DialogName | undefined;
  /** Text that the user typed after a dialog was opened and before its search field had the focus. */
  readonly typed: string;
  /** The breakpoint in the form. If undefined, the dialog shows the list. */
  readonly editedBreakpoint: EditedBreakpoint | undefined;
  readonly isPodsOpen: boolean;
  readonly isInspectorOpen: boolean;
  /** True while the window is too narrow for a column beside the run, so that an open column covers the run. */
  readonly isNarrow: boolean;
  /** True while a comparison shows the timelines of both runs and replaces the page's own timeline. */
  readonly isTimelineReplaced: boolean;
  /** UID of the pod whose deletion awaits confirmation. */
  readonly deleting: string | undefined;
  /** True until the comparison that the link requests has started. */
  readonly wantsOtherRelease: boolean;
}

/**
 * Minimum window widths for the columns beside the run, in pixels. In narrower windows, users open the columns with
 * buttons.
 */
export const roomForPods = 700;
export const roomForInspector = 940;

/** Unit tests run without a window, which counts as wide. */
const isWide = (width: number): boolean => typeof innerWidth === 'undefined' || innerWidth >= width;

export const useInterface = create<InterfaceState>()(() => ({
  editor: undefined,
  dialog: undefined,
  typed: '',
  editedBreakpoint: undefined,
  // An embedded page has space only for the run.
  isPodsOpen: !isEmbedded && isWide(roomForPods),
  isInspectorOpen: !isEmbedded && isWide(roomForInspector),
  isNarrow: !isWide(roomForPods),
  isTimelineReplaced: false,
  deleting: undefined,
  wantsOtherRelease: wantsOtherRelease(),
}));

/** Opens the editor. `source` names where the manifest comes from. */
export const openEditor = (manifest?: string, source?: string): void =>
  useInterface.setState({ editor: { manifest, source } });
export const closeEditor = (): void => useInterface.setState({ editor: undefined });
export const openDialog = (dialog: DialogName): void => useInterface.setState({ dialog, typed: '' });

/** Stores a character that the user typed while a dialog was opening, before its search field had the focus. */
export const typeAhead = (character: string): void =>
  useInterface.setState(({ typed }) => ({ typed: typed + character }));

/** Returns the text that was typed before a search field had the focus, and clears it. */
function takeTyped(): string {
  const { typed } = useInterface.getState();
  if (typed !== '') useInterface.setState({ typed: '' });
  return typed;
}

/**
 * Returns the text of a dialog's search field and its setter. The text includes letters that the user types while the
 * dialog loads, and before the field has the focus.
 */
export function useSearchText(): readonly [string, (text: string) => void] {
  const [text, setText] = useState('');
  useEffect(() => {
    const take = (): void => {
      const typed = takeTyped();
      if (typed !== '') setText((before) => before + typed);
    };
    take();
    return useInterface.subscribe(take);
  }, []);
  return [text, setText];
}
export const closeDialog = (): void => useInterface.setState({ dialog: undefined, editedBreakpoint: undefined });
/** Opens the form of a breakpoint; undefined returns to the list. */
export const editBreakpoint = (editedBreakpoint: EditedBreakpoint | undefined): void =>
  useInterface.setState({ dialog: 'breakpoints', editedBreakpoint });

/** The columns beside the run. */
export type Column = 'pods' | 'inspector';

const bothClosed = { isPodsOpen: false, isInspectorOpen: false } as const;
export const closeColumns = (): void => useInterface.setState(bothClosed);

/** Opens or closes a column. Where only one fits, opening it closes the other one. */
export const setColumn = (column: Column, isOpen: boolean): void =>
  useInterface.setState(({ isNarrow }) => ({
    ...(isOpen && (isNarrow || !isWide(roomForInspector)) ? bothClosed : {}),
    ...(column === 'pods' ? { isPodsOpen: isOpen } : { isInspectorOpen: isOpen }),
  }));
export const togglePods = (): void => setColumn('pods', !useInterface.getState().isPodsOpen);
export const toggleInspector = (): void => setColumn('inspector', !useInterface.getState().isInspectorOpen);

/** Stores whether an open column covers the run. When that begins, both columns are closed, so that the run is seen. */
export const setNarrow = (isNarrow: boolean): void => {
  if (isNarrow === useInterface.getState().isNarrow) return;
  useInterface.setState({ isNarrow });
  if (isNarrow) closeColumns();
};

export const askToDelete = (deleting: string | undefined): void => useInterface.setState({ deleting });
