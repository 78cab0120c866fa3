/** Exports what plays a scenario from start to end. Apart from the library, because it contains the whole engine. */
export { flowOf, logDigestOf, logTextOf, type PlayThrough, playThrough } from './play-through.ts';
