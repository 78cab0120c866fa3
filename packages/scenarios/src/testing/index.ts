/** Exports what tests need to play scenarios, on Node and in Chromium. */
export { flowOf, logDigestOf, logTextOf, type PlayThrough, playThrough } from './play-through.ts';
export { findPlayed, seedCases } from './seed-cases.ts';
