/** Where points and rules stand in the engine's source. */
import type { SourceLocation } from '@podscope/protocol';

export interface PointSources {
  /** By point id; a call that is made in several places has several. */
  readonly points: Readonly<Record<string, readonly SourceLocation[]>>;
  /** By rule; `*` stands for a part that is only known when it is weighed. */
  readonly decisions: Readonly<Record<string, SourceLocation>>;
}

/** How files say that they are of one release only: `sync-pod-v1-20.ts`. */
const releaseInPath = /v(\d+)-(\d+)/;

/** The sources as one release runs them: a place in another release's file counts only where there is no other. @param profile `v1.36` */
export function sourcesOf({ points, decisions }: PointSources, profile: string): PointSources {
  const isForeign = ({ path }: SourceLocation): boolean => {
    const [, major, minor] = releaseInPath.exec(path.split('/').slice(-2).join('/')) ?? [];
    return major !== undefined && `v${major}.${minor}` !== profile;
  };
  const own = (places: readonly SourceLocation[]): readonly SourceLocation[] => {
    const kept = places.filter((place) => !isForeign(place));
    return kept.length > 0 ? kept : places;
  };
  return { points: Object.fromEntries(Object.entries(points).map(([id, places]) => [id, own(places)])), decisions };
}
