/** Exports the replay of recorded pod statuses, for the conformance command. */
export { type StatusVector, statusDisagreements } from './status-vectors.ts';
