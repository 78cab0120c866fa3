/** Decides at each span boundary whether the thread stops, why, and with which result it continues. */
import { errorMessage } from '@podscope/base';
import {
  type Context,
  type Instant,
  type Point,
  type SharedSlot,
  type SpanContext,
  type SpanResult,
} from '@podscope/trace';
import type { Breakpoint, BreakpointList } from '../breakpoints/breakpoints.ts';
import type { ExceptionFilters } from '../breakpoints/exception-filters.ts';
import { breakpointsMet } from '../breakpoints/matching.ts';
import type { PodLookup } from '../breakpoints/target.ts';
import { ProbeMissedError, SyncRestartedError } from '../errors.ts';
import type { Scope } from '../expression/expression.ts';
import type { Fault, FaultList } from '../faults/fault-list.ts';
import { type FaultRunner, isEnding, type Origin, onAbort } from '../faults/fault-runner.ts';
import { scopeOf } from '../inspect/variables-in-scope.ts';
import type { Interventions } from './interventions.ts';
import { framesOf, rootOf, type SpanBoundary } from './span-boundary.ts';
import { endsStep } from './stepping.ts';
import { type Resume, type StopCause, type Thread, ThreadStop, type Threads } from './threads.ts';

export interface BreakControllerOptions {
  readonly breakpoints: BreakpointList;
  readonly filters: ExceptionFilters;
  readonly faults: FaultList;
  readonly threads: Threads;
  readonly runner: FaultRunner;
  readonly interventions: Interventions;
  readonly pods: PodLookup;
  readonly now: () => Instant;
  readonly probes: () => 'missed' | 'held' | 'made';
  /** Returns false while no connected client could continue a stopped thread. */
  readonly mayStop: () => boolean;
  /** Formats a value as one line of text, with secrets masked. */
  readonly format: (value: unknown) => string;
  /** Called when a thread stops. */
  readonly stopped: (stop: ThreadStop) => void;
  /** Called when the thread continues. */
  readonly resumed: (stop: ThreadStop) => void;
  /** Called when a one-shot breakpoint was hit, to remove it. */
  readonly used: (breakpoint: Breakpoint) => void;
  /** Called when a client ended the sync of a thread, to start another sync. */
  readonly restarted: (thread: string) => void;
}

/** Stops threads at span boundaries. Emits `stopped` before the thread waits, so no client misses a stop. */
export class BreakController {
  readonly #options: BreakControllerOptions;
  #lastStop = 0;

  constructor(options: BreakControllerOptions) {
    this.#options = options;
  }

  /**
   * Handles a span boundary. Returns undefined instead of a promise if no breakpoint, fault or request applies here.
   */
  pass(boundary: SpanBoundary): Promise<SpanResult | undefined> | undefined {
    return this.#concerns(boundary) ? this.#pass(boundary) : undefined;
  }

  /** Returns true if a breakpoint, a fault or a stepping thread may apply to a message at this point. */
  watches(ctx: Context, point: Point): boolean {
    const { breakpoints, faults, threads } = this.#options;
    if (threads.get(ctx.thread)) return true;
    return (['before', 'after'] as const).some(
      (phase) => breakpoints.at(point, phase).length > 0 || faults.mayApply(point, phase),
    );
  }

  /** A fast check before the exact one: returns false only if nothing can apply at this boundary. */
  #concerns({ ctx, span, phase, result }: SpanBoundary): boolean {
    const { breakpoints, filters, faults, threads } = this.#options;
    if (threads.size > 0) {
      if (threads.get(ctx.thread)) return true;
      if (span.point.kind === 'probe' && phase === 'before' && threads.stoppedCount > 0) return true;
    }
    if (breakpoints.at(span.point, phase).length > 0 || faults.mayApply(span.point, phase)) return true;
    return phase === 'after' && !filters.idle && (result?.outcome === 'error' || span.attributes !== undefined);
  }

  async #pass(boundary: SpanBoundary): Promise<SpanResult | undefined> {
    const { threads, faults, runner, probes } = this.#options;
    const { ctx, span, phase } = boundary;
    if (phase === 'before' && span.point.kind === 'probe' && probes() !== 'made') await this.#probe(boundary);
    // No code may await between the last check of this loop and the stop below: another branch of the thread would stop
    // as well.
    for (let held = this.#heldBy(ctx); held; held = this.#heldBy(ctx)) await held;
    this.#unwind(boundary);
    let scope: Scope | undefined;
    const lazily = (): Scope => (scope ??= scopeOf(ctx, span, boundary));
    const cause = this.#cause(boundary, lazily);
    if (cause) {
      const resume = await this.#stop(boundary, cause);
      if (resume.how === 'restart') return this.#restart(boundary);
      if (resume.how === 'canceled' && phase === 'before') ctx.signal.throwIfAborted();
      if (resume.how === 'intervention') {
        const result = await runner.apply(boundary, resume.action, { origin: 'stop' });
        if (result) return result;
      }
    }
    for (const fault of faults.take(ctx, span, phase, lazily)) {
      const result = await this.#apply(boundary, fault);
      if (result) return result;
    }
    const thread = threads.get(ctx.thread);
    if (thread) threads.settle(thread);
    return undefined;
  }

  /**
   * Returns a promise that resolves when the thread's current stop is over, or undefined if the thread isn't stopped. A
   * thread stops as a whole: its other branches wait at their next span boundary, and breakpoints there are evaluated
   * after the thread continues.
   */
  #heldBy(ctx: SpanContext): Promise<void> | undefined {
    const stop = this.#options.threads.get(ctx.thread)?.stop;
    return stop && !isEnding(ctx) ? untilOver(ctx, stop) : undefined;
  }

  /**
   * Ends a sync that the user restarts, by throwing at each further span. At the end of the root span, it requests the
   * next sync.
   */
  #unwind({ ctx, span, phase }: SpanBoundary): void {
    const { threads, restarted } = this.#options;
    const thread = threads.get(ctx.thread);
    if (!thread?.unwinding) return;
    if (thread.unwinding === span && phase === 'after') {
      thread.unwinding = undefined;
      thread.restarting = true;
      restarted(thread.id);
    } else if (phase === 'before' && rootOf(span) === thread.unwinding) throw new SyncRestartedError();
  }

  /** Ends the sync, from this boundary up to its root span. */
  #restart({ ctx, span, phase }: SpanBoundary): SpanResult | undefined {
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

  /** Skips or holds a probe while the worker of its pod is stopped. */
  async #probe({ ctx, span }: SpanBoundary): Promise<void> {
    const { threads, probes, interventions } = this.#options;
    const worker = ctx.pod && threads.get(ctx.pod.uid);
    if (!worker?.stop) return;
    if (probes() === 'missed') {
      interventions.emit(ctx, span, {
        action: 'missProbe',
        origin: 'stop',
        text: `${span.point.title} is missed: the pod is stopped`,
      });
      throw new ProbeMissedError();
    }
    await untilOver(ctx, worker.stop);
    ctx.signal.throwIfAborted();
  }

  /** Returns why the thread stops here, or undefined. Counts hits and emits the messages of logpoints. */
  #cause(boundary: SpanBoundary, scope: () => Scope): StopCause | undefined {
    const { threads, filters, mayStop } = this.#options;
    const { ctx, span, phase } = boundary;
    const thread = threads.get(ctx.thread);
    if (thread?.unwinding) return undefined;
    const may = mayStop() && !isEnding(ctx);
    const hit = this.#hits(boundary, scope, may);
    const filter = phase === 'after' && !filters.idle ? filters.atEnd(boundary, scope) : undefined;
    if (!may) return undefined;
    const where = `${phase} ${span.point.title}`;
    const breakpoints = hit.map(({ id }) => id);
    if (thread?.pending) return { ...thread.pending, breakpoints: [...thread.pending.breakpoints, ...breakpoints] };
    if (hit.length > 0) {
      const isGoto = hit.every(({ group }) => group === runToGroup);
      return {
        reason: isGoto ? 'goto' : 'breakpoint',
        text: isGoto ? `Run to here: ${where}` : `Breakpoint ${breakpoints.join(', ')}: ${where}`,
        breakpoints,
      };
    }
    if (filter)
      return { reason: 'exception', text: `${filter.text} (${where})`, breakpoints: [], filter: filter.filter };
    if (thread?.restarting && phase === 'before' && !span.parent)
      return { reason: 'restart', text: `Restarted: ${where}`, breakpoints: [] };
    if (thread?.pausing) return { reason: 'pause', text: `Paused ${where}`, breakpoints: [] };
    if (thread?.step && endsStep(thread.step, boundary))
      return { reason: 'step', text: `Step: ${where}`, breakpoints: [] };
    return undefined;
  }

  /**
   * Returns the breakpoints that are hit here. A one-shot breakpoint is removed only if the thread can stop (`may`) or
   * if the breakpoint is a logpoint.
   */
  #hits(boundary: SpanBoundary, scope: () => Scope, may: boolean): readonly Breakpoint[] {
    const { breakpoints, pods, format, used } = this.#options;
    const { ctx } = boundary;
    const hit: Breakpoint[] = [];
    for (const breakpoint of breakpointsMet(breakpoints, boundary, scope, pods)) {
      const { spec, effect } = breakpoint;
      if (effect === 'stop') hit.push(breakpoint);
      else writeLog(ctx, breakpoint.id, effect.render(scope(), format));
      if (spec.oneShot && (may || effect !== 'stop')) used(breakpoint);
    }
    return hit;
  }

  async #stop(boundary: SpanBoundary, cause: StopCause): Promise<Resume> {
    const { threads, now, stopped, resumed } = this.#options;
    const { ctx, span, phase } = boundary;
    const thread: Thread = threads.open(ctx.thread);
    const stop = new ThreadStop(++this.#lastStop, boundary, cause, now(), thread.pending?.decision);
    Object.assign(thread, { pausing: false, step: undefined, pending: undefined, restarting: false });
    threads.begin(thread, stop);
    const end = onAbort(ctx, () => stop.end({ how: 'canceled' }));
    const { reason, text, breakpoints } = cause;
    ctx.tracer.emit(ctx, {
      type: 'stopped',
      reason,
      point: span.point.id,
      phase,
      text,
      breakpoints: [...breakpoints],
      stop: stop.number,
    });
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

  /** Applies a fault. If it can't be applied, emits a warning, and the affected step continues. */
  #apply(boundary: SpanBoundary, { id, spec, group, until }: Fault): Promise<SpanResult | undefined> {
    const { ctx } = boundary;
    const { runner } = this.#options;
    const origin: Origin = { origin: 'fault', name: spec.name ?? (group === '' ? undefined : group) };
    for (const [name, value] of Object.entries(spec.set ?? {})) {
      try {
        runner.set(boundary, name, value, origin);
      } catch (error) {
        ctx.tracer.emit(ctx, {
          type: 'output',
          level: 'warning',
          category: 'debugger',
          message: `Fault ${origin.name ?? id}: ${errorMessage(error)}`,
        });
      }
    }
    return runner.apply(boundary, spec, origin, until);
  }
}

/** The group of the one-shot breakpoints that `runTo` sets. */
export const runToGroup = 'runTo';

/** Emits the message of a logpoint. */
export function writeLog(ctx: Context, breakpoint: number, message: string): void {
  ctx.tracer.emit(ctx, { type: 'output', level: 'info', category: 'logpoint', breakpoint, message });
}

/** Resolves when the stop ends or `ctx` is aborted. */
async function untilOver(ctx: SpanContext, stop: ThreadStop): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const end = onAbort(ctx, aborted.resolve);
  await Promise.race([stop.over, aborted.promise]);
  end();
}

/** Returns the shared slots that the work occupies. They are released during a stop, so that other work continues. */
function slotsOf(ctx: SpanContext): readonly SharedSlot[] {
  const slots = new Set<SharedSlot>();
  if (ctx.slot) slots.add(ctx.slot);
  for (const { context } of framesOf(ctx.span)) if (context.slot) slots.add(context.slot);
  return [...slots];
}
