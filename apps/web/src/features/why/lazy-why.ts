/** Loads explanations in their own chunk, because their texts are large. */
import { lazy } from 'react';

export const LazyCauses = lazy(() => import('./Causes.tsx'));
export const LazyDecisions = lazy(() => import('./Decisions.tsx'));
export const ExitMeaning = lazy(() => import('./ExitMeaning.tsx'));
