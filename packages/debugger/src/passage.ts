/** One pass of the flow through a gate: where it is, in which pod and container, and what can be read there. */
import type { Context, Exposed, Span, SpanContext, SpanResult } from '@podscope/trace';

/** A span that passes its gate, on one of its sides. */
export interface Passage {
  readonly ctx: SpanContext;
  readonly span: Span;
  readonly phase: 'before' | 'after';
  /** How it came out; only after it. */
  readonly result: SpanResult | undefined;
}

/** Open spans, innermost first. */
export function* framesOf(span: Span): Generator<Span> {
  for (let at: Span | undefined = span; at; at = at.parent) yield at;
}

/** True when `span` is around `other`. */
export function isAround(span: Span, other: Span): boolean {
  for (let at = other.parent; at; at = at.parent) if (at === span) return true;
  return false;
}

/** The outermost open span. */
export function rootOf(span: Span): Span {
  let at = span;
  while (at.parent) at = at.parent;
  return at;
}

export type ThreadKind = 'worker' | 'probe' | 'loop';

/** Pod workers and probe workers hold one pod when they are stopped, loops everything they serve. */
export function threadKind({ thread, pod }: Pick<Context, 'thread' | 'pod'>): ThreadKind {
  if (thread.startsWith('probe ')) return 'probe';
  return pod !== undefined && pod.uid === thread ? 'worker' : 'loop';
}

/** The member at a path of an unknown value. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/** The container a place of the flow is about, if it is about one. */
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

/** The containers of a pod, by the lists of its spec. */
export interface PodContainers {
  readonly spec: {
    readonly containers: readonly NamedContainer[];
    readonly initContainers?: readonly NamedContainer[] | undefined;
    readonly ephemeralContainers?: readonly NamedContainer[] | undefined;
  };
}

/** Which kind of container of the pod a name is. */
export function containerTypeOf(pod: PodContainers | undefined, name: string): ContainerType | undefined {
  const init = pod?.spec.initContainers?.find((container) => container.name === name);
  if (init) return init.restartPolicy === 'Always' ? 'sidecar' : 'init';
  if (pod?.spec.containers.some((container) => container.name === name)) return 'container';
  return pod?.spec.ephemeralContainers?.some((container) => container.name === name) ? 'ephemeral' : undefined;
}

/** What is exposed under that name, by the nearest span around. */
export function exposedAt(span: Span, name: string): Exposed | undefined {
  for (const frame of framesOf(span)) {
    const exposed = frame.exposures?.[name];
    if (exposed) return typeof exposed === 'function' ? { read: exposed } : exposed;
  }
  return undefined;
}

/** Names of everything exposed around a place, nearest first. */
export function exposedNames(span: Span): readonly string[] {
  const names = new Set<string>();
  for (const { exposures } of framesOf(span)) for (const name of Object.keys(exposures ?? {})) names.add(name);
  return [...names];
}
