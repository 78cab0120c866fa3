/** Exports the Spec tab, which shows the pod's manifest. */
import { lazy } from 'react';

export { showField } from './spec-target.ts';

export const SpecTab = lazy(() => import('./SpecTab.tsx'));
