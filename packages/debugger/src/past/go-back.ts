/** `stepBack` and `reverseContinue` as commands: over the events of a run as they are read, and with the place they lead to described. */
import type { PastPlace } from '@podscope/protocol';
import { type StepGranularity, stepBack, type TraceEvent } from '@podscope/trace';
import { framesOf } from '../passage.ts';
import type { PointCatalog } from '../point-catalog.ts';
import type { RecordedBoundary, RecordedGate } from './recorded-gate.ts';

/** A run's events in order, in pieces of any size. */
export type EventPages = Iterable<readonly TraceEvent[]> | AsyncIterable<readonly TraceEvent[]>;

/** What a run's reader says of where it was led to. */
type Landing = Omit<PastPlace, 'run'>;

export interface StepBackRequest {
  readonly thread: string;
  /** Number of the event that is stood at; absent: after the last one. */
  readonly at?: number | undefined;
  readonly granularity?: StepGranularity | undefined;
}

/** One step back on a thread. @returns undefined at the beginning */
export async function stepBackIn(
  pages: EventPages,
  { thread, at, granularity }: StepBackRequest,
  gate: RecordedGate,
  catalog: PointCatalog,
): Promise<Landing | undefined> {
  const own: TraceEvent[] = [];
  const boundaries = new Map<number, RecordedBoundary>();
  let last = 0;
  read: for await (const page of pages) {
    for (const event of page) {
      // What stands at the place itself says where that is.
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
  /** Absent: any. */
  readonly thread?: string | undefined;
  readonly at?: number | undefined;
}

/** To the last stop before, else to the beginning of the recording. @returns undefined at the beginning */
export async function reverseContinueIn(
  pages: EventPages,
  { thread, at }: ReverseContinueRequest,
  gate: RecordedGate,
  catalog: PointCatalog,
): Promise<Landing | undefined> {
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
  const landing = lastStop ?? first;
  return landing && { ...describe(landing, catalog), hit: lastStop !== undefined, unjudged: [...gate.unjudged()] };
}

function describe({ seq, time, thread, phase, at, ended, stop }: RecordedBoundary, catalog: PointCatalog): Landing {
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
