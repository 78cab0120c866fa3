/** Loads explanations in their own chunk, because their texts are large. */
import { lazy } from 'react';

export const loadCauses = () => import('./Causes.tsx');
export const LazyCauses = lazy(loadCauses);
export const LazyDecisions = lazy(() => import('./Decisions.tsx'));
export const ExitMeaning = lazy(() => import('./ExitMeaning.tsx'));
