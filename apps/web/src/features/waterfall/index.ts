/** Exports the spans of a sync on a time axis. */
import { lazy } from 'react';

export const Waterfall = lazy(() => import('./Waterfall.tsx'));
