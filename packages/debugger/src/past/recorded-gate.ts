/**
 * Finds where breakpoints and exception filters would have stopped a thread in recorded events. It runs the code of the
 * live gate on the recorded span attributes, results and pods. Values that exist only at run time (`podActions`) aren't
 * recorded, so a condition that uses them can't be evaluated.
 */
import type { BreakpointState, ExceptionFilter, ExceptionFilterSpec } from '@podscope/protocol';
import {
  type Attributes,
  type Clock,
  type Context,
  type Instant,
  instant,
  Span,
  type SpanContext,
  type SpanResult,
  type StepBoundary,
  type TraceEvent,
  type TraceEventOf,
  Tracer,
} from '@podscope/trace';
import { BreakpointList } from '../breakpoints/breakpoints.ts';
import { ExceptionFilters } from '../breakpoints/exception-filters.ts';
import { breakpointsMet, breakpointsMetByDecision } from '../breakpoints/matching.ts';
import type { Scope } from '../expression/expression.ts';
import type { SpanBoundary } from '../gate/span-boundary.ts';
import { scopeOf, scopeOfDecision } from '../inspect/variables-in-scope.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { pointOf } from './recorded-catalog.ts';
import { RecordedPods } from './recorded-pods.ts';

export interface RecordedGateOptions {
  readonly catalog: PointCatalog;
  readonly breakpoints: readonly Pick<BreakpointState, 'id' | 'group' | 'spec'>[];
  readonly filters?: readonly ExceptionFilterSpec[];
  /** The v1.Pod objects as of the first event, if the recording doesn't start at the beginning of the run. */
  readonly pods?: readonly Attributes[];
}

/** The breakpoints that would have stopped a thread, or the filter. */
export interface RecordedStop {
  /** Ids of the breakpoints that were hit. */
  readonly breakpoints: readonly number[];
  /** The exception filter that matched. */
  readonly filter: ExceptionFilter | undefined;
}

/** A boundary at which a thread can stop, with the stop if a breakpoint or filter would have caused one. */
export interface RecordedBoundary extends StepBoundary {
  readonly time: number;
  /** The innermost span that is open at the boundary. */
  readonly at: Span;
  /** The event that ended the span; undefined at a boundary before the span. */
  readonly ended: TraceEventOf<'spanEnded'> | undefined;
  readonly stop: RecordedStop | undefined;
}

/** A breakpoint that can't be evaluated, because its condition uses values that aren't recorded. */
export interface UnjudgedBreakpoint {
  readonly breakpoint: number;
  readonly message: string;
}

type SpanEvent = TraceEventOf<'spanStarted'> | TraceEventOf<'spanEnded'>;

/** An error that is restored from the log. */
class RecordedError extends Error {
  override readonly name = 'RecordedError';
  readonly reason: string;

  constructor({ reason, message }: { readonly reason: string; readonly message: string }) {
    super(message);
    this.reason = reason;
  }
}

const never = new AbortController().signal;
const tracer = new Tracer();

/** A clock that shows the time of the current event. */
class RecordedClock implements Clock {
  time = instant(0);

  now(): Instant {
    return this.time;
  }

  schedule(): never {
    throw new Error('a recording runs no timers');
  }
}

/** Evaluates the events of a recording in order. */
export class RecordedGate {
  readonly #breakpoints: BreakpointList;
  readonly #filters: ExceptionFilters;
  readonly #pods: RecordedPods;
  readonly #clock = new RecordedClock();
  /** Open spans by id. */
  readonly #spans = new Map<number, Span>();
  /** Stops that rules caused, by thread. Each stop takes place at the next span boundary of its thread. */
  readonly #pending = new Map<string, RecordedStop>();

  /** @throws DebuggerError Invalid for a filter's condition that is not CEL */
  constructor({ catalog, breakpoints, filters = [], pods }: RecordedGateOptions) {
    this.#pods = new RecordedPods(pods);
    this.#breakpoints = new BreakpointList(catalog);
    this.#breakpoints.restore(breakpoints);
    this.#filters = new ExceptionFilters((uid) => this.#pods.known(uid));
    this.#filters.set(filters);
  }

  /** Applies an event. Returns the boundary that the event represents, or undefined. */
  take(event: TraceEvent): RecordedBoundary | undefined {
    this.#pods.learn(event);
    this.#clock.time = instant(event.time);
    switch (event.type) {
      case 'spanStarted':
        return this.#started(event);
      case 'spanEnded':
        return this.#ended(event);
      case 'decision':
        this.#decided(event);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Returns the breakpoints whose condition could not be evaluated at the latest boundary they matched. */
  unjudged(): readonly UnjudgedBreakpoint[] {
    return this.#breakpoints.all.flatMap((breakpoint) => {
      const { problem, id } = breakpoint;
      return problem === undefined ? [] : [{ breakpoint: id, message: problem }];
    });
  }

  #started(event: TraceEventOf<'spanStarted'>): RecordedBoundary {
    const { thread, pod, parent } = event;
    const around = parent === undefined ? undefined : this.#spans.get(parent);
    const span = new Span(event.span, pointOf(event), this.#context(thread, pod, around), event.attributes);
    this.#spans.set(event.span, span);
    if (!around && pod !== undefined)
      span.expose({ pod: () => this.#pods.object(pod), apiStatus: () => this.#pods.status(pod) });
    return this.#pass(event, span, 'before', undefined);
  }

  #ended(event: TraceEventOf<'spanEnded'>): RecordedBoundary | undefined {
    const span = this.#spans.get(event.span);
    // The span started before the recording, so its place is unknown.
    if (!span) return undefined;
    if (event.attributes) span.set(event.attributes);
    const { outcome, error = { reason: '', message: '' } } = event;
    const result: SpanResult =
      outcome === 'ok'
        ? { outcome, value: event.attributes?.['response'] }
        : { outcome, error: new RecordedError(error) };
    this.#spans.delete(event.span);
    return this.#pass(event, span, 'after', result);
  }

  #pass(event: SpanEvent, at: Span, phase: 'before' | 'after', result: SpanResult | undefined): RecordedBoundary {
    const { seq, thread, time } = event;
    const ended = event.type === 'spanEnded' ? event : undefined;
    return {
      seq,
      thread,
      time,
      span: at.id,
      point: at.point.id,
      phase,
      at,
      ended,
      stop: this.#stop(thread, at, phase, result),
    };
  }

  #stop(
    thread: string,
    span: Span,
    phase: 'before' | 'after',
    result: SpanResult | undefined,
  ): RecordedStop | undefined {
    const ctx: SpanContext = { ...span.context, span };
    const boundary: SpanBoundary = { ctx, span, phase, result };
    let known: Scope | undefined;
    const scope = (): Scope => (known ??= scopeOf(ctx, span, boundary));
    const met = [...breakpointsMet(this.#breakpoints, boundary, scope, (uid) => this.#pods.known(uid))].filter(
      ({ effect }) => effect === 'stop',
    );
    const hit = phase === 'after' && !this.#filters.idle ? this.#filters.atEnd(boundary, scope) : undefined;
    const pending = this.#pending.get(thread);
    this.#pending.delete(thread);
    const breakpoints = [...(pending?.breakpoints ?? []), ...met.map(({ id }) => id)];
    const filter = hit?.filter ?? pending?.filter;
    return breakpoints.length === 0 && filter === undefined ? undefined : { breakpoints, filter };
  }

  #decided({ thread, pod, span: number, rule, facts, outcome, decisive }: TraceEventOf<'decision'>): void {
    const ctx = this.#context(thread, pod, number === undefined ? undefined : this.#spans.get(number));
    const decision = { rule, facts, outcome, decisive };
    const scope = (): Scope => scopeOfDecision(ctx, decision);
    const met = [
      ...breakpointsMetByDecision(ctx, this.#breakpoints, decision, scope, (uid) => this.#pods.known(uid)),
    ].filter(({ effect }) => effect === 'stop');
    const filter = this.#filters.idle ? undefined : this.#filters.atDecision(ctx, decision, scope)?.filter;
    if (met.length === 0 && filter === undefined) return;
    // If several rules match before the next span boundary, the first one causes the stop.
    if (!this.#pending.has(thread)) this.#pending.set(thread, { breakpoints: met.map(({ id }) => id), filter });
  }

  #context(thread: string, pod: string | undefined, span: Span | undefined): Context {
    return {
      clock: this.#clock,
      tracer,
      signal: never,
      thread,
      pod: pod === undefined ? undefined : this.#pods.reference(pod),
      span,
    };
  }
}

/** Returns all stops of a recording, by event number. */
export function recordedStops(events: Iterable<TraceEvent>, gate: RecordedGate): ReadonlyMap<number, RecordedStop> {
  const stops = new Map<number, RecordedStop>();
  for (const event of events) {
    const boundary = gate.take(event);
    if (boundary?.stop) stops.set(boundary.seq, boundary.stop);
  }
  return stops;
}
