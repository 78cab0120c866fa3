/** Exports the dialog that explains a pod from another cluster. */
import { lazy } from 'react';

export { looksLikeSnapshot, openSnapshot } from './snapshot-text.ts';
export { translateNotice } from './translate-notice.ts';

export const SnapshotDialog = lazy(() => import('./SnapshotDialog.tsx'));
