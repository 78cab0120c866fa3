/**
 * Exports the functions that play a scenario from start to end. They are separate from the library, because they need
 * the whole engine.
 */
export { flowOf, logDigestOf, logTextOf, type PlayThrough, playThrough } from './play-through.ts';
