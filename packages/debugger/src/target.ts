/** Which pods, containers and threads a breakpoint, a filter or a fault is about. */
import type { Target } from '@podscope/protocol';
import type { Context, Point, Span } from '@podscope/trace';
import { containerOf, containerTypeOf, type PodContainers, threadKind } from './passage.ts';
import { matchesWildcard } from './wildcard.ts';

/** As much of a pod as is asked about it. */
export interface KnownPod extends PodContainers {
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/** Finds a pod of the node, or of a recording, by UID. */
export type PodLookup = (uid: string) => KnownPod | undefined;

const fits = (pattern: string | undefined, text: string | undefined): boolean =>
  pattern === undefined || (text !== undefined && matchesWildcard(pattern, text));

/**
 * True when the target names this place. What names a container matches only where a container is concerned.
 * @param span the innermost open span; absent where there is none
 * @param kind the kind of the point; a loop's own points are met on the loop's thread unless said otherwise
 */
export function matchesTarget(target: Target, ctx: Context, span: Span | undefined, kind: Point['kind'] | undefined, pods: PodLookup): boolean {
  const { namespace, pod, container, containerType } = target;
  const threads = target.threads ?? (kind === 'loop' ? 'loops' : 'workers');
  if (threads !== 'all' && (threadKind(ctx) === 'loop') !== (threads === 'loops')) return false;
  if (namespace !== undefined || pod !== undefined) {
    if (!fits(namespace, ctx.pod?.namespace) || !fits(pod, ctx.pod?.name)) return false;
  }
  if (container === undefined && containerType === undefined) return true;
  return matchesContainer(target, ctx, span && containerOf(span), pods);
}

/** The part about containers. */
function matchesContainer({ container, containerType }: Target, ctx: Context, name: string | undefined, pods: PodLookup): boolean {
  if (container === undefined && containerType === undefined) return true;
  if (name === undefined || !fits(container, name)) return false;
  return containerType === undefined || containerTypeOf(ctx.pod && pods(ctx.pod.uid), name) === containerType;
}
