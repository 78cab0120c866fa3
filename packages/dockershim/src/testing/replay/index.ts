/** Conformance: recorded requests of the v1.20.2 dockershim, given to our v1.20 shim again. */
export { type DockershimDisagreement, type DockershimObserver, dockershimDisagreement } from './replay-dockershim.ts';
export type { DockershimVector, RecordedCall, RecordedRequest } from './vector.ts';
