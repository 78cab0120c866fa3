/** Matches the target of a breakpoint, a filter or a fault: pods, containers and threads. */
import type { Target } from '@podscope/protocol';
import type { Context, Point, Span } from '@podscope/trace';
import { containerOf, containerTypeOf, type PodContainers, threadKind } from '../gate/span-boundary.ts';
import { matchesWildcard } from './wildcard.ts';

/** The parts of a pod that targets refer to. */
export interface KnownPod extends PodContainers {
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/** Returns the pod with this UID, from the node or the recording. */
export type PodLookup = (uid: string) => KnownPod | undefined;

const fits = (pattern: string | undefined, text: string | undefined): boolean =>
  pattern === undefined || (text !== undefined && matchesWildcard(pattern, text));

/**
 * Returns true if the target matches this place. A target that names a container matches only where the flow works on a
 * container.
 * @param span the innermost open span, if any
 * @param kind the kind of the point. If the target names no threads, points of a loop match only on the threads of
 * loops, and other points only on other threads
 */
export function matchesTarget(
  ctx: Context,
  target: Target,
  span: Span | undefined,
  kind: Point['kind'] | undefined,
  pods: PodLookup,
): boolean {
  const { namespace, pod, container, containerType } = target;
  const threads = target.threads ?? (kind === 'loop' ? 'loops' : 'workers');
  if (threads !== 'all' && (threadKind(ctx) === 'loop') !== (threads === 'loops')) return false;
  if (namespace !== undefined || pod !== undefined) {
    if (!fits(namespace, ctx.pod?.namespace) || !fits(pod, ctx.pod?.name)) return false;
  }
  if (container === undefined && containerType === undefined) return true;
  return matchesContainer(ctx, target, span && containerOf(span), pods);
}

/** Returns true if the container's name and type match the target. */
function matchesContainer(
  ctx: Context,
  { container, containerType }: Target,
  name: string | undefined,
  pods: PodLookup,
): boolean {
  if (container === undefined && containerType === undefined) return true;
  if (name === undefined || !fits(container, name)) return false;
  return containerType === undefined || containerTypeOf(ctx.pod && pods(ctx.pod.uid), name) === containerType;
}
