/** Replays a recorded conversation through an observer, in the order in which it happened. */
import type { TraceEvent, UnstampedEvent } from '@podscope/trace';
import { type ObservationSink } from '../event-writer.ts';
import { Observer, type ObserverOptions } from '../observer.ts';
import type { SavedState } from '../shadow/saved-memories.ts';
import type { SyncReport } from '../sync-judge.ts';
import type { Recording } from './recording.ts';

/**
 * Collects events and sorts them by time. The observer appends events out of order, but a log has to be in order. A
 * span that began before its parent's first event follows that event, with its own time in the field `at`.
 */
export class SortingSink implements ObservationSink {
  readonly #events: { readonly time: number; readonly event: UnstampedEvent }[] = [];
  readonly #starts = new Map<number, number>();

  append(time: number, event: UnstampedEvent): void {
    const isStart = event.type === 'spanStarted';
    const logged = Math.max(time, this.#starts.get((isStart ? event.parent : event.span) ?? 0) ?? time);
    if (isStart) this.#starts.set(event.span, logged);
    this.#events.push({ time: logged, event: logged === time ? event : { ...event, at: time } });
  }

  /** Returns the events, numbered from 1. */
  sorted(): readonly TraceEvent[] {
    return this.#events
      .toSorted((a, b) => a.time - b.time)
      .map(({ time, event }, index) => ({ ...event, seq: index + 1, time }));
  }
}

export interface Replayed {
  readonly events: readonly TraceEvent[];
  readonly syncs: readonly SyncReport[];
  readonly observer: Observer;
  /** The observer's memory after the last step, before it judged the syncs that were still due. */
  readonly state: SavedState;
}

interface Step {
  readonly at: number;
  readonly apply: (observer: Observer) => void;
}

/** How much of a kubelet's tracing to use: its spans, only the trace ids in the metadata of its calls, or nothing. */
export const tracings = ['spans', 'traceIds', 'none'] as const;
export type Tracing = (typeof tracings)[number];

/** The sources of a recording to use. */
export interface ReplayOptions {
  /** Default: `spans`. */
  readonly tracing?: Tracing;
  readonly pods?: boolean;
  /** Changes the profile. Tests use it to break a rule. */
  readonly alter?: ObserverOptions['alter'];
  /** Continues the observation of an earlier process. */
  readonly earlier?: ObserverOptions['earlier'];
  /** Called with each call that ended. */
  readonly onCall?: ObserverOptions['onCall'];
}

function stepsOf(
  { calls, messages = [], pods, spans, probeCounts = [] }: Recording,
  options: ReplayOptions,
): readonly Step[] {
  const { tracing = 'spans' } = options;
  const steps: Step[] = [];
  for (const { result, ...call } of calls) {
    const metadata = tracing === 'none' ? {} : call.metadata;
    steps.push({ at: call.t, apply: (observer) => observer.callStarted({ ...call, metadata }) });
    if (result) steps.push({ at: result.end, apply: (observer) => observer.callEnded(call.number, result) });
  }
  for (const { call, t, message } of messages)
    steps.push({ at: t, apply: (observer) => observer.callMessage(call, t, message) });
  if (tracing === 'spans')
    for (const span of spans) steps.push({ at: span.end, apply: (observer) => observer.span(span) });
  if (options.pods ?? true)
    for (const snapshot of pods) steps.push({ at: snapshot.t, apply: (observer) => observer.pods(snapshot) });
  for (const { t, counts } of probeCounts) steps.push({ at: t, apply: (observer) => observer.probeCounts(t, counts) });
  return steps.toSorted((a, b) => a.at - b.at);
}

/** Replays a recording and returns its events and syncs. */
export async function replay(recording: Recording, options: ReplayOptions = {}): Promise<Replayed> {
  const sink = new SortingSink();
  const syncs: SyncReport[] = [];
  const observer = new Observer({
    sink,
    facts: recording.facts,
    alter: options.alter,
    earlier: options.earlier,
    onSync: (report) => syncs.push(report),
    ...(options.onCall ? { onCall: options.onCall } : {}),
  });
  let last = recording.startedAt;
  for (const { at, apply } of stepsOf(recording, options)) {
    apply(observer);
    // Settle after every step, because later steps must not change the state that a sync is still reading.
    await observer.settled();
    last = at;
  }
  const state = observer.state();
  await observer.finish(last);
  return { events: sink.sorted(), syncs, observer, state };
}
