/** Where points and rules stand in the engine's source, without the debugger: for looking at a run that has none. */

export { pointSources } from './point-sources.generated.ts';
export { type PointSources, sourcesOf } from './point-sources.ts';
