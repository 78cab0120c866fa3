/** Builds the catalog of a recording's points: the points in its events, and the points in the engine's sources. */
import type { Point, PointKind, TraceEvent, TraceEventOf } from '@podscope/trace';
import { PointCatalog } from '../point-catalog.ts';
import { pointSources } from '../point-sources.generated.ts';
import { sourcesOf } from '../point-sources.ts';

const kinds: ReadonlySet<string> = new Set<PointKind>([
  'loop',
  'worker',
  'kubeletStep',
  'sync',
  'syncStep',
  'function',
  'cri',
  'criStep',
  'docker',
  'cni',
  'hook',
  'probe',
]);
const isKind = (kind: string): kind is PointKind => kinds.has(kind);

/**
 * Returns the point of a recorded span. A kind that this version doesn't know, because a later version recorded it,
 * becomes `function`.
 */
export const pointOf = ({
  point,
  kind,
  title,
}: Pick<TraceEventOf<'spanStarted'>, 'point' | 'kind' | 'title'>): Point => ({
  id: point,
  kind: isKind(kind) ? kind : 'function',
  title,
});

/** Returns a point that doesn't occur in the recording, derived from its id. */
function unpassed(id: string): Point {
  const [group = ''] = id.split('.');
  return { id, kind: isKind(group) ? group : 'function', title: id };
}

/**
 * A catalog that accepts a breakpoint on every kind of point, because only the end of a recording shows which kinds it
 * contains.
 */
class RecordedCatalog extends PointCatalog {
  override hasKind(kind: string): boolean {
    return isKind(kind);
  }
}

/** Returns the catalog. @param profile the release whose source files are reported as locations, such as `v1.36` */
export function catalogOfRecording(events: Iterable<TraceEvent>, profile: string): PointCatalog {
  const sources = sourcesOf(pointSources, profile);
  const points = new Map(Object.keys(sources.points).map((id) => [id, unpassed(id)]));
  const passed = new Set<string>();
  for (const event of events) {
    if (event.type !== 'spanStarted' || passed.has(event.point)) continue;
    passed.add(event.point);
    points.set(event.point, pointOf(event));
  }
  return new RecordedCatalog([...points.values()], sources);
}
