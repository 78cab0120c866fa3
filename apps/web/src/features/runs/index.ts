/** Exports the dialog of saved runs. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const RunsDialog = lazyPart(() => import('./RunsDialog.tsx'));
