/** Exports the dialog of faults and fault plans. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const FaultsDialog = lazyPart(() => import('./FaultsDialog.tsx'));
