/** Compares the run in view with another run. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const CompareTab = lazyPart(() => import('./CompareTab.tsx'));
