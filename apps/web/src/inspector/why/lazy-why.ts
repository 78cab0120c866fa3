/** Why, in a chunk of its own: its texts are many. */
import { lazy } from 'react';

export const LazyCauses = lazy(() => import('./Causes.tsx'));
export const LazyDecisions = lazy(() => import('./Decisions.tsx'));
export const ExitMeaning = lazy(() => import('./ExitMeaning.tsx'));
