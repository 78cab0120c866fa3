/**
 * Describes a span boundary: the place in the flow where the tracer calls the gate, with its pod, its container and the
 * values that can be read there.
 */
import type { Context, Exposed, Span, SpanContext, SpanResult } from '@podscope/trace';

/** The start or the end of a span, where the tracer calls the gate. */
export interface SpanBoundary {
  readonly ctx: SpanContext;
  readonly span: Span;
  readonly phase: 'before' | 'after';
  /** The result of the span; undefined at its start. */
  readonly result: SpanResult | undefined;
}

/** Yields the open spans, innermost first. */
export function* framesOf(span: Span): Generator<Span> {
  for (let at: Span | undefined = span; at; at = at.parent) yield at;
}

/** True if `span` encloses `other`. */
export function isAround(span: Span, other: Span): boolean {
  for (let at = other.parent; at; at = at.parent) if (at === span) return true;
  return false;
}

/** Returns the outermost open span. */
export function rootOf(span: Span): Span {
  let at = span;
  while (at.parent) at = at.parent;
  return at;
}

export type ThreadKind = 'worker' | 'probe' | 'loop';

/**
 * Returns the kind of a thread. A stopped worker or probe delays only one pod; a stopped loop delays every pod that it
 * serves.
 */
export function threadKind({ thread, pod }: Pick<Context, 'thread' | 'pod'>): ThreadKind {
  if (thread.startsWith('probe ')) return 'probe';
  return pod !== undefined && pod.uid === thread ? 'worker' : 'loop';
}

/** Returns the member at a path of an unknown value, or undefined. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/** Returns the name of the container that the span or one around it works on, or undefined. */
export function containerOf(span: Span): string | undefined {
  for (const frame of framesOf(span)) {
    const { container } = frame.values;
    if (typeof container === 'string') return container;
    const created = memberAt(frame.values, 'request', 'config', 'metadata', 'name');
    if (frame.point.id === 'cri.CreateContainer' && typeof created === 'string') return created;
  }
  return undefined;
}

export type ContainerType = 'init' | 'sidecar' | 'container' | 'ephemeral';

interface NamedContainer {
  readonly name: string;
  readonly restartPolicy?: string | undefined;
}

/** The names of a pod's containers, by the list of the spec that contains them. */
export interface PodContainers {
  readonly spec: {
    readonly containers: readonly NamedContainer[];
    readonly initContainers?: readonly NamedContainer[] | undefined;
    readonly ephemeralContainers?: readonly NamedContainer[] | undefined;
  };
}

/** Returns the type of the named container of a pod, or undefined if the pod has no such container. */
export function containerTypeOf(pod: PodContainers | undefined, name: string): ContainerType | undefined {
  const init = pod?.spec.initContainers?.find((container) => container.name === name);
  if (init) return init.restartPolicy === 'Always' ? 'sidecar' : 'init';
  if (pod?.spec.containers.some((container) => container.name === name)) return 'container';
  return pod?.spec.ephemeralContainers?.some((container) => container.name === name) ? 'ephemeral' : undefined;
}

/** Returns the value that the nearest enclosing span exposes under this name. */
export function exposedAt(span: Span, name: string): Exposed | undefined {
  for (const frame of framesOf(span)) {
    const exposed = frame.exposures?.[name];
    if (exposed) return typeof exposed === 'function' ? { read: exposed } : exposed;
  }
  return undefined;
}

/** Returns the names of the values that a span and the spans around it expose, nearest first. */
export function exposedNames(span: Span): readonly string[] {
  const names = new Set<string>();
  for (const { exposures } of framesOf(span)) for (const name of Object.keys(exposures ?? {})) names.add(name);
  return [...names];
}
