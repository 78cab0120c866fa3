/** Selects the source locations of points and rules for a release. */
import type { SourceLocation } from '@podscope/protocol';

export interface PointSources {
  /** Locations by point id. A call that is made in several places has several locations. */
  readonly points: Readonly<Record<string, readonly SourceLocation[]>>;
  /** Locations by rule. A `*` stands for a part of the name that is known only at run time. */
  readonly decisions: Readonly<Record<string, SourceLocation>>;
}

/** Matches a folder whose files belong to one release only, such as `sync-pod/v1-20/`. */
const releaseInPath = /\/v(\d+)-(\d+)\//;

/**
 * Returns the locations for a release. A location in a file of another release is used only if no other location
 * exists.
 * @param profile such as `v1.36`
 */
export function sourcesOf({ points, decisions }: PointSources, profile: string): PointSources {
  const isForeign = ({ path }: SourceLocation): boolean => {
    const [, major, minor] = releaseInPath.exec(path) ?? [];
    return major !== undefined && `v${major}.${minor}` !== profile;
  };
  const own = (places: readonly SourceLocation[]): readonly SourceLocation[] => {
    const kept = places.filter((place) => !isForeign(place));
    return kept.length > 0 ? kept : places;
  };
  return { points: Object.fromEntries(Object.entries(points).map(([id, places]) => [id, own(places)])), decisions };
}
