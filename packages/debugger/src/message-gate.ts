/** The debugger at places that have no span of their own: rules that are weighed, PLEG events on their way. */
import type { Attributes, Context, Point } from '@podscope/trace';
import type { Breakpoint, BreakpointList } from './breakpoints.ts';
import type { ExceptionFilters } from './exception-filters.ts';
import type { FaultList } from './faults/fault-list.ts';
import { writeLog } from './gatekeeper.ts';
import type { Interventions } from './interventions.ts';
import { matchesTarget, type PodLookup } from './target.ts';
import type { Threads } from './threads.ts';
import { scopeOfDecision, type WeighedRule } from './variables-in-scope.ts';

export interface MessageGateOptions {
  readonly breakpoints: BreakpointList;
  readonly filters: ExceptionFilters;
  readonly faults: FaultList;
  readonly threads: Threads;
  readonly interventions: Interventions;
  readonly pods: PodLookup;
  readonly mayStop: () => boolean;
  readonly format: (value: unknown) => string;
  readonly used: (breakpoint: Breakpoint) => void;
}

export class MessageGate {
  readonly #options: MessageGateOptions;

  constructor(options: MessageGateOptions) {
    this.#options = options;
  }

  /** A rule was weighed: what is hit here takes place at the thread's next gate. */
  decided(ctx: Context, decision: WeighedRule): void {
    const { breakpoints, filters, threads, pods, mayStop, format, used } = this.#options;
    const scope = (): ReturnType<typeof scopeOfDecision> => scopeOfDecision(ctx, decision);
    const hit: Breakpoint[] = [];
    for (const breakpoint of breakpoints.atDecision(decision.rule)) {
      if (!matchesTarget(breakpoint.spec, ctx, ctx.span, ctx.span?.point.kind, pods) || !breakpoint.meets(scope)) continue;
      if (breakpoint.effect === 'stop') hit.push(breakpoint);
      else writeLog(ctx, breakpoint.id, breakpoint.effect.render(scope(), format));
      if (breakpoint.spec.oneShot) used(breakpoint);
    }
    const filter = filters.idle ? undefined : filters.atDecision(ctx, decision, scope);
    if ((hit.length === 0 && !filter) || !mayStop()) return;
    const thread = threads.open(ctx.thread);
    const ids = hit.map(({ id }) => id);
    thread.pending ??= {
      reason: hit.length > 0 ? 'breakpoint' : 'exception',
      text: hit.length > 0 ? `Breakpoint ${ids.join(', ')}: ${decision.rule}: ${format(decision.outcome)}` : `Sandbox change: ${filter?.text ?? ''}`,
      breakpoints: ids,
      filter: filter?.filter,
      decision,
    };
  }

  /** How often a PLEG event is delivered. */
  copies(ctx: Context, point: Point, facts: Attributes): number {
    const { faults, interventions } = this.#options;
    if (!faults.mayApply(point, 'before')) return 1;
    const container = typeof facts.container === 'string' ? facts.container : undefined;
    const scope = (): ReturnType<typeof scopeOfDecision> => scopeOfDecision(ctx, { rule: point.id, facts, outcome: undefined });
    let copies = 1;
    for (const { spec, group } of faults.takeForMessage(ctx, point, container, scope)) {
      const action = spec.drop ? 'drop' : 'duplicate';
      copies = spec.drop ? 0 : copies + (spec.duplicate ?? 0);
      const what = `${String(facts.event)}${container === undefined ? '' : ` of ${container}`}`;
      const name = spec.name ?? (group === '' ? undefined : group);
      interventions.tell(ctx, undefined, {
        action,
        origin: 'fault',
        name,
        text: spec.drop ? `${what} is dropped` : `${what} is delivered ${copies} times`,
        details: facts,
      });
    }
    return copies;
  }
}
