/** The editor in a chunk of its own. */
import { lazy } from 'react';

export const LazyCodeView = lazy(() => import('./CodeView.tsx'));
