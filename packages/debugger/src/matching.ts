/** Which breakpoints a place of the flow meets, while it is passed and in recordings: place, side, target, condition, count. */
import type { Context } from '@podscope/trace';
import type { Breakpoint, BreakpointList } from './breakpoints.ts';
import type { Scope } from './expression/expression.ts';
import type { Passage } from './passage.ts';
import { matchesTarget, type PodLookup } from './target.ts';
import type { WeighedRule } from './variables-in-scope.ts';

/** At a gate. Counts their hits. */
export function* breakpointsMet(list: BreakpointList, { ctx, span, phase, result }: Passage, scope: () => Scope, pods: PodLookup): Generator<Breakpoint> {
  for (const breakpoint of list.at(span.point, phase)) {
    const { spec } = breakpoint;
    if (spec.when === 'error' && result?.outcome !== 'error') continue;
    if (matchesTarget(spec, ctx, span, span.point.kind, pods) && breakpoint.meets(scope)) yield breakpoint;
  }
}

/** When a rule has been weighed. Counts their hits. */
export function* breakpointsMetByDecision(
  list: BreakpointList,
  ctx: Context,
  { rule }: WeighedRule,
  scope: () => Scope,
  pods: PodLookup,
): Generator<Breakpoint> {
  for (const breakpoint of list.atDecision(rule)) {
    if (matchesTarget(breakpoint.spec, ctx, ctx.span, ctx.span?.point.kind, pods) && breakpoint.meets(scope)) yield breakpoint;
  }
}
