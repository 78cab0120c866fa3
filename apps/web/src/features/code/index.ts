/** Exports the Code tab: the engine's source code with breakpoints and the current line. */
import { lazy } from 'react';

export const SourceFinder = lazy(() => import('./SourceFinder.tsx'));
export const CodeTab = lazy(() => import('./CodeTab.tsx'));
