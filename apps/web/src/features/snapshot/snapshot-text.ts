/** Stores the text of the dialog while the page is open. */
import { create } from 'zustand';
import { openDialog } from '../../node/view/interface.ts';

export const useSnapshotText = create<{ readonly text: string }>()(() => ({ text: '' }));

/**
 * Returns true if the text contains pods from a cluster. Unlike manifests, these pods have a uid and a status.
 */
export const looksLikeSnapshot = (text: string): boolean =>
  /^\s*"?uid"?:/m.test(text) && /^\s*"?status"?:/m.test(text) && /"?kind"?:\s*"?(?:Pod|List|PodList)\b/.test(text);

/** Opens the dialog with a text. */
export function openSnapshot(text: string): void {
  useSnapshotText.setState({ text });
  openDialog('snapshot');
}
