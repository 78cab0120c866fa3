/** Exports what tests need to play scenarios, on Node and in Chromium. */
export { flowOf, logDigestOf, logTextOf, type PlayThrough, playThrough } from '../whole-run/index.ts';
export { findPlayed, seedCases } from './seed-cases.ts';
