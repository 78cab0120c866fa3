/** Decides which breakpoints before a step apply to a pod, and what a click on the step's dot changes. */
import type { BreakpointSpec, BreakpointState } from '@podscope/protocol';

/** The pod of a breakpoint. */
export interface ScopedPod {
  readonly namespace: string;
  readonly name: string;
}

/** Which pods a breakpoint stops: only the shown pod, or also others. */
export type BreakpointScope = 'pod' | 'all';

/** Returns true if the text matches a pattern in which `*` and `?` are wildcards. */
function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
}

/**
 * Returns `pod` if a breakpoint stops only this pod, and `all` if it also stops other pods. Returns undefined if it
 * never stops this pod.
 */
export function scopeFor(
  { namespace, pod: name }: Pick<BreakpointSpec, 'namespace' | 'pod'>,
  pod: ScopedPod | undefined,
): BreakpointScope | undefined {
  if (!pod) return 'all';
  if (name === pod.name && (namespace === undefined || namespace === pod.namespace)) return 'pod';
  const isMatch = matches(name ?? '*', pod.name) && matches(namespace ?? '*', pod.namespace);
  return isMatch ? 'all' : undefined;
}

/** Returns the fields that limit a breakpoint to a pod. Returns no fields for the scope of all pods. */
export const scopeFields = (
  scope: BreakpointScope,
  pod: ScopedPod | undefined,
): Pick<BreakpointSpec, 'namespace' | 'pod'> =>
  scope === 'pod' && pod ? { namespace: pod.namespace, pod: pod.name } : {};

/** Returns the breakpoint with another scope. */
export function withScope(spec: BreakpointSpec, scope: BreakpointScope, pod: ScopedPod | undefined): BreakpointSpec {
  const { namespace: _namespace, pod: _pod, ...rest } = spec;
  return { ...rest, ...scopeFields(scope, pod) };
}

/** Returns the breakpoints that stop this pod before a point. */
export const breakpointsBefore = (
  breakpoints: readonly BreakpointState[],
  point: string,
  pod: ScopedPod | undefined,
): readonly BreakpointState[] =>
  breakpoints.filter(
    ({ spec }) => spec.point === point && (spec.when ?? 'before') === 'before' && scopeFor(spec, pod) !== undefined,
  );
