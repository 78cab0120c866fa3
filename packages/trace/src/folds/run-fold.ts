/**
 * Folds events into the model that every view shows. The cost of an event doesn't depend on the length of the run.
 * Objects are changed in place (and replaced after a snapshot), so a reader compares version numbers to find the parts
 * that it has to read again. Events may arrive in batches of any size, begin in the middle of a run, and repeat.
 */
import { asHappened } from '../events/as-happened.ts';
import type { Attributes, TraceEvent, TraceEventOf } from '../events/event.ts';
import { applyBackOff } from './apply/back-offs.ts';
import { beginActivity, endActivity } from './apply/cri-spans.ts';
import { applyPodObject, applyPodStatus, seedPod } from './apply/pod-object.ts';
import { beginProbe, endProbe } from './apply/probes.ts';
import { applyPullProgress } from './apply/pull-progress.ts';
import { applyRuntimeStateChanged } from './apply/runtime-observations.ts';
import { isAction, isSyncRoot, syncPoint } from './apply/sync-spans.ts';
import { textAt } from './attribute-values.ts';
import { sourceOf } from './fact-source.ts';
import { FoldState } from './state/fold-state.ts';
import type { MutablePod, MutableSpan } from './state/mutable-tracks.ts';
import type { PodTrack, SpanRecord } from './tracks.ts';

/** The state of a fold, see {@link RunFold.snapshot}. It is immutable, so it can be restored any number of times. */
export interface FoldSnapshot {
  readonly lastSeq: number;
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
  readonly state: FoldState;
}

/** Returns true for work of a genuine kubelet that belongs to no sync and to no probe. */
const isNodeSpan = ({ source, parent, thread, pod, kind }: MutableSpan): boolean =>
  source !== undefined && parent === undefined && thread !== pod && kind !== 'probe' && kind !== 'hook';

/** The model of a run after the events that were applied up to now. */
export class RunFold {
  #state = new FoldState();
  #version = 0;
  #firstTime: number | undefined;
  #lastTime: number | undefined;
  #lastSeq = 0;

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  /** Time of the first event, in milliseconds since the Unix epoch; undefined without events. */
  get firstTime(): number | undefined {
    return this.#firstTime;
  }

  /** Time of the newest event. */
  get lastTime(): number | undefined {
    return this.#lastTime;
  }

  /** Number of the newest event; 0 without events. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Returns all pods of the run, in order of their first event. */
  pods(): readonly PodTrack[] {
    return [...this.#state.pods.values()];
  }

  pod(uid: string): PodTrack | undefined {
    return this.#state.pods.get(uid);
  }

  span(id: number): SpanRecord | undefined {
    return this.#state.spans.get(id);
  }

  /**
   * Returns the calls of a genuine kubelet that belong to no sync, such as relists, by thread: the ids of their spans,
   * in the order in which they were logged.
   */
  nodeSpans(): ReadonlyMap<string, readonly number[]> {
    return this.#state.nodeSpans;
  }

  /** Increases with every change of the spans in {@link nodeSpans}, and with every span that begins inside them. */
  get nodeVersion(): number {
    return this.#state.nodeVersion;
  }

  /** Clears the model. The version number still increases. */
  reset(): void {
    this.#state = new FoldState();
    this.#firstTime = undefined;
    this.#lastTime = undefined;
    this.#lastSeq = 0;
    this.#version++;
  }

  /** Saves the current state for {@link restore}. This is cheap, because a pod is copied only when it changes. */
  snapshot(): FoldSnapshot {
    return {
      lastSeq: this.#lastSeq,
      firstTime: this.#firstTime,
      lastTime: this.#lastTime,
      state: new FoldState(this.#state),
    };
  }

  /** Restores a snapshot of this fold or another one. The version number still increases. */
  restore(snapshot: FoldSnapshot): void {
    this.#state = new FoldState(snapshot.state);
    this.#firstTime = snapshot.firstTime;
    this.#lastTime = snapshot.lastTime;
    this.#lastSeq = snapshot.lastSeq;
    this.#version++;
  }

  /** Applies v1.Pod objects whose events are no longer available. Entries that aren't pods are ignored. */
  seedPods(objects: readonly Attributes[]): void {
    for (const object of objects) seedPod(this.#state, object);
    this.#version++;
  }

  applyAll(events: Iterable<TraceEvent>): void {
    for (const event of events) this.apply(event);
  }

  /** Applies an event. An event whose number was already applied is ignored. */
  apply(event: TraceEvent): void {
    if (event.seq <= this.#lastSeq) return;
    this.#lastSeq = event.seq;
    this.#firstTime ??= event.time;
    this.#lastTime = event.time;
    this.#version++;
    // dockershim lists a sandbox that exists only as a checkpoint. Its pod UID is empty.
    const pod = event.pod ? this.#state.podOf(event.pod, event.time) : undefined;
    if (pod) {
      pod.lastTime = event.time;
      pod.version++;
    }
    this.#dispatch(asHappened(event), pod);
  }

  #dispatch(event: TraceEvent, pod: MutablePod | undefined): void {
    switch (event.type) {
      case 'spanStarted':
        this.#spanStarted(event, pod);
        return;
      case 'spanEnded':
        this.#spanEnded(event, pod);
        return;
      case 'decision':
        if (event.span !== undefined) {
          const { seq, time, rule, facts, outcome, decisive } = event;
          this.#state.spans.changeable(event.span)?.decisions.push({ seq, time, rule, facts, outcome, decisive });
        }
        return;
      case 'syncResult':
        this.#syncResult(event, pod);
        return;
      case 'pullProgress':
        if (pod) applyPullProgress(this.#state, pod, event);
        return;
      case 'kubernetesEvent':
        if (pod) {
          const { seq, time, eventType: type, reason, message, container, count } = event;
          pod.events.push({ seq, time, type, reason, message, container, count, ...sourceOf(event) });
        }
        return;
      case 'podChanged':
        if (pod) {
          applyPodObject(pod, event.object);
          // When its mirror pod is replaced, a static pod continues to exist.
          if (event.operation === 'ADDED') pod.deletionRequestedAt = undefined;
          if (textAt(event.object, 'metadata', 'deletionTimestamp')) pod.deletionRequestedAt ??= event.time;
          pod.deletedAt = event.operation === 'DELETED' ? event.time : undefined;
        }
        return;
      case 'podStatus':
        if (pod) {
          applyPodStatus(pod, event.status, event.time);
          if (event.source !== undefined) pod.statusFrom = sourceOf(event);
        }
        return;
      case 'backOff':
        if (pod) applyBackOff(pod, event);
        return;
      case 'runtimeStateChanged':
        if (pod) applyRuntimeStateChanged(this.#state, pod, event);
        return;
      case 'stopped':
        this.#stopped(event, pod);
        return;
      case 'continued':
        this.#continued(event, pod);
        return;
      case 'intervention':
        this.#intervention(event, pod);
        return;
      case 'breakpointsChanged':
      case 'output':
      case 'command':
        return;
    }
  }

  #spanStarted(event: TraceEventOf<'spanStarted'>, pod: MutablePod | undefined): void {
    const { span: id, parent, point, kind, title, thread, attributes, time, seq } = event;
    const span: MutableSpan = {
      id,
      parent,
      point,
      kind,
      title,
      thread,
      pod: event.pod,
      start: time,
      startSeq: seq,
      end: undefined,
      endSeq: undefined,
      outcome: undefined,
      error: undefined,
      attributes,
      endAttributes: undefined,
      children: [],
      decisions: [],
      interventions: [],
      ...sourceOf(event),
    };
    this.#state.spans.set(span);
    if (parent !== undefined) this.#addChild(parent, span, event.at !== undefined);
    if (pod && kind === 'probe') beginProbe(pod, span);
    if (pod) this.#sync(pod, span);
    if (isNodeSpan(span)) {
      const spans = this.#state.nodeSpans.get(thread);
      if (spans) spans.push(id);
      else this.#state.nodeSpans.set(thread, [id]);
      this.#state.nodeVersion++;
    }
    beginActivity(this.#state, pod, span);
  }

  /** Adds a span to its parent. A late span can have started before spans that the log received earlier. */
  #addChild(parent: number, { id, start }: MutableSpan, isLate: boolean): void {
    const around = this.#state.spans.changeable(parent);
    if (!around) return;
    if (isNodeSpan(around)) this.#state.nodeVersion++;
    const { children } = around;
    const startOf = (child: number): number => this.#state.spans.get(child)?.start ?? 0;
    const before = isLate ? children.findLastIndex((child) => startOf(child) <= start) + 1 : children.length;
    children.splice(before, 0, id);
  }

  /**
   * Adds a sync that begins with this span. If the span is inside a sync and changes something, marks the sync as one
   * that acted.
   */
  #sync(pod: MutablePod, { id, parent, kind, point, start }: MutableSpan): void {
    let sync = isSyncRoot(kind, point) ? this.#state.syncAround(parent) : undefined;
    if (!sync && isSyncRoot(kind, point)) {
      const number = (pod.syncs.at(-1)?.number ?? 0) + 1;
      sync = { number, span: id, runtime: undefined, start, end: undefined, acted: false, results: [] };
      this.#state.addSync(pod, sync);
    }
    if (point === syncPoint && sync) sync.runtime = id;
    if (isAction(kind, point)) {
      const around = this.#state.syncAround(id);
      if (around) around.acted = true;
    }
  }

  #spanEnded(event: TraceEventOf<'spanEnded'>, pod: MutablePod | undefined): void {
    // The log begins inside this span, so its start and all facts about it are unknown.
    const span = this.#state.spans.get(event.span);
    if (!span || span.end !== undefined) return;
    span.end = event.time;
    span.endSeq = event.seq;
    if (event.start !== undefined) span.start = event.start;
    // A trace can confirm a span that was inferred.
    if (event.source === 'otlp' && span.source !== undefined) Object.assign(span, sourceOf(event));
    this.#state.spans.ended(span.id);
    if (isNodeSpan(span)) this.#state.nodeVersion++;
    span.outcome = event.outcome;
    span.error = event.error;
    span.endAttributes = event.attributes;
    const sync = this.#state.sync(span.id);
    if (sync) {
      sync.start = span.start;
      sync.end = event.time;
      if (event.outcome === 'error') sync.acted = true;
    }
    if (pod && span.kind === 'probe') endProbe(pod, span, event);
    endActivity(this.#state, pod, span, event);
  }

  #syncResult(event: TraceEventOf<'syncResult'>, pod: MutablePod | undefined): void {
    const { seq, time, span, action, target, error, message, duration } = event;
    const sync = this.#state.syncAround(span) ?? this.#state.sync(pod?.syncs.at(-1)?.span ?? 0);
    if (!sync) return;
    if (error !== undefined) sync.acted = true;
    sync.results.push({ seq, time, span, action, target, error, message, duration });
  }

  /** Records a stop for the pod whose worker stopped. The name of the worker's thread is the pod's UID. */
  #stopped(event: TraceEventOf<'stopped'>, pod: MutablePod | undefined): void {
    const held = pod ?? this.#state.knownPod(event.thread);
    if (!held) return;
    const { point, phase, span, seq, time, reason } = event;
    held.stoppedAt = { point, phase, span };
    held.stops.push({ seq, point, phase, reason, span, start: time, end: undefined });
    if (held !== pod) held.version++;
  }

  #intervention(
    { seq, time, id, action, origin, text, details, span }: TraceEventOf<'intervention'>,
    pod: MutablePod | undefined,
  ): void {
    const said = details?.['message'] ?? details?.['output'];
    const record = { seq, time, id, action, origin, text, said: typeof said === 'string' ? said : undefined, span };
    if (span !== undefined) this.#state.spans.changeable(span)?.interventions.push(record);
    pod?.interventions.push(record);
  }

  #continued(event: TraceEventOf<'continued'>, pod: MutablePod | undefined): void {
    const held = pod ?? this.#state.knownPod(event.thread);
    if (!held) return;
    held.stoppedAt = undefined;
    const stop = held.stops.at(-1);
    if (stop) stop.end ??= event.time;
    if (held !== pod) held.version++;
  }
}
