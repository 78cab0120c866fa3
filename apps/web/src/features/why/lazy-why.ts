/** Loads explanations in their own chunk, because their texts are large. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const LazyCauses = lazyPart(() => import('./Causes.tsx'), { isDeferred: true });
export const LazyDecisions = lazyPart(() => import('./decisions/Decisions.tsx'));
export const ExitMeaning = lazyPart(() => import('./ExitMeaning.tsx'));
