/** Exports the dialog that shows the node. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const NodeDialog = lazyPart(() => import('./NodeDialog.tsx'));
