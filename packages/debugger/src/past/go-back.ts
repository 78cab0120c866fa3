/** Implements `stepBack` and `reverseContinue` over the events of a run. */
import type { PastPlace } from '@podscope/protocol';
import { type StepGranularity, stepBack, type TraceEvent } from '@podscope/trace';
import { framesOf } from '../gate/span-boundary.ts';
import type { PointCatalog } from '../point-catalog.ts';
import type { RecordedBoundary, RecordedGate } from './recorded-gate.ts';

/** The events of a run in order, in pages of any size. */
export type EventPages = Iterable<readonly TraceEvent[]> | AsyncIterable<readonly TraceEvent[]>;

/** The place at which `stepBack` or `reverseContinue` ends. The caller adds the run. */
type Destination = Omit<PastPlace, 'run'>;

export interface StepBackRequest {
  readonly thread: string;
  /** Number of the current event. If undefined, the current position is the end of the run. */
  readonly at?: number | undefined;
  readonly granularity?: StepGranularity | undefined;
}

/** Steps back once on a thread. Returns undefined if the current position is the beginning. */
export async function stepBackIn(
  pages: EventPages,
  { thread, at, granularity }: StepBackRequest,
  gate: RecordedGate,
  catalog: PointCatalog,
): Promise<Destination | undefined> {
  const own: TraceEvent[] = [];
  const boundaries = new Map<number, RecordedBoundary>();
  let last = 0;
  read: for await (const page of pages) {
    for (const event of page) {
      // The event at the current position is included, because it describes that position.
      if (at !== undefined && event.seq > at) break read;
      last = event.seq;
      const boundary = gate.take(event);
      if (event.thread !== thread) continue;
      own.push(event);
      if (boundary) boundaries.set(boundary.seq, boundary);
    }
  }
  const found = stepBack(own, at ?? last + 1, thread, granularity);
  const boundary = found && boundaries.get(found.seq);
  return boundary && describe(boundary, catalog);
}

export interface ReverseContinueRequest {
  /** The thread to go back on; undefined for any thread. */
  readonly thread?: string | undefined;
  readonly at?: number | undefined;
}

/**
 * Goes back to the previous stop or, without an earlier stop, to the beginning of the recording. Returns undefined if
 * the current position is the beginning.
 */
export async function reverseContinueIn(
  pages: EventPages,
  { thread, at }: ReverseContinueRequest,
  gate: RecordedGate,
  catalog: PointCatalog,
): Promise<Destination | undefined> {
  let first: RecordedBoundary | undefined;
  let lastStop: RecordedBoundary | undefined;
  read: for await (const page of pages) {
    for (const event of page) {
      if (at !== undefined && event.seq >= at) break read;
      const boundary = gate.take(event);
      if (!boundary || (thread !== undefined && boundary.thread !== thread)) continue;
      first ??= boundary;
      if (boundary.stop) lastStop = boundary;
    }
  }
  const destination = lastStop ?? first;
  return (
    destination && { ...describe(destination, catalog), hit: lastStop !== undefined, unjudged: [...gate.unjudged()] }
  );
}

function describe({ seq, time, thread, phase, at, ended, stop }: RecordedBoundary, catalog: PointCatalog): Destination {
  const { pod } = at.context;
  return {
    seq,
    time,
    thread,
    pod: pod && { ...pod },
    phase,
    point: at.point.id,
    title: at.point.title,
    span: at.id,
    source: catalog.locate(at),
    frames: [...framesOf(at)].map((span) => {
      const { id: point, title, kind, step, upstream } = span.point;
      return { id: span.id, name: title, point, kind, step, upstream, source: catalog.locate(span) };
    }),
    arguments: at.values,
    ...(ended && { outcome: ended.outcome, error: ended.error, result: ended.attributes }),
    ...(stop && { breakpoints: [...stop.breakpoints], filter: stop.filter }),
  };
}
