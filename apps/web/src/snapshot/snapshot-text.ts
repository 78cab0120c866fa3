/** The text in the dialog: kept while the page is open, and nowhere else. */
import { create } from 'zustand';
import { openDialog } from '../state/interface.ts';

export const useSnapshotText = create<{ readonly text: string }>()(() => ({ text: '' }));

/** True for what a cluster printed of its pods: a manifest has no status. */
export const looksLikeSnapshot = (text: string): boolean =>
  /^\s*"?uid"?:/m.test(text) && /^\s*"?status"?:/m.test(text) && /"?kind"?:\s*"?(?:Pod|List|PodList)\b/.test(text);

/** Opens the dialog with a text. */
export function openSnapshot(text: string): void {
  useSnapshotText.setState({ text });
  openDialog('snapshot');
}
