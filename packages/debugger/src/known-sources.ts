/** Exports the source locations of points and rules without the debugger, for viewing a run without one. */

export { pointSources } from './point-sources.generated.ts';
export { type PointSources, sourcesOf } from './point-sources.ts';
