/** Compares the run in view with another run. */
import { lazy } from 'react';

export const CompareTab = lazy(() => import('./CompareTab.tsx'));
