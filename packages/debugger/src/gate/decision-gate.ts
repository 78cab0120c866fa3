/**
 * Evaluates breakpoints and filters at rules. The flow can't wait at a rule, because a rule is evaluated within a step.
 */
import type { Context } from '@podscope/trace';
import type { Breakpoint, BreakpointList } from '../breakpoints/breakpoints.ts';
import type { ExceptionFilters } from '../breakpoints/exception-filters.ts';
import { breakpointsMetByDecision } from '../breakpoints/matching.ts';
import type { PodLookup } from '../breakpoints/target.ts';
import { type EvaluatedRule, scopeOfDecision } from '../inspect/variables-in-scope.ts';
import { writeLog } from './break-controller.ts';
import type { Threads } from './threads.ts';

export interface DecisionGateOptions {
  readonly breakpoints: BreakpointList;
  readonly filters: ExceptionFilters;
  readonly threads: Threads;
  readonly pods: PodLookup;
  readonly mayStop: () => boolean;
  readonly format: (value: unknown) => string;
  readonly used: (breakpoint: Breakpoint) => void;
}

export class DecisionGate {
  readonly #options: DecisionGateOptions;

  constructor(options: DecisionGateOptions) {
    this.#options = options;
  }

  /** Handles an evaluated rule. If a breakpoint is hit, the thread stops at its next span boundary. */
  decided(ctx: Context, decision: EvaluatedRule): void {
    const { breakpoints, filters, threads, pods, mayStop, format, used } = this.#options;
    const may = mayStop();
    const scope = (): ReturnType<typeof scopeOfDecision> => scopeOfDecision(ctx, decision);
    const hit: Breakpoint[] = [];
    for (const breakpoint of breakpointsMetByDecision(ctx, breakpoints, decision, scope, pods)) {
      if (breakpoint.effect === 'stop') hit.push(breakpoint);
      else writeLog(ctx, breakpoint.id, breakpoint.effect.render(scope(), format));
      if (breakpoint.spec.oneShot && (may || breakpoint.effect !== 'stop')) used(breakpoint);
    }
    const filter = filters.idle ? undefined : filters.atDecision(ctx, decision, scope);
    if ((hit.length === 0 && !filter) || !may) return;
    const thread = threads.open(ctx.thread);
    const ids = hit.map(({ id }) => id);
    thread.pending ??= {
      reason: hit.length > 0 ? 'breakpoint' : 'exception',
      text:
        hit.length > 0
          ? `Breakpoint ${ids.join(', ')}: ${decision.rule}: ${format(decision.outcome)}`
          : `Sandbox change: ${filter?.text ?? ''}`,
      breakpoints: ids,
      filter: filter?.filter,
      decision,
    };
  }
}
