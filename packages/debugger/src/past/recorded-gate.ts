/**
 * The gate over recorded events: where breakpoints and exception filters would have stopped a thread. It weighs what the gate of a node
 * weighs, with the same code, over what was recorded: attributes of spans, results, pods. What the engine only shows while it runs
 * (`podActions`) is not there, and a condition that names it can't be judged.
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
import { BreakpointList } from '../breakpoints.ts';
import { ExceptionFilters } from '../exception-filters.ts';
import type { Scope } from '../expression/expression.ts';
import { breakpointsMet, breakpointsMetByDecision } from '../matching.ts';
import type { Passage } from '../passage.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { scopeOf, scopeOfDecision } from '../variables-in-scope.ts';
import { pointOf } from './recorded-catalog.ts';
import { RecordedPods } from './recorded-pods.ts';

export interface RecordedGateOptions {
  readonly catalog: PointCatalog;
  readonly breakpoints: readonly Pick<BreakpointState, 'id' | 'group' | 'spec'>[];
  readonly filters?: readonly ExceptionFilterSpec[];
  /** v1.Pod objects as they were before the first event, where the recording does not begin with the run. */
  readonly pods?: readonly Attributes[];
}

/** What a thread would have stopped by. */
export interface RecordedStop {
  /** Ids of the breakpoints that were met. */
  readonly breakpoints: readonly number[];
  /** The exception filter that was met. */
  readonly filter: ExceptionFilter | undefined;
}

/** A place at which a thread can stand, and whether it would have stopped there. */
export interface RecordedBoundary extends StepBoundary {
  readonly time: number;
  /** The innermost open span. */
  readonly at: Span;
  /** How it came out; only after it. */
  readonly ended: TraceEventOf<'spanEnded'> | undefined;
  readonly stop: RecordedStop | undefined;
}

/** A breakpoint whose condition asks for what is not recorded. */
export interface UnjudgedBreakpoint {
  readonly breakpoint: number;
  readonly message: string;
}

type SpanEvent = TraceEventOf<'spanStarted'> | TraceEventOf<'spanEnded'>;

/** An error as the log tells it. */
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

/** Stands still at the event that is looked at. */
class RecordedClock implements Clock {
  time = instant(0);

  now(): Instant {
    return this.time;
  }

  schedule(): never {
    throw new Error('nothing happens any more in a recording');
  }
}

/** Takes a recording's events in order. */
export class RecordedGate {
  readonly #breakpoints: BreakpointList;
  readonly #filters: ExceptionFilters;
  readonly #pods: RecordedPods;
  readonly #clock = new RecordedClock();
  /** Open spans by number. */
  readonly #spans = new Map<number, Span>();
  /** What a rule was met with: a thread stops at its next gate. */
  readonly #pending = new Map<string, RecordedStop>();

  /** @throws DebuggerError Invalid for a filter's condition that is not CEL */
  constructor({ catalog, breakpoints, filters = [], pods }: RecordedGateOptions) {
    this.#pods = new RecordedPods(pods);
    this.#breakpoints = new BreakpointList(catalog);
    this.#breakpoints.restore(breakpoints);
    this.#filters = new ExceptionFilters((uid) => this.#pods.known(uid));
    this.#filters.set(filters);
  }

  /** @returns the place at which a thread stands with this event, if it is one */
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

  /** Breakpoints whose conditions could not be judged where they were weighed last. */
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
    if (!around && pod !== undefined) span.expose({ pod: () => this.#pods.object(pod), apiStatus: () => this.#pods.status(pod) });
    return this.#pass(event, span, 'before', undefined);
  }

  #ended(event: TraceEventOf<'spanEnded'>): RecordedBoundary | undefined {
    const span = this.#spans.get(event.span);
    // The recording begins inside it: its place is not known.
    if (!span) return undefined;
    if (event.attributes) span.set(event.attributes);
    const { outcome, error = { reason: '', message: '' } } = event;
    const result: SpanResult = outcome === 'ok' ? { outcome, value: event.attributes?.['response'] } : { outcome, error: new RecordedError(error) };
    this.#spans.delete(event.span);
    return this.#pass(event, span, 'after', result);
  }

  #pass(event: SpanEvent, at: Span, phase: 'before' | 'after', result: SpanResult | undefined): RecordedBoundary {
    const { seq, thread, time } = event;
    const ended = event.type === 'spanEnded' ? event : undefined;
    return { seq, thread, time, span: at.id, point: at.point.id, phase, at, ended, stop: this.#stop(thread, at, phase, result) };
  }

  #stop(thread: string, span: Span, phase: 'before' | 'after', result: SpanResult | undefined): RecordedStop | undefined {
    const ctx: SpanContext = { ...span.context, span };
    const passage: Passage = { ctx, span, phase, result };
    let known: Scope | undefined;
    const scope = (): Scope => (known ??= scopeOf(ctx, span, passage));
    const met = [...breakpointsMet(this.#breakpoints, passage, scope, (uid) => this.#pods.known(uid))].filter(({ effect }) => effect === 'stop');
    const hit = phase === 'after' && !this.#filters.idle ? this.#filters.atEnd(passage, scope) : undefined;
    const pending = this.#pending.get(thread);
    this.#pending.delete(thread);
    const breakpoints = [...(pending?.breakpoints ?? []), ...met.map(({ id }) => id)];
    const filter = hit?.filter ?? pending?.filter;
    return breakpoints.length === 0 && filter === undefined ? undefined : { breakpoints, filter };
  }

  #decided({ thread, pod, span: number, rule, facts, outcome }: TraceEventOf<'decision'>): void {
    const ctx = this.#context(thread, pod, number === undefined ? undefined : this.#spans.get(number));
    const decision = { rule, facts, outcome };
    const scope = (): Scope => scopeOfDecision(ctx, decision);
    const met = [...breakpointsMetByDecision(this.#breakpoints, ctx, decision, scope, (uid) => this.#pods.known(uid))].filter(
      ({ effect }) => effect === 'stop',
    );
    const filter = this.#filters.idle ? undefined : this.#filters.atDecision(ctx, decision, scope)?.filter;
    if (met.length === 0 && filter === undefined) return;
    // The first rule is what the thread stops by.
    if (!this.#pending.has(thread)) this.#pending.set(thread, { breakpoints: met.map(({ id }) => id), filter });
  }

  #context(thread: string, pod: string | undefined, span: Span | undefined): Context {
    return { clock: this.#clock, tracer, signal: never, thread, pod: pod === undefined ? undefined : this.#pods.reference(pod), span };
  }
}

/** What threads would have stopped by in a whole recording, by the number of the event. */
export function recordedStops(events: Iterable<TraceEvent>, gate: RecordedGate): ReadonlyMap<number, RecordedStop> {
  const stops = new Map<number, RecordedStop>();
  for (const event of events) {
    const boundary = gate.take(event);
    if (boundary?.stop) stops.set(boundary.seq, boundary.stop);
  }
  return stops;
}
