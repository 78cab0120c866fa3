/** Slow motion: plays one sync step by step, with captions. */
import { lazy } from 'react';
import { useSlowMotion } from './slow-motion-store.ts';

export { startSlowMotion } from './slow-motion-store.ts';
/** Returns true while a sync is played. */
export const useIsSlowMotion = (): boolean => useSlowMotion(({ frames }) => frames.length > 0);
export const SlowMotion = lazy(() => import('./SlowMotion.tsx'));
