/** Explains a pod from another cluster. */
import { lazy } from 'react';

export { sayNotice } from './say-notice.ts';
export { looksLikeSnapshot, openSnapshot } from './snapshot-text.ts';

export const SnapshotDialog = lazy(() => import('./SnapshotDialog.tsx'));
