/** Exports slow motion, which plays one sync step by step, with captions. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import type { NodeSession } from '../../node/run/node-session.ts';
import { useSlowMotion } from './slow-motion-store.ts';

const parts = () => import('./parts.ts');

/** Plays the shown sync of a pod. Does nothing for a pod without syncs. */
export const startSlowMotion = async (session: NodeSession, uid: string): Promise<void> =>
  (await parts()).startSlowMotion(session, uid);

/** Returns true while a sync is played. */
export const useIsSlowMotion = (): boolean => useSlowMotion(({ frames }) => frames.length > 0);

export const SlowMotion = lazyPart(async () => ({ default: (await parts()).SlowMotion }));
