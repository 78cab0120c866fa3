/**
 * Answers DAP requests about the past of a run (position, stack and variables of a thread) from its recorded events,
 * without a rerun.
 */

import { catalogOfRecording, RecordedGate, recordedStops } from '@podscope/debugger/past';
import type { BreakpointState, ExceptionFilterSpec } from '@podscope/protocol';
import {
  type Attributes,
  openSpans,
  reverseContinue,
  type StepBoundary,
  type StepGranularity,
  stepBack,
  type TraceEvent,
  type TraceEventOf,
} from '@podscope/trace';
import type { DebugProtocol } from '@vscode/debugprotocol';

/** First id of frames and variables of the past. The node's own ids stay far below it. */
const firstPastId = 1_000_000_000;
/** Maximum number of stored events, which is about the number that the node stores. */
const maxEvents = 300_000;
const maxText = 1_000;
const maxReferences = 50_000;

export const isPast = (id: number): boolean => id >= firstPastId;

type SpanStarted = TraceEventOf<'spanStarted'>;
/** Returns true if a breakpoint or filter would have stopped the thread at this event. */
type BreakpointTest = (seq: number) => boolean;

interface PastFrame {
  readonly started: SpanStarted;
  readonly at: number;
}

const isBoundary = (event: TraceEvent, thread: string): event is SpanStarted | TraceEventOf<'spanEnded'> =>
  event.thread === thread && (event.type === 'spanStarted' || event.type === 'spanEnded');

export class RecordedPast {
  #events: TraceEvent[] = [];
  #profile = 'v1.36';
  /** v1.Pod objects as they were before the first received event. */
  #pods: readonly Attributes[] = [];
  /** By UID, the latest object of each pod whose events have been dropped. */
  readonly #forgotten = new Map<string, Attributes>();
  /** By thread, the number of the event to which the thread stepped back. */
  readonly #positions = new Map<string, number>();
  readonly #frames = new Map<number, PastFrame>();
  readonly #values = new Map<number, object>();
  #lastId = firstPastId;

  append(events: readonly TraceEvent[]): void {
    this.#events.push(...events);
    if (this.#events.length <= maxEvents * 1.25) return;
    for (const event of this.#events.slice(0, -maxEvents)) {
      if (event.type === 'podChanged' && event.pod !== undefined) this.#forgotten.set(event.pod, event.object);
    }
    this.#events = this.#events.slice(-maxEvents);
  }

  /**
   * Starts recording a run.
   * @param profile the release to whose source files the lines refer
   * @param pods v1.Pod objects as of the first received event
   */
  begin(profile: string, pods: readonly Attributes[] = []): void {
    this.#profile = profile;
    this.#pods = pods;
    this.#forgotten.clear();
  }

  clear(): void {
    this.#events = [];
    this.#positions.clear();
  }

  /** Returns the number of the event at which a past frame was created. */
  instantOf(frame: number): number | undefined {
    return this.#frames.get(frame)?.at;
  }

  /** Returns the number of the event to which the thread stepped back; undefined if the thread is at the present. */
  position(thread: string): number | undefined {
    return this.#positions.get(thread);
  }

  /** Returns the thread to the present. */
  leave(thread: string): void {
    this.#positions.delete(thread);
  }

  /**
   * Returns the number of the event that represents a stop before a span. It is the start of that span, whose event
   * precedes the stop.
   */
  anchor(thread: string, stop: number): number {
    const first = this.#events[0]?.seq ?? 1;
    for (let at = Math.min(stop - first, this.#events.length - 1); at >= 0; at--) {
      const event = this.#events[at];
      if (event && isBoundary(event, thread)) return event.seq;
    }
    return stop;
  }

  /**
   * Steps back.
   * @param present number of the event at which the thread is stopped
   * @returns the new position; undefined at the beginning of the run
   */
  back(thread: string, present: number, granularity: StepGranularity): StepBoundary | undefined {
    return this.#stand(thread, stepBack(this.#events, this.#positions.get(thread) ?? present, thread, granularity));
  }

  /** Computes where the breakpoints and filters would have stopped a thread, as numbers of recorded events. */
  stops(breakpoints: readonly BreakpointState[], filters: readonly ExceptionFilterSpec[]) {
    const pods = [...this.#pods, ...this.#forgotten.values()];
    const gate = new RecordedGate({
      catalog: catalogOfRecording(this.#events, this.#profile),
      breakpoints,
      filters,
      pods,
    });
    return { stops: recordedStops(this.#events, gate), unjudged: gate.unjudged() };
  }

  /** Moves back to the previous breakpoint hit, and without one to the beginning of the run. */
  reverse(
    thread: string,
    present: number,
    isHit: BreakpointTest,
  ): (StepBoundary & { readonly hit: boolean }) | undefined {
    const found = reverseContinue(
      this.#events,
      this.#positions.get(thread) ?? present,
      ({ boundary: { seq } }) => isHit(seq),
      thread,
    );
    this.#stand(thread, found);
    return found;
  }

  /**
   * Steps forward in the past.
   * @returns the new position; undefined if the step reaches the present
   */
  forth(thread: string, present: number, mode: 'next' | 'stepIn' | 'stepOut'): StepBoundary | undefined {
    const from = this.#positions.get(thread) ?? present;
    const [inner, outer] = openSpans(this.#events, from, thread).toReversed();
    const here = this.#at(from);
    // At a `spanEnded` event the span is closed, so its parent is the innermost open span.
    const around = here?.type === 'spanEnded' ? inner : outer;
    const over = here?.type === 'spanStarted' ? here.span : undefined;
    const found = this.#forward(from, present).find((event): event is SpanStarted | TraceEventOf<'spanEnded'> => {
      if (!isBoundary(event, thread)) return false;
      if (mode === 'stepIn') return true;
      if (event.type === 'spanEnded') return event.span === around?.span || (mode === 'next' && event.span === over);
      return mode === 'next' && over === undefined && event.parent === around?.span;
    });
    return this.#settle(thread, found);
  }

  /**
   * Moves forward to the next breakpoint hit.
   * @returns the new position; undefined if no hit follows before the present
   */
  forward(thread: string, present: number, isHit: BreakpointTest): StepBoundary | undefined {
    const found = this.#forward(this.#positions.get(thread) ?? present, present).find(
      (event): event is SpanStarted | TraceEventOf<'spanEnded'> => isBoundary(event, thread) && isHit(event.seq),
    );
    return this.#settle(thread, found);
  }

  /** Returns the stack at the thread's past position, with the innermost frame first. */
  stack(thread: string): readonly { readonly id: number; readonly started: SpanStarted }[] {
    const at = this.#positions.get(thread) ?? 0;
    const here = this.#at(at);
    const open = openSpans(this.#events, here?.type === 'spanEnded' ? at - 1 : at, thread);
    return open.toReversed().map((started) => {
      const id = ++this.#lastId;
      this.#frames.set(id, { started, at });
      return { id, started };
    });
  }

  /** Returns the recorded scopes of a frame; empty for an unknown frame. */
  scopes(frame: number): readonly DebugProtocol.Scope[] {
    const found = this.#frames.get(frame);
    if (!found) return [];
    const { started, at } = found;
    const here = this.#at(at);
    const ended = here?.type === 'spanEnded' && here.span === started.span ? here : undefined;
    const result = ended
      ? { outcome: ended.outcome, ...(ended.error ? { error: ended.error } : {}), ...ended.attributes }
      : {};
    const values: Readonly<Record<string, unknown>> = {
      Arguments: started.attributes,
      Result: result,
      ...(started.kind === 'cri'
        ? { 'CRI request': started.attributes['request'], 'CRI response': ended?.attributes?.['response'] }
        : {}),
      ...this.#ofPod(started, at),
      ...this.#within(started, at),
    };
    return Object.entries(values).flatMap(([name, value]) =>
      typeof value !== 'object' || value === null || Object.keys(value).length === 0
        ? []
        : [{ name, variablesReference: this.#refer(value), expensive: false }],
    );
  }

  /** Returns the recorded state of the frame's pod. */
  #ofPod({ pod, thread }: SpanStarted, at: number): Readonly<Record<string, unknown>> {
    if (pod === undefined) return {};
    const pass = openSpans(this.#events, at, thread).find(({ point }) => point === 'kuberuntime.SyncPod');
    const backOff = new Map<string, object>();
    const syncResults: object[] = [];
    let object: unknown;
    let status: unknown;
    for (const event of this.#upTo(at)) {
      if (event.pod !== pod) continue;
      if (event.type === 'podChanged') object = event.object;
      else if (event.type === 'podStatus') status = event.status;
      else if (event.type === 'backOff')
        backOff.set(event.key, {
          container: event.container,
          seconds: event.seconds,
          until: event.until,
          state: event.state,
        });
      else if (event.type === 'syncResult' && pass && event.seq > pass.seq)
        syncResults.push({ action: event.action, target: event.target, error: event.error, message: event.message });
    }
    return { Pod: object, 'API status': status, 'Back-off': Object.fromEntries(backOff), 'Sync results': syncResults };
  }

  /** Returns what happened inside the frame: decisions and calls of the container engine. */
  #within(started: SpanStarted, at: number): Readonly<Record<string, unknown>> {
    const within = new Set([started.span]);
    const calls = new Map<number, Record<string, unknown>>();
    const decisions: object[] = [];
    for (const event of this.#upTo(at, started.seq)) {
      if (event.type === 'spanStarted' && event.parent !== undefined && within.has(event.parent)) {
        within.add(event.span);
        if (event.kind === 'docker') calls.set(event.span, { request: { call: event.title, ...event.attributes } });
      } else if (event.type === 'decision' && event.span !== undefined && within.has(event.span)) {
        decisions.push({ rule: event.rule, outcome: event.outcome, facts: event.facts });
      } else if (event.type === 'spanEnded') {
        const call = calls.get(event.span);
        if (call) Object.assign(call, { response: event.attributes?.['response'], error: event.error?.message });
      }
    }
    return { Decisions: decisions, 'Docker requests': [...calls.values()] };
  }

  /** Returns the events up to and including event `at`, oldest first. */
  #upTo(at: number, from = 0): readonly TraceEvent[] {
    const first = this.#events[0]?.seq ?? 1;
    return this.#events.slice(Math.max(0, from - first), Math.max(0, at + 1 - first));
  }

  variables(reference: number): readonly DebugProtocol.Variable[] {
    return Object.entries(this.#values.get(reference) ?? {}).map(([name, value]: [string, unknown]) => ({
      name,
      ...this.#shown(value),
      presentationHint: { attributes: ['readOnly'] },
    }));
  }

  /** Returns the argument of the frame at a path such as `request.config.metadata`. */
  lookUp(frame: number, path: string): ReturnType<RecordedPast['variables']>[number] | undefined {
    const started = this.#frames.get(frame)?.started;
    if (!started || !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*$/.test(path)) return undefined;
    let value: unknown = started.attributes;
    for (const key of path.match(/\w+/g) ?? []) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Attributes)[key];
    }
    return { name: path, ...this.#shown(value) };
  }

  #shown(value: unknown): { readonly value: string; readonly type: string; readonly variablesReference: number } {
    const isObject = typeof value === 'object' && value !== null;
    const text = JSON.stringify(value) ?? 'null';
    return {
      value: text.length > maxText ? `${text.slice(0, maxText)}…` : text,
      type: Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value,
      variablesReference: isObject && Object.keys(value).length > 0 ? this.#refer(value) : 0,
    };
  }

  #refer(value: object): number {
    const reference = ++this.#lastId;
    this.#values.set(reference, value);
    return reference;
  }

  #at(seq: number): TraceEvent | undefined {
    return this.#events[seq - (this.#events[0]?.seq ?? 1)];
  }

  #forward(from: number, present: number): readonly TraceEvent[] {
    const first = this.#events[0]?.seq ?? 1;
    return this.#events.slice(Math.max(0, from + 1 - first), Math.max(0, present - first));
  }

  #settle(thread: string, event: SpanStarted | TraceEventOf<'spanEnded'> | undefined): StepBoundary | undefined {
    if (event === undefined) {
      this.leave(thread);
      this.#forget();
      return undefined;
    }
    const point =
      event.type === 'spanStarted'
        ? event.point
        : (this.#events.find((each): each is SpanStarted => each.type === 'spanStarted' && each.span === event.span)
            ?.point ?? '');
    return this.#stand(thread, {
      seq: event.seq,
      thread,
      span: event.span,
      point,
      phase: event.type === 'spanStarted' ? 'before' : 'after',
    });
  }

  #stand(thread: string, boundary: StepBoundary | undefined): StepBoundary | undefined {
    if (boundary) this.#positions.set(thread, boundary.seq);
    this.#forget();
    return boundary;
  }

  /**
   * Limits the number of stored values and frames. They may be referenced after a step, because recorded values don't
   * change.
   */
  #forget(): void {
    if (this.#values.size + this.#frames.size < maxReferences) return;
    this.#frames.clear();
    this.#values.clear();
  }
}
