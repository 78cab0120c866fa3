/** What parts of the page share and no link restores: which dialog is open, which panels are folded, what was just done. */
import { create } from 'zustand';
import { isEmbedded, wantsOtherBeside } from '../alone/source-address.ts';

export interface Notice {
  readonly id: number;
  readonly tone: 'success' | 'error' | 'info';
  readonly text: string;
}

/** Dialogs that lie over the page; one at a time. */
export type DialogName = 'help' | 'palette' | 'settings' | 'scenarios' | 'lessons' | 'runs' | 'snapshot' | 'breakpoints' | 'intervene' | 'faults';

interface InterfaceState {
  /** The editor of new pods; `manifest` is what it opens with. */
  readonly editor: { readonly manifest: string | undefined; readonly source: string | undefined } | undefined;
  readonly dialog: DialogName | undefined;
  readonly isPodsOpen: boolean;
  readonly isInspectorOpen: boolean;
  /** The pod whose deletion is being asked about. */
  readonly deleting: string | undefined;
  readonly notices: readonly Notice[];
  /** The comparison with the same scenario in the other release was asked for, and has not begun. */
  readonly wantsOtherRelease: boolean;
}

const isFramed = typeof location !== 'undefined' && isEmbedded(location.search);

export const useInterface = create<InterfaceState>()(() => ({
  editor: undefined,
  dialog: undefined,
  // A frame is small: what it shows is the run itself.
  isPodsOpen: !isFramed,
  isInspectorOpen: !isFramed,
  deleting: undefined,
  notices: [],
  wantsOtherRelease: typeof location !== 'undefined' && wantsOtherBeside(location.search),
}));

/** Opens the editor, empty or with a manifest; `source` says where that is from. */
export const openEditor = (manifest?: string, source?: string): void => useInterface.setState({ editor: { manifest, source } });
export const closeEditor = (): void => useInterface.setState({ editor: undefined });
export const openDialog = (dialog: DialogName): void => useInterface.setState({ dialog });
export const closeDialog = (): void => useInterface.setState({ dialog: undefined });
export const togglePods = (): void => useInterface.setState(({ isPodsOpen }) => ({ isPodsOpen: !isPodsOpen }));
export const toggleInspector = (): void => useInterface.setState(({ isInspectorOpen }) => ({ isInspectorOpen: !isInspectorOpen }));
export const askToDelete = (deleting: string | undefined): void => useInterface.setState({ deleting });

const noticeTime = 6_000;
let lastNotice = 0;

export const dismiss = (id: number): void => useInterface.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));

/** Says what was done, for a moment; errors stay until dismissed. */
export function notify(tone: Notice['tone'], text: string): void {
  const id = ++lastNotice;
  useInterface.setState(({ notices }) => ({ notices: [...notices, { id, tone, text }].slice(-4) }));
  if (tone !== 'error') setTimeout(() => dismiss(id), noticeTime);
}
