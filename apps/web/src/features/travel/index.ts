/** Moves through the run's time. */
export { Scrubber } from './Scrubber.tsx';
