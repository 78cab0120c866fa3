/** Exports the replay of requests that were recorded with the v1.20.2 dockershim. */
export { type DockershimDisagreement, type DockershimObserver, dockershimDisagreement } from './replay-dockershim.ts';
export type { DockershimVector, RecordedCall, RecordedRequest } from './vector.ts';
