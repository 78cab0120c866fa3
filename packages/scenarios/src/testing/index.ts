/** Exports the functions that tests need to play scenarios, on Node.js and in Chromium. */
export { flowOf, logDigestOf, logTextOf, type PlayThrough, playThrough } from '../whole-run/index.ts';
export { findPlayed, seedCases } from './seed-cases.ts';
