/** The points of a recording: those that were passed, and those that the engine's sources name. */
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

/** The point of a recorded span. One of a kind that only a later release has is a function. */
export const pointOf = ({ point, kind, title }: Pick<TraceEventOf<'spanStarted'>, 'point' | 'kind' | 'title'>): Point => ({
  id: point,
  kind: isKind(kind) ? kind : 'function',
  title,
});

/** A point that was never passed, by its name alone. */
function unpassed(id: string): Point {
  const [group = ''] = id.split('.');
  return { id, kind: isKind(group) ? group : 'function', title: id };
}

/** Every kind there is may be met in it: that a recording has none of a kind is known at its end only. */
class RecordedCatalog extends PointCatalog {
  override hasKind(kind: string): boolean {
    return isKind(kind);
  }
}

/** @param profile the release whose files lines are named in: `v1.36` */
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
