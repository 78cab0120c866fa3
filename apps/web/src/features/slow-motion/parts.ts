/** Exports the parts of slow motion, which are loaded when slow motion first starts. */
export { startSlowMotion } from './play-slow-motion.ts';
export { SlowMotion } from './SlowMotion.tsx';
