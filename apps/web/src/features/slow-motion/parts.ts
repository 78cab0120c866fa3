/** Exports slow motion, which loads with its first use. */
export { startSlowMotion } from './play-slow-motion.ts';
export { SlowMotion } from './SlowMotion.tsx';
