/** Exports the tables of sync results and Kubernetes events. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const EventsTab = lazyPart(() => import('./EventsTab.tsx'));
export const ResultsTab = lazyPart(() => import('./ResultsTab.tsx'));
