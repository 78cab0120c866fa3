/**
 * Steps back through recorded events: to the beginning of the last step, or to the last breakpoint. A boundary is a
 * place where the gate could have stopped the thread: before a span (after its start event) or after it (at its end
 * event).
 */
import type { TraceEvent, TraceEventOf } from '../events/event.ts';

/** A place where a thread can stop. */
export interface StepBoundary {
  /** Number of the event. The page shows the state after this event. */
  readonly seq: number;
  readonly thread: string;
  readonly span: number;
  readonly point: string;
  readonly phase: 'before' | 'after';
}

/** The input of a breakpoint's condition: the span's start and, for phase `after`, its end. */
export interface BoundaryContext {
  readonly boundary: StepBoundary;
  readonly started: TraceEventOf<'spanStarted'>;
  readonly ended: TraceEventOf<'spanEnded'> | undefined;
}

export type BreakpointPredicate = (context: BoundaryContext) => boolean;

/** Where a step goes: into the spans inside, over them, or out to the parent. */
export type StepGranularity = 'into' | 'over' | 'out';

type SpanEvent = TraceEventOf<'spanStarted'> | TraceEventOf<'spanEnded'>;

const isSpanEvent = (event: TraceEvent | undefined): event is SpanEvent =>
  event?.type === 'spanStarted' || event?.type === 'spanEnded';

/**
 * Returns the index of the first event whose number is `position` or greater. The list may contain the events of one
 * thread only, so numbers may be missing.
 */
function indexOf(events: readonly TraceEvent[], position: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.seq ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the start of a span by searching backwards from an index. */
class Starts {
  readonly #events: readonly TraceEvent[];
  readonly #known = new Map<number, TraceEventOf<'spanStarted'>>();
  #scanned: number;

  constructor(events: readonly TraceEvent[], from: number) {
    this.#events = events;
    this.#scanned = from;
  }

  of(span: number): TraceEventOf<'spanStarted'> | undefined {
    for (let found = this.#known.get(span); ; found = this.#known.get(span)) {
      if (found || this.#scanned === 0) return found;
      const event = this.#events[--this.#scanned];
      if (event?.type === 'spanStarted') this.#known.set(event.span, event);
    }
  }
}

function contextOf(event: SpanEvent, starts: Starts): BoundaryContext | undefined {
  const started = event.type === 'spanStarted' ? event : starts.of(event.span);
  // The recording begins inside this span, so its point is unknown.
  if (!started) return undefined;
  const phase = event.type === 'spanStarted' ? 'before' : 'after';
  const boundary: StepBoundary = {
    seq: event.seq,
    thread: event.thread,
    span: event.span,
    point: started.point,
    phase,
  };
  return { boundary, started, ended: event.type === 'spanEnded' ? event : undefined };
}

/** Returns the spans that are open on a thread at a position, outermost first. */
export function openSpans(
  events: readonly TraceEvent[],
  position: number,
  thread: string,
): readonly TraceEventOf<'spanStarted'>[] {
  const ended = new Set<number>();
  const open: TraceEventOf<'spanStarted'>[] = [];
  for (let at = indexOf(events, position + 1) - 1; at >= 0; at--) {
    const event = events[at];
    if (event?.thread !== thread) continue;
    if (event.type === 'spanEnded') ended.add(event.span);
    else if (event.type === 'spanStarted' && !ended.has(event.span)) {
      open.push(event);
      if (event.parent === undefined) break;
    }
  }
  return open.toReversed();
}

/**
 * Returns the boundary before `position` on the thread, or undefined at the beginning. `over` skips whole calls: from
 * the end of a span, it goes to the start of that span; otherwise to the start of the preceding sibling or, without a
 * sibling, of the parent. `into` goes to the previous boundary. `out` goes to the start of the parent. DAP: stepBack.
 */
export function stepBack(
  events: readonly TraceEvent[],
  position: number,
  thread: string,
  granularity: StepGranularity = 'over',
): StepBoundary | undefined {
  const from = indexOf(events, position);
  const starts = new Starts(events, indexOf(events, position + 1));
  const here = events[from];
  const standing = isSpanEvent(here) && here.seq === position && here.thread === thread ? here : undefined;
  const around = standing ? standing.span : openSpans(events, position, thread).at(-1)?.span;
  const over = standing?.type === 'spanEnded' ? standing.span : undefined;
  const parent = around === undefined ? undefined : starts.of(around)?.parent;
  const enclosing = standing ? parent : around;
  for (let at = from - 1; at >= 0; at--) {
    const event = events[at];
    if (!isSpanEvent(event) || event.thread !== thread) continue;
    const context = contextOf(event, starts);
    if (!context) continue;
    if (granularity === 'into') return context.boundary;
    if (event.type === 'spanEnded') continue;
    const isAround = enclosing === undefined ? event.parent === undefined : event.span === enclosing;
    if (isAround || (granularity === 'over' && (event.span === over || event.parent === enclosing)))
      return context.boundary;
  }
  return undefined;
}

/**
 * Returns the last boundary before `position` for which `isHit` returns true. Without such a boundary, returns the
 * first boundary of the recording; undefined if no boundary is before `position`. Only boundaries of `thread` count, if
 * it is given. DAP: reverseContinue.
 */
export function reverseContinue(
  events: readonly TraceEvent[],
  position: number,
  isHit: BreakpointPredicate,
  thread?: string,
): (StepBoundary & { readonly hit: boolean }) | undefined {
  const from = indexOf(events, position);
  const starts = new Starts(events, from);
  let first: StepBoundary | undefined;
  for (let at = from - 1; at >= 0; at--) {
    const event = events[at];
    if (!isSpanEvent(event) || (thread !== undefined && event.thread !== thread)) continue;
    const context = contextOf(event, starts);
    if (!context) continue;
    first = context.boundary;
    if (isHit(context)) return { ...context.boundary, hit: true };
  }
  return first && { ...first, hit: false };
}
