/** Loads the editor in its own chunk. */
import { lazy } from 'react';

export const LazyCodeView = lazy(() => import('./CodeView.tsx'));
