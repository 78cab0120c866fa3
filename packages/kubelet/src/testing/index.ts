/** Conformance: recorded pod statuses of the real kubelet, generated again. */
export { type StatusVector, statusDisagreements } from './status-vectors.ts';
