/** Exports the waterfall, which shows the spans of a sync on a time axis. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const Waterfall = lazyPart(() => import('./Waterfall.tsx'));
