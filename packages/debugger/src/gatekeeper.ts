/** What happens at each gate: who stops, why, for how long, and with what the flow goes on. */
import { type Context, type Instant, type Point, type SharedSlot, type SpanContext, type SpanResult } from '@podscope/trace';
import type { Breakpoint, BreakpointList } from './breakpoints.ts';
import { messageOf, ProbeMissedError, SyncRestartedError } from './errors.ts';
import type { ExceptionFilters } from './exception-filters.ts';
import type { Scope } from './expression/expression.ts';
import { type FaultRunner, isEnding, type Origin, onAbort } from './fault-runner.ts';
import type { Fault, FaultList } from './faults/fault-list.ts';
import type { Interventions } from './interventions.ts';
import { breakpointsMet } from './matching.ts';
import { framesOf, type Passage, rootOf } from './passage.ts';
import { endsStep } from './stepping.ts';
import type { PodLookup } from './target.ts';
import { type Resume, Stop, type StopCause, type Thread, type Threads } from './threads.ts';
import { scopeOf } from './variables-in-scope.ts';

export interface GatekeeperOptions {
  readonly breakpoints: BreakpointList;
  readonly filters: ExceptionFilters;
  readonly faults: FaultList;
  readonly threads: Threads;
  readonly runner: FaultRunner;
  readonly interventions: Interventions;
  readonly pods: PodLookup;
  readonly now: () => Instant;
  readonly probes: () => 'missed' | 'held' | 'made';
  /** False while nobody is there to let a stopped thread go on. */
  readonly mayStop: () => boolean;
  /** A value as one line of text, secrets masked. */
  readonly format: (value: unknown) => string;
  /** A thread stopped, or goes on. */
  readonly stopped: (stop: Stop) => void;
  readonly resumed: (stop: Stop) => void;
  /** A one-shot breakpoint was hit and is gone. */
  readonly used: (breakpoint: Breakpoint) => void;
  /** The pass of a thread was ended on demand: make another. */
  readonly restarted: (thread: string) => void;
}

/** Once it has begun a stop can't be missed: it is told before anything waits. */
export class Gatekeeper {
  readonly #options: GatekeeperOptions;
  #lastStop = 0;

  constructor(options: GatekeeperOptions) {
    this.#options = options;
  }

  /** Undefined when nothing can happen here. */
  pass(passage: Passage): Promise<SpanResult | undefined> | undefined {
    return this.#concerns(passage) ? this.#pass(passage) : undefined;
  }

  /** Is there anything to weigh at a message that passes this point? */
  watches(ctx: Context, point: Point): boolean {
    const { breakpoints, faults, threads } = this.#options;
    if (threads.get(ctx.thread)) return true;
    return (['before', 'after'] as const).some((phase) => breakpoints.at(point, phase).length > 0 || faults.mayApply(point, phase));
  }

  /** Cheap, and never wrong the other way: is there anything to weigh? */
  #concerns({ ctx, span, phase, result }: Passage): boolean {
    const { breakpoints, filters, faults, threads } = this.#options;
    if (threads.size > 0) {
      if (threads.get(ctx.thread)) return true;
      if (span.point.kind === 'probe' && phase === 'before' && threads.stoppedCount > 0) return true;
    }
    if (breakpoints.at(span.point, phase).length > 0 || faults.mayApply(span.point, phase)) return true;
    return phase === 'after' && !filters.idle && (result?.outcome === 'error' || span.attributes !== undefined);
  }

  async #pass(passage: Passage): Promise<SpanResult | undefined> {
    const { threads, faults, runner, probes } = this.#options;
    const { ctx, span, phase } = passage;
    if (phase === 'before' && span.point.kind === 'probe' && probes() !== 'made') await this.#probe(passage);
    // From the last look to the stop below nothing may wait: another branch would stop too.
    for (let held = this.#heldBy(ctx); held; held = this.#heldBy(ctx)) await held;
    this.#unwind(passage);
    let scope: Scope | undefined;
    const lazily = (): Scope => (scope ??= scopeOf(ctx, span, passage));
    const cause = this.#cause(passage, lazily);
    if (cause) {
      const resume = await this.#stop(passage, cause);
      if (resume.how === 'restart') return this.#restart(passage);
      if (resume.how === 'canceled' && phase === 'before') ctx.signal.throwIfAborted();
      if (resume.how === 'intervention') {
        const result = await runner.apply(passage, resume.action, { origin: 'stop' });
        if (result) return result;
      }
    }
    for (const fault of faults.take(ctx, span, phase, lazily)) {
      const result = await this.#apply(passage, fault);
      if (result) return result;
    }
    const thread = threads.get(ctx.thread);
    if (thread) threads.settle(thread);
    return undefined;
  }

  /** A thread stops as a whole: what else it does at the same time is held at its next gate, and weighed when it goes on. */
  #heldBy(ctx: SpanContext): Promise<void> | undefined {
    const stop = this.#options.threads.get(ctx.thread)?.stop;
    return stop && !isEnding(ctx) ? untilOver(stop, ctx) : undefined;
  }

  /** Ends everything of a pass that is to begin anew; at its very end the next one is asked for. */
  #unwind({ ctx, span, phase }: Passage): void {
    const { threads, restarted } = this.#options;
    const thread = threads.get(ctx.thread);
    if (!thread?.unwinding) return;
    if (thread.unwinding === span && phase === 'after') {
      thread.unwinding = undefined;
      thread.restarting = true;
      restarted(thread.id);
    } else if (phase === 'before' && rootOf(span) === thread.unwinding) throw new SyncRestartedError();
  }

  /** The pass is ended from here outwards. */
  #restart({ ctx, span, phase }: Passage): SpanResult | undefined {
    const thread = this.#options.threads.open(ctx.thread);
    if (phase === 'after' && !span.parent) {
      thread.restarting = true;
      this.#options.restarted(thread.id);
      return undefined;
    }
    thread.unwinding = rootOf(span);
    if (phase === 'after') return { outcome: 'canceled', error: new SyncRestartedError() };
    throw new SyncRestartedError();
  }

  /** A probe of a pod that is stopped. */
  async #probe({ ctx, span }: Passage): Promise<void> {
    const { threads, probes, interventions } = this.#options;
    const worker = ctx.pod && threads.get(ctx.pod.uid);
    if (!worker?.stop) return;
    if (probes() === 'missed') {
      interventions.tell(ctx, span, { action: 'missProbe', origin: 'stop', text: `${span.point.title} is missed: the pod is stopped` });
      throw new ProbeMissedError();
    }
    await untilOver(worker.stop, ctx);
    ctx.signal.throwIfAborted();
  }

  /** Why the thread stops here; undefined when it does not. Counts hits and writes logpoints. */
  #cause(passage: Passage, scope: () => Scope): StopCause | undefined {
    const { threads, filters, mayStop } = this.#options;
    const { ctx, span, phase } = passage;
    const thread = threads.get(ctx.thread);
    if (thread?.unwinding) return undefined;
    const may = mayStop() && !isEnding(ctx);
    const hit = this.#hits(passage, scope, may);
    const filter = phase === 'after' && !filters.idle ? filters.atEnd(passage, scope) : undefined;
    if (!may) return undefined;
    const where = `${phase} ${span.point.title}`;
    const breakpoints = hit.map(({ id }) => id);
    if (thread?.pending) return { ...thread.pending, breakpoints: [...thread.pending.breakpoints, ...breakpoints] };
    if (hit.length > 0) {
      const isGoto = hit.every(({ group }) => group === runToGroup);
      return { reason: isGoto ? 'goto' : 'breakpoint', text: isGoto ? `Run to here: ${where}` : `Breakpoint ${breakpoints.join(', ')}: ${where}`, breakpoints };
    }
    if (filter) return { reason: 'exception', text: `${filter.text} (${where})`, breakpoints: [], filter: filter.filter };
    if (thread?.restarting && phase === 'before' && !span.parent) return { reason: 'restart', text: `Restarted: ${where}`, breakpoints: [] };
    if (thread?.pausing) return { reason: 'pause', text: `Paused ${where}`, breakpoints: [] };
    if (thread?.step && endsStep(thread.step, passage)) return { reason: 'step', text: `Step: ${where}`, breakpoints: [] };
    return undefined;
  }

  /** The breakpoints that stop here, or would. One-shots are used up only by what they are for: `may` says that the thread can stop. */
  #hits(passage: Passage, scope: () => Scope, may: boolean): readonly Breakpoint[] {
    const { breakpoints, pods, format, used } = this.#options;
    const { ctx } = passage;
    const hit: Breakpoint[] = [];
    for (const breakpoint of breakpointsMet(breakpoints, passage, scope, pods)) {
      const { spec, effect } = breakpoint;
      if (effect === 'stop') hit.push(breakpoint);
      else writeLog(ctx, breakpoint.id, effect.render(scope(), format));
      if (spec.oneShot && (may || effect !== 'stop')) used(breakpoint);
    }
    return hit;
  }

  async #stop(passage: Passage, cause: StopCause): Promise<Resume> {
    const { threads, now, stopped, resumed } = this.#options;
    const { ctx, span, phase } = passage;
    const thread: Thread = threads.open(ctx.thread);
    const stop = new Stop(++this.#lastStop, passage, cause, now(), thread.pending?.decision);
    Object.assign(thread, { pausing: false, step: undefined, pending: undefined, restarting: false });
    threads.begin(thread, stop);
    const end = onAbort(ctx, () => stop.end({ how: 'canceled' }));
    const { reason, text, breakpoints } = cause;
    ctx.tracer.emit(ctx, { type: 'stopped', reason, point: span.point.id, phase, text, breakpoints: [...breakpoints], stop: stop.number });
    stopped(stop);
    const slots = slotsOf(ctx);
    for (const slot of slots) slot.leave();
    const resume = await stop.over;
    end();
    threads.finish(thread);
    ctx.tracer.emit(ctx, { type: 'continued', reason: resume.how, stop: stop.number });
    resumed(stop);
    for (const slot of slots) await slot.enter();
    return resume;
  }

  /** A fault that can't be applied is told, and does not fail what it was to be applied to. */
  #apply(passage: Passage, { id, spec, group }: Fault): Promise<SpanResult | undefined> {
    const { ctx } = passage;
    const { runner } = this.#options;
    const origin: Origin = { origin: 'fault', name: spec.name ?? (group === '' ? undefined : group) };
    for (const [name, value] of Object.entries(spec.set ?? {})) {
      try {
        runner.set(passage, name, value, origin);
      } catch (error) {
        ctx.tracer.emit(ctx, { type: 'output', level: 'warning', category: 'debugger', message: `Fault ${origin.name ?? id}: ${messageOf(error)}` });
      }
    }
    return runner.apply(passage, spec, origin);
  }
}

/** The group of one-shot breakpoints that `runTo` sets. */
export const runToGroup = 'runTo';

/** Writes the line of a logpoint. */
export function writeLog(ctx: Context, breakpoint: number, message: string): void {
  ctx.tracer.emit(ctx, { type: 'output', level: 'info', category: 'logpoint', breakpoint, message });
}

/** Resolves when the stop is over, or the work that waits for that is to end. */
async function untilOver(stop: Stop, ctx: SpanContext): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const end = onAbort(ctx, aborted.resolve);
  await Promise.race([stop.over, aborted.promise]);
  end();
}

/** Turns that the work holds and others wait for. */
function slotsOf(ctx: SpanContext): readonly SharedSlot[] {
  const slots = new Set<SharedSlot>();
  if (ctx.slot) slots.add(ctx.slot);
  for (const { context } of framesOf(ctx.span)) if (context.slot) slots.add(context.slot);
  return [...slots];
}
