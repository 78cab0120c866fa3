/**
 * Finds the breakpoints that a span boundary or a rule hits, by place, side, target, condition and hit count. Works in
 * live runs and in recordings.
 */
import type { Context } from '@podscope/trace';
import type { Scope } from '../expression/expression.ts';
import type { SpanBoundary } from '../gate/span-boundary.ts';
import type { EvaluatedRule } from '../inspect/variables-in-scope.ts';
import type { Breakpoint, BreakpointList } from './breakpoints.ts';
import { matchesTarget, type PodLookup } from './target.ts';

/** Yields the breakpoints that a span boundary hits, and counts the hits. */
export function* breakpointsMet(
  list: BreakpointList,
  { ctx, span, phase, result }: SpanBoundary,
  scope: () => Scope,
  pods: PodLookup,
): Generator<Breakpoint> {
  for (const breakpoint of list.at(span.point, phase)) {
    const { spec } = breakpoint;
    if (spec.when === 'error' && result?.outcome !== 'error') continue;
    if (matchesTarget(ctx, spec, span, span.point.kind, pods) && breakpoint.meets(scope)) yield breakpoint;
  }
}

/** Yields the breakpoints that an evaluated rule hits, and counts the hits. */
export function* breakpointsMetByDecision(
  ctx: Context,
  list: BreakpointList,
  { rule }: EvaluatedRule,
  scope: () => Scope,
  pods: PodLookup,
): Generator<Breakpoint> {
  for (const breakpoint of list.atDecision(rule)) {
    if (matchesTarget(ctx, breakpoint.spec, ctx.span, ctx.span?.point.kind, pods) && breakpoint.meets(scope))
      yield breakpoint;
  }
}
