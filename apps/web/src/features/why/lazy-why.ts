/** Loads explanations in their own chunk, because their texts are large. */
import { lazy } from 'react';
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const LazyCauses = lazyPart(() => import('./Causes.tsx'));
export const LazyDecisions = lazy(() => import('./Decisions.tsx'));
export const ExitMeaning = lazy(() => import('./ExitMeaning.tsx'));
