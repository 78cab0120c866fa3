/** The past of a run in DAP's words: where a thread stood, what lay on its stack, what its spans held. Nothing is run again. */

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

/** Numbers of frames and variables of the past: the node's own stay far below. */
const firstPastId = 1_000_000_000;
/** Most events kept; the node keeps about as many. */
const maxEvents = 300_000;
const maxText = 1_000;
const maxReferences = 50_000;

export const isPast = (id: number): boolean => id >= firstPastId;

type SpanStarted = TraceEventOf<'spanStarted'>;
/** Would a thread have stopped at this event? */
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
  /** v1.Pod objects as they were before the first event that was told. */
  #pods: readonly Attributes[] = [];
  /** What became of them in events that are kept no longer, by uid. */
  readonly #forgotten = new Map<string, Attributes>();
  /** Where threads that were led back stand: the number of an event. */
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
   * A node's run begins.
   * @param profile the release whose files lines are named in
   * @param pods v1.Pod objects as they were before the first event that is told
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

  /** Number of the event at which a frame of the past was looked at. */
  instantOf(frame: number): number | undefined {
    return this.#frames.get(frame)?.at;
  }

  /** Where the thread was led back to. */
  position(thread: string): number | undefined {
    return this.#positions.get(thread);
  }

  /** The thread is at the present again. */
  leave(thread: string): void {
    this.#positions.delete(thread);
  }

  /** The event at which a thread stands that stopped before a span: the span's start, not the stop that came of it. */
  anchor(thread: string, stop: number): number {
    const first = this.#events[0]?.seq ?? 1;
    for (let at = Math.min(stop - first, this.#events.length - 1); at >= 0; at--) {
      const event = this.#events[at];
      if (event && isBoundary(event, thread)) return event.seq;
    }
    return stop;
  }

  /** @param present number of the event at which the thread stands. @returns where it stands now; undefined at the beginning */
  back(thread: string, present: number, granularity: StepGranularity): StepBoundary | undefined {
    return this.#stand(thread, stepBack(this.#events, this.#positions.get(thread) ?? present, thread, granularity));
  }

  /** Where breakpoints and filters would have stopped threads in what is recorded, by the number of the event. */
  stops(breakpoints: readonly BreakpointState[], filters: readonly ExceptionFilterSpec[]) {
    const pods = [...this.#pods, ...this.#forgotten.values()];
    const gate = new RecordedGate({ catalog: catalogOfRecording(this.#events, this.#profile), breakpoints, filters, pods });
    return { stops: recordedStops(this.#events, gate), unjudged: gate.unjudged() };
  }

  /** To the last place that a breakpoint names, else to the beginning. */
  reverse(thread: string, present: number, isHit: BreakpointTest): (StepBoundary & { readonly hit: boolean }) | undefined {
    const found = reverseContinue(this.#events, this.#positions.get(thread) ?? present, ({ boundary: { seq } }) => isHit(seq), thread);
    this.#stand(thread, found);
    return found;
  }

  /** Forth in the past. @returns where it stands now; undefined when that is the present */
  forth(thread: string, present: number, mode: 'next' | 'stepIn' | 'stepOut'): StepBoundary | undefined {
    const from = this.#positions.get(thread) ?? present;
    const [inner, outer] = openSpans(this.#events, from, thread).toReversed();
    const here = this.#at(from);
    // Standing after a span, it is open no more: what is innermost lies around it.
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

  /** Forth to the next place that a breakpoint names. @returns undefined when that is the present */
  forward(thread: string, present: number, isHit: BreakpointTest): StepBoundary | undefined {
    const found = this.#forward(this.#positions.get(thread) ?? present, present).find(
      (event): event is SpanStarted | TraceEventOf<'spanEnded'> => isBoundary(event, thread) && isHit(event.seq),
    );
    return this.#settle(thread, found);
  }

  /** The stack where the thread was led back to, innermost first. */
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

  /** What a frame of the past held. Empty for a frame that is no more. */
  scopes(frame: number): readonly DebugProtocol.Scope[] {
    const found = this.#frames.get(frame);
    if (!found) return [];
    const { started, at } = found;
    const here = this.#at(at);
    const ended = here?.type === 'spanEnded' && here.span === started.span ? here : undefined;
    const result = ended ? { outcome: ended.outcome, ...(ended.error ? { error: ended.error } : {}), ...ended.attributes } : {};
    const values: Readonly<Record<string, unknown>> = {
      Arguments: started.attributes,
      Result: result,
      ...(started.kind === 'cri' ? { 'CRI request': started.attributes['request'], 'CRI response': ended?.attributes?.['response'] } : {}),
      ...this.#ofPod(started, at),
      ...this.#within(started, at),
    };
    return Object.entries(values).flatMap(([name, value]) =>
      typeof value !== 'object' || value === null || Object.keys(value).length === 0
        ? []
        : [{ name, variablesReference: this.#refer(value), expensive: false }],
    );
  }

  /** What was known of the frame's pod. */
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
      else if (event.type === 'backOff') backOff.set(event.key, { container: event.container, seconds: event.seconds, until: event.until, state: event.state });
      else if (event.type === 'syncResult' && pass && event.seq > pass.seq)
        syncResults.push({ action: event.action, target: event.target, error: event.error, message: event.message });
    }
    return { Pod: object, 'API status': status, 'Back-off': Object.fromEntries(backOff), 'Sync results': syncResults };
  }

  /** What had happened inside the frame: the rules that were weighed, the calls of the engine that were made. */
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

  /** Events up to one, oldest first. */
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

  /** The value that a path such as `request.config.metadata` leads to in a frame's arguments. */
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
        : (this.#events.find((each): each is SpanStarted => each.type === 'spanStarted' && each.span === event.span)?.point ?? '');
    return this.#stand(thread, { seq: event.seq, thread, span: event.span, point, phase: event.type === 'spanStarted' ? 'before' : 'after' });
  }

  #stand(thread: string, boundary: StepBoundary | undefined): StepBoundary | undefined {
    if (boundary) this.#positions.set(thread, boundary.seq);
    this.#forget();
    return boundary;
  }

  /** What is recorded does not change, so references may outlive the step; only their number is bounded. */
  #forget(): void {
    if (this.#values.size + this.#frames.size < maxReferences) return;
    this.#frames.clear();
    this.#values.clear();
  }
}
