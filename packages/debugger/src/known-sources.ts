/** Exports the source locations of points and rules. The page needs them to show a run without loading the debugger. */

export { pointSources } from './point-sources.generated.ts';
export { type PointSources, sourcesOf } from './point-sources.ts';
