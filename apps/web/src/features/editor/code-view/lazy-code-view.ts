/** Loads the editor in its own chunk. */
import { lazyPart } from '../../../base/ui/lazy-part.tsx';

export const LazyCodeView = lazyPart(() => import('./CodeView.tsx'));
