/** Exports the time travel bar. */
export { Scrubber } from './Scrubber.tsx';
