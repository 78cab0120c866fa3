/** Tables of sync results and Kubernetes events. */
import { lazy } from 'react';

export const EventsTab = lazy(() => import('./EventsTab.tsx'));
export const ResultsTab = lazy(() => import('./ResultsTab.tsx'));
