/** Exports the Spec tab, which shows the pod's manifest. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { showField } from './spec-target.ts';

export const SpecTab = lazyPart(() => import('./SpecTab.tsx'));
