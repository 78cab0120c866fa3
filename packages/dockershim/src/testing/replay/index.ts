/** Replays recorded requests of the v1.20.2 dockershim against this implementation. */
export { type DockershimDisagreement, type DockershimObserver, dockershimDisagreement } from './replay-dockershim.ts';
export type { DockershimVector, RecordedCall, RecordedRequest } from './vector.ts';
