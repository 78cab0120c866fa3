/** Exports the metrics of the runtime manager: CRI operations, started pods and containers. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const MetricsTab = lazyPart(() => import('./MetricsTab.tsx'));
