/** Exports the dialog that explains a pod from another cluster, and the forecast of a pod of an observed kubelet. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { looksLikeSnapshot, openSnapshot } from './snapshot-text.ts';
export { translateNotice } from './translate-notice.ts';

export const SnapshotDialog = lazyPart(() => import('./SnapshotDialog.tsx'));
export const RunForecast = lazyPart(() => import('./RunForecast.tsx'));
