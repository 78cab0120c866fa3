/** Exports the metrics of the runtime manager: CRI operations, started pods and containers. */
import { lazy } from 'react';

export const MetricsTab = lazy(() => import('./MetricsTab.tsx'));
