/** Exports the Code tab: the engine's source code with breakpoints and the current line. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const SourceFinder = lazyPart(() => import('./source/SourceFinder.tsx'));
export const CodeTab = lazyPart(() => import('./CodeTab.tsx'));
