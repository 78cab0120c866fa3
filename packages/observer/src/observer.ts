/**
 * Turns the observations of a genuine kubelet into the events of a node. Calls become the spans that our own kubelet
 * emits, syncs are assembled from the calls, and the shadow engine computes each sync for comparison.
 */
import { kubeletPoints, kuberuntimePoints } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { type Attributes, type EventPayload, grpcCodeOf } from '@podscope/trace';
import { summarized, threadOf } from './call-display.ts';
import { callPoint, type EventPlace, EventWriter, type ObservationSink } from './event-writer.ts';
import { Gaps } from './gaps.ts';
import type {
  CallMessage,
  CallRecord,
  CallResult,
  KubeletFacts,
  ObservedCall,
  ObservedSpan,
  PodsSnapshot,
  SourceName,
} from './inputs.ts';
import { maskRequest, maskResponse } from './mask.ts';
import { chooseProfile, listsAfterSync, type ProfileChoice } from './releases.ts';
import type { SavedState } from './shadow/saved-memories.ts';
import { numberAt, textAt } from './state/fields.ts';
import { InferredNode } from './state/inferred-node.ts';
import { specHints } from './state/inferred-pods.ts';
import { MissingImages } from './state/missing-images.ts';
import { NodeFacts } from './state/node-facts.ts';
import { ObservedPodCache } from './state/pod-cache.ts';
import { PodsSource } from './state/pods-source.ts';
import { containersOf, type ExecPurpose, ProbeTracker, purposeOf } from './state/probes.ts';
import { ObjectRegistry, type PodName } from './state/registry.ts';
import { answersWithin, placeOf, SyncJudge, type SyncJudgeOptions } from './sync-judge.ts';
import { type CallRole, isWrite, SyncAssembler, traceOf } from './syncs/assembler.ts';
import { InnerSpans } from './syncs/inner-spans.ts';
import type { ObservedSync } from './syncs/sync.ts';
import type { EndedCall } from './traces/call-spans.ts';

export interface ObserverOptions extends SyncJudgeOptions {
  readonly sink: ObservationSink;
  readonly facts: KubeletFacts;
  /** Called with each call that ended. */
  readonly onCall?: (call: EndedCall) => void;
  /**
   * The last time, the pods and the highest span number of an earlier process. The observer continues the observation
   * of that process.
   */
  readonly earlier?:
    | {
        readonly at: number;
        readonly pods: readonly Pod[];
        readonly spans: number;
        /** The memory of the earlier process; undefined if it wasn't saved. */
        readonly state?: SavedState | undefined;
      }
    | undefined;
}

/** An event of the API server, in the form in which the log contains it. */
type PodEvent = Omit<Extract<EventPayload, { type: 'kubernetesEvent' }>, 'type'>;

/** The place of a call's span in the log, needed when the call ends. */
interface OpenCall {
  readonly call: ObservedCall;
  /** The attributes of the call's span, masked. */
  readonly attributes: Attributes;
  readonly place: EventPlace;
  readonly span: number;
  /** The enclosing spans that end together with the call, innermost first. */
  readonly around: readonly number[];
  readonly purpose: ExecPurpose | undefined;
  readonly pod: PodName | undefined;
}

/** Work of the kubelet that waits while a call is held. */
export interface WaitingWork {
  /** Another call of the same pod, or the pull of another pod. */
  readonly reason: 'pod' | 'imagePull';
  readonly pod: PodName;
  /** The method of the call, or the image. */
  readonly what: string;
}

/** Returns true for a call that the relay made itself: it reads the state of the runtime when a debugger connects. */
const isRelays = ({ metadata }: ObservedCall): boolean => metadata['user-agent']?.startsWith('podscope-relay') === true;

const keptCalls = 20_000;
/** How long an ImageStatus call may wait until it is assigned to a sync, in milliseconds. */
const undecidedFor = 1_000;

export class Observer {
  readonly #writer: EventWriter;
  readonly #registry = new ObjectRegistry();
  readonly #cache = new ObservedPodCache(this.#registry);
  readonly #pods = new PodsSource();
  readonly #probes = new ProbeTracker();
  readonly #records = new Map<number, CallRecord>();
  readonly #syncs = new SyncAssembler((number) => this.#records.get(number));
  readonly #open = new Map<number, OpenCall>();
  readonly #inner = new InnerSpans();
  /**
   * Thread, pod and span of each call, by number. Spans of the runtime that happened inside the call are placed below
   * the call's span.
   */
  readonly #places = new Map<number, EventPlace>();
  /** The span in the log by call number. */
  readonly #spans = new Map<number, number>();
  readonly #undecided: CallRecord[] = [];
  readonly #images = new Map<string, CallMessage>();
  readonly #missingImages = new MissingImages();
  readonly #sources = new Set<SourceName>();
  /** UIDs of the pods whose first sandbox was created during the observation. */
  readonly #born = new Set<string>();
  /** Syncs that have ended but are not judged yet. */
  readonly #due: ObservedSync[] = [];
  /** The time at which the removal of each sandbox began. */
  readonly #removed = new Map<string, number>();
  readonly #gaps = new Gaps();
  readonly #node = new NodeFacts();
  readonly #judge: SyncJudge;
  readonly #inferred: InferredNode;
  readonly #onCall: ObserverOptions['onCall'];
  #work: Promise<void> = Promise.resolve();
  /** Time of the newest call. */
  #observedAt = 0;
  #facts: KubeletFacts;
  #runtime: { readonly name: string; readonly version: string } | undefined;

  constructor(options: ObserverOptions) {
    this.#facts = options.facts;
    this.#onCall = options.onCall;
    this.#syncs.listsAfterSync = listsAfterSync(options.facts.version);
    const facts = (): KubeletFacts => this.#facts;
    const profile = (): ProfileChoice => this.profile;
    const runtime = (): Observer['runtime'] => this.#runtime;
    const state = {
      records: this.#records,
      pods: this.#pods,
      cache: this.#cache,
      probes: this.#probes,
      images: this.#images,
      spans: this.#spans,
      born: this.#born,
      removed: this.#removed,
      gaps: this.#gaps,
      podOf: (call: CallRecord) => this.#registry.podOf(call),
      networkReadyAt: (time: number) => this.#node.networkReadyAt(time),
      logsOf: (uid: string, time: number) => this.#node.logsOf(uid, time),
      starts: this.#node.starts,
      get facts() {
        return facts();
      },
      get profile() {
        return profile();
      },
      get runtime() {
        return runtime();
      },
    };
    this.#writer = new EventWriter(options.sink, options.earlier?.spans);
    this.#inferred = new InferredNode(this.#writer, this.#registry);
    if (options.earlier) {
      this.#pods.restore(options.earlier.at, options.earlier.pods);
      if (options.earlier.pods.length > 0) this.#inferred.end(options.earlier.at, options.earlier.pods);
    }
    this.#judge = new SyncJudge(state, this.#writer, options);
    this.#syncs.hasHttpHook = (call) => {
      const object = this.#registry.objectOf(call);
      const pod = object && this.#pods.newest(object.pod.uid);
      const hook = pod && containersOf(pod).find(({ name }) => name === object.name)?.lifecycle?.postStart;
      return hook !== undefined && hook.exec === undefined;
    };
    this.#gaps.begin(Number.NEGATIVE_INFINITY);
    const saved = options.earlier?.state;
    if (!saved) return;
    this.#judge.restore(saved.memories);
    this.#probes.restore(saved.at, saved.probes);
    for (const sandbox of saved.stopped) this.#syncs.stopped(sandbox);
  }

  /**
   * Returns the state of this observer about the existing pods, for a process that continues the observation:
   * back-offs, probe results, and the last statuses. All other state follows from the runtime's own lists.
   */
  state(): SavedState {
    const pods = new Set(this.currentPods.map(({ metadata }) => metadata.uid));
    const objects = new Set([...pods].flatMap((uid) => this.#cache.listed(uid)));
    return {
      at: this.#observedAt,
      memories: this.#judge.saved().filter(({ uid }) => pods.has(uid)),
      probes: this.#probes.saved(objects),
      stopped: this.#syncs.stoppedSandboxes.filter((id) => objects.has(id)),
    };
  }

  /** Records that calls may be missing from a time on, because the connection to the relay ended. */
  interrupted(at: number): void {
    this.#gaps.begin(at);
    // From now on, calls may be missing, so the kubelet's memory of these pods is no longer certain.
    this.#born.clear();
    this.#cache.forgetLists();
  }

  /**
   * Records that all calls from a time on are observed. If this method isn't called, the observation begins at the
   * first call.
   */
  resumed(at: number): void {
    this.#gaps.end(at);
  }

  /** The sources that have delivered data. */
  get sources(): ReadonlySet<SourceName> {
    return this.#sources;
  }

  /** The runtime's name and version, as its answer to the Version call states them. */
  get runtime(): { readonly name: string; readonly version: string } | undefined {
    return this.#runtime;
  }

  get facts(): KubeletFacts {
    return this.#facts;
  }

  get profile(): ProfileChoice {
    return chooseProfile(this.#facts.version);
  }

  /** The pods that exist, as the kubelet reports them; without such a report, as its calls show them. */
  get currentPods(): readonly Pod[] {
    return this.#inferred.current() ?? this.#pods.current();
  }

  /** Adds facts that another source reports about the kubelet. */
  learn(facts: Partial<KubeletFacts>, source?: SourceName): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#syncs.listsAfterSync = listsAfterSync(this.#facts.version);
    if (source) this.#sources.add(source);
  }

  /** Returns the span, place and masked values of a call in flight. Undefined while its place isn't known. */
  openCall(
    number: number,
  ): { readonly span: number; readonly place: EventPlace; readonly attributes: Attributes } | undefined {
    return this.#open.get(number);
  }

  /**
   * Returns the work that waits while a call is held: other calls of its pod, and, for a pull, the pulls of other pods.
   * The pulls of other pods are inferred from the images that the runtime doesn't have.
   */
  waitingBehind(number: number): readonly WaitingWork[] {
    const held = this.#open.get(number);
    if (!held) return [];
    const open = [...this.#open.values()];
    const others = open.flatMap(({ call, pod }): WaitingWork[] =>
      call.number !== number && pod && pod.uid === held.pod?.uid ? [{ reason: 'pod', pod, what: call.method }] : [],
    );
    if (held.call.method !== 'PullImage' || this.#facts.serializeImagePulls === false) return others;
    const pulls = this.#missingImages.awaitedBy(this.currentPods).flatMap(({ pod, image }): WaitingWork[] => {
      const isPulling = open.some(({ call, pod: puller }) => call.method === 'PullImage' && puller?.uid === pod.uid);
      return isPulling ? [] : [{ reason: 'imagePull', pod, what: image }];
    });
    return [...others, ...pulls];
  }

  /** Applies the start of a call. */
  callStarted(call: ObservedCall): void {
    this.#sources.add('cri');
    this.#gaps.end(call.t);
    this.#observedAt = Math.max(this.#observedAt, call.t);
    this.#missingImages.started(call);
    this.#node.called(call);
    this.tick(call.t);
    const record: CallRecord = { ...call, result: undefined };
    this.#remember(record);
    if (call.method === 'RemovePodSandbox') this.#removed.set(textAt(call.request, 'podSandboxId'), call.t);
    const pod = this.#registry.podOf(call);
    const object = this.#registry.objectOf(call);
    const purpose =
      call.method === 'ExecSync'
        ? this.#purposeOf(call, pod && this.#pods.newest(pod.uid), object?.name ?? '')
        : undefined;
    const sync = this.#syncs.started(record, pod, this.#roleOf(call, pod, purpose));
    if (sync) {
      this.#openSync(sync);
      this.#claim(sync, record);
      this.#begin(record, sync, pod, purpose);
    } else if (call.method === 'ImageStatus' || (call.method === 'Version' && traceOf(call) !== undefined))
      this.#undecided.push(record);
    else this.#begin(record, undefined, pod, purpose);
  }

  /** Applies the end of a call. */
  callEnded(number: number, result: CallResult): void {
    const call = this.#records.get(number);
    if (!call) return;
    const record: CallRecord = { ...call, result };
    this.#records.set(number, record);
    if (result.status === 0) this.#learnFrom(record);
    const undecided = this.#undecided.findIndex((each) => each.number === number);
    if (undecided >= 0) this.#undecided[undecided] = record;
    this.#end(record, result);
    this.#inferred.ended(record);
    this.tick(result.end);
  }

  /** Applies an answer of `GET /pods`, or the node's pods as the API server returns them. */
  pods(snapshot: PodsSnapshot, source: 'pods' | 'api' = 'pods'): void {
    this.#sources.add(source);
    this.#inferred.end(snapshot.t, snapshot.pods);
    const nodeName =
      this.#facts.nodeName ?? snapshot.pods.find(({ spec }) => spec.nodeName !== undefined)?.spec.nodeName;
    if (nodeName !== this.#facts.nodeName) this.learn({ nodeName });
    for (const { operation, pod, statusChanged } of this.#pods.apply(snapshot)) {
      const { uid, name, namespace = '' } = pod.metadata;
      const place = { thread: 'kubelet', pod: { uid, name, namespace }, source };
      this.#writer.emit(snapshot.t, place, { type: 'podChanged', operation, object: { ...pod } });
      if (!statusChanged || !pod.status) continue;
      this.#writer.emit(snapshot.t, place, { type: 'podStatus', status: { ...pod.status } });
      this.#learnProbes(snapshot.t, pod, pod.status);
    }
    this.tick(snapshot.t);
  }

  /** Applies an event of the API server about a pod; ignores one about a pod that no other source has shown. */
  podEvent(at: number, uid: string, event: PodEvent): void {
    this.#sources.add('api');
    const pod = this.#pods.newest(uid);
    if (!pod) return;
    const { name, namespace = '' } = pod.metadata;
    const place = { thread: 'kubelet', pod: { uid, name, namespace }, source: 'api' } as const;
    this.#writer.emit(at, place, { type: 'kubernetesEvent', ...event });
  }

  /** Reports a condition of the node. */
  nodeCondition(at: number, level: 'info' | 'warning', message: string): void {
    this.#sources.add('api');
    this.#writer.emit(at, { thread: 'kubelet', source: 'api' }, { type: 'output', level, message });
  }

  /** Applies an ended span of the kubelet or the runtime. */
  span(span: ObservedSpan): void {
    this.#sources.add('otlp');
    const sync = this.#syncs.span(span);
    if (!sync && span.parent !== '') this.#inner.add(span, (each, parent) => this.#writeInner(each, parent));
    if (sync) {
      this.#openSync(sync);
      for (const number of sync.calls) this.#decide(number, sync);
    }
    this.tick(span.end);
  }

  /** Writes a span of the runtime below the span of the call during which it happened. */
  #writeInner({ t, end, name, scope, attributes, error }: ObservedSpan, parent: number): number {
    const place: EventPlace = { ...(this.#places.get(parent) ?? { thread: 'runtime' }), parent, source: 'otlp' };
    const span = this.#writer.begin(
      t,
      place,
      { id: `otlp.${name}`, kind: 'criStep', title: name },
      { ...attributes, scope },
    );
    this.#places.set(span, place);
    this.#writer.end(end, place, span, {
      error: error === undefined ? undefined : { reason: 'Error', message: error },
    });
    return span;
  }

  /** Evaluates the syncs that are due at a time. Call it regularly, even when no observation arrives. */
  tick(now: number): void {
    for (const record of Array.from(this.#undecided))
      if (record.t + undecidedFor < now) this.#decide(record.number, undefined);
    this.#inferred.tick(now);
    this.#due.push(...this.#syncs.due(now));
    this.#judgeReady(now, false);
  }

  /** Evaluates all remaining syncs. */
  async finish(now: number): Promise<void> {
    for (const { number } of Array.from(this.#undecided)) this.#decide(number, undefined);
    this.#due.push(...this.#syncs.finish(now));
    this.#judgeReady(now, true);
    await this.settled();
  }

  /** Resolves when all syncs that are due have been evaluated. */
  async settled(): Promise<void> {
    await this.#work;
  }

  #remember(record: CallRecord): void {
    this.#records.set(record.number, record);
    if (this.#records.size <= keptCalls) return;
    const oldest = this.#records.keys().next().value;
    if (oldest !== undefined && !this.#open.has(oldest)) this.#forget(oldest);
  }

  #forget(call: number): void {
    this.#records.delete(call);
    const span = this.#spans.get(call);
    if (span !== undefined) this.#places.delete(span);
    this.#spans.delete(call);
  }

  /**
   * Returns the purpose of an ExecSync. If no answer of `/pods` has the pod yet, a call right after the container's
   * start is its postStart hook, because probes have a timeout.
   */
  #purposeOf(call: ObservedCall, pod: Pod | undefined, container: string): ExecPurpose {
    const purpose = purposeOf(pod, container, call.request);
    if (pod || container === '' || numberAt(call.request, 'timeout') !== 0) return purpose;
    const id = textAt(call.request, 'containerId');
    const uid = this.#registry.objectOf(call)?.pod.uid ?? '';
    const last = this.#records.get(this.#syncs.openSync(uid)?.calls.at(-1) ?? -1);
    const isStarted = last?.method === 'StartContainer' && textAt(last.request, 'containerId') === id;
    return isStarted ? { kind: 'hook', hook: 'postStart', container } : purpose;
  }

  #roleOf(call: ObservedCall, pod: PodName | undefined, purpose: ExecPurpose | undefined): CallRole {
    if (isRelays(call)) return 'node';
    if (purpose) return purpose.kind === 'hook' ? 'worker' : 'probe';
    if (pod && isWrite(call.method)) return 'worker';
    return pod ? 'read' : 'node';
  }

  #openSync(sync: ObservedSync): void {
    if (sync.span !== undefined) return;
    sync.begun = sync.start;
    sync.span = this.#writer.begin(sync.start, placeOf(sync), this.#workerPoint(), {
      uid: sync.pod.uid,
      bounds: sync.bounds,
    });
  }

  #workerPoint(): typeof kubeletPoints.podWorkerLoop | typeof kubeletPoints.managePodLoop {
    return this.profile.profile === 'v1.36' ? kubeletPoints.podWorkerLoop : kubeletPoints.managePodLoop;
  }

  /** Assigns ImageStatus calls to the sync that uses the image, or to the sync that has the same trace. */
  #claim(sync: ObservedSync, call: CallRecord): void {
    const image =
      textAt(call.request, 'config', 'image', 'userSpecifiedImage') || textAt(call.request, 'image', 'image');
    for (const record of Array.from(this.#undecided)) {
      const isSame = sync.trace === undefined ? this.#isOfImage(record, image) : traceOf(record) === sync.trace;
      if (!isSame) continue;
      if (!sync.calls.includes(record.number)) sync.calls.unshift(record.number);
      if (record.t < sync.start) sync.start = record.t;
      this.#decide(record.number, sync);
    }
  }

  #isOfImage({ method, request }: CallRecord, image: string): boolean {
    return method === 'ImageStatus' && image !== '' && textAt(request, 'image', 'image') === image;
  }

  /** Writes a call whose sync was unknown when it started. */
  #decide(number: number, sync: ObservedSync | undefined): void {
    const index = this.#undecided.findIndex((each) => each.number === number);
    const [record] = index < 0 ? [] : this.#undecided.splice(index, 1);
    if (!record) return;
    this.#begin(record, sync, sync?.pod, undefined);
    if (record.result) this.#end(record, record.result);
  }

  #begin(
    call: CallRecord,
    sync: ObservedSync | undefined,
    pod: PodName | undefined,
    purpose: ExecPurpose | undefined,
  ): void {
    const thread = sync ? sync.pod.uid : purpose?.kind === 'probe' ? `probe ${purpose.container}` : threadOf(call, pod);
    const place: EventPlace = { thread, pod: sync?.pod ?? pod, parent: sync?.span, source: 'cri' };
    const around = this.#aroundExec(call, place, purpose);
    const innermost = around[0] ?? sync?.span;
    const newest = place.pod && this.#pods.newest(place.pod.uid);
    const container = this.#registry.containerOf(call);
    const attributes: Attributes = {
      request: call.request && maskRequest(call.method, call.request, newest),
      ...(container ? { container: container.name, attempt: container.attempt } : {}),
      ...(call.deadline === undefined ? {} : { deadline: call.t + call.deadline }),
      ...(call.undecoded ? { undecoded: call.undecoded } : {}),
      ...(call.estimated ? { estimated: true } : {}),
      call: call.number,
    };
    const span = this.#writer.begin(call.t, { ...place, parent: innermost }, callPoint(call.method), attributes);
    this.#spans.set(call.number, span);
    this.#places.set(span, place);
    this.#inner.called(call.metadata['traceparent'], span);
    this.#open.set(call.number, { call, attributes, place, span, around, purpose, pod: place.pod });
  }

  /** Opens the span of the probe or hook for which an ExecSync call runs. */
  #aroundExec(call: CallRecord, place: EventPlace, purpose: ExecPurpose | undefined): readonly number[] {
    if (purpose?.kind === 'probe') {
      const attributes = { type: purpose.probe, container: purpose.container };
      return [this.#writer.begin(call.t, { ...place, inferred: true }, kubeletPoints.probe, attributes)];
    }
    if (purpose?.kind !== 'hook') return [];
    const attributes = { container: purpose.container, containerID: textAt(call.request, 'containerId') };
    return [this.#writer.begin(call.t, { ...place, inferred: true }, kuberuntimePoints[purpose.hook], attributes)];
  }

  #end({ method, number }: CallRecord, result: CallResult): void {
    const open = this.#open.get(number);
    if (!open) return;
    this.#open.delete(number);
    const { place, span, around, purpose } = open;
    const { status, message, end, response, held, reset, undecoded } = result;
    const reason = grpcCodeOf(status) ?? `code ${status}`;
    const error = status === 0 ? undefined : { reason, message };
    this.#writer.end(end, place, span, {
      error,
      canceled: reset !== undefined && status === 1,
      attributes: {
        ...(response ? { response: summarized(method, maskResponse(response)) } : {}),
        ...(held === undefined ? {} : { held }),
        ...(reset === undefined ? {} : { reset }),
        ...(undecoded ? { undecodedResponse: undecoded } : {}),
      },
    });
    const exitCode = response?.['exitCode'];
    const failed = error !== undefined || (typeof exitCode === 'number' && exitCode !== 0);
    for (const outer of around) {
      const attributes = purpose?.kind === 'probe' ? { result: failed ? 'failure' : 'success' } : undefined;
      const failure = failed && purpose?.kind === 'hook' ? { reason: 'HookFailed', message } : undefined;
      this.#writer.end(end, place, outer, { error: failure, ...(attributes ? { attributes } : {}) });
    }
    if (purpose?.kind === 'probe') this.#probed(open, end, !failed);
    this.#reportEnd({ ...open.call, result }, open);
  }

  #reportEnd(call: CallRecord, { place, pod, purpose }: OpenCall): void {
    if (!this.#onCall) return;
    const container = this.#registry.containerOf(call);
    const requested =
      textAt(call.request, 'config', 'image', 'userSpecifiedImage') ||
      textAt(call.request, 'config', 'image', 'image') ||
      textAt(call.request, 'image', 'image');
    const newest = pod && this.#pods.newest(pod.uid);
    const hints = specHints(newest, container?.name, call.method === 'PullImage' ? requested : undefined);
    const ofSpec = newest && containersOf(newest).find(({ name }) => name === container?.name)?.image;
    const image = requested || ofSpec || undefined;
    this.#onCall({ call, thread: place.thread, sync: place.parent, pod, container, image, purpose, hints });
  }

  #probed({ call, purpose, pod }: OpenCall, at: number, success: boolean): void {
    if (purpose?.kind !== 'probe' || !pod) return;
    const newest = this.#pods.newest(pod.uid);
    const container = newest && containersOf(newest).find(({ name }) => name === purpose.container);
    if (container) this.#probes.attempt(at, textAt(call.request, 'containerId'), purpose.probe, container, success);
  }

  /**
   * Learns the results of startup probes from a pod's status. A container that the kubelet reports as started has
   * passed its startup probe.
   */
  #learnProbes(at: number, pod: Pod, status: ApiPodStatus): void {
    for (const each of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
      const spec = containersOf(pod).find(({ name }) => name === each.name);
      const id = each.containerID?.replace(/^.*:\/\//, '') ?? '';
      if (id !== '' && each.started === true && spec?.startupProbe) this.#probes.shown(at, id, 'startup', 'success');
    }
  }

  #learnFrom(call: CallRecord): void {
    const { method, request, result } = call;
    const response = result?.response;
    this.#registry.learn(call, response);
    const pod = this.#registry.podOf(call);
    if (method === 'StopPodSandbox') this.#syncs.stopped(textAt(request, 'podSandboxId'));
    // The sandbox may have been stopped before the observation. Garbage collection stops it again.
    const isStopped = textAt(response, 'status', 'state') === 'SANDBOX_NOTREADY';
    if (method === 'PodSandboxStatus' && isRelays(call) && isStopped)
      this.#syncs.stopped(textAt(request, 'podSandboxId'));
    if (method === 'RunPodSandbox' && pod) this.#born.add(pod.uid);
    const inSync = pod && this.#syncs.openSync(pod.uid)?.calls.includes(call.number);
    const isInspection = !inSync && (method === 'PodSandboxStatus' || method === 'ContainerStatus');
    this.#cache.apply(call, isInspection);
    this.#node.answered(call, pod);
    if (isInspection && pod && !isRelays(call)) this.#syncs.inspected(pod.uid, result?.end ?? call.t);
    this.#missingImages.answered(call, response);
    if (method === 'ImageStatus' && response) this.#images.set(textAt(request, 'image', 'image'), response);
    if (method === 'Version' && response) {
      const name = textAt(response, 'runtimeName');
      this.#runtime = { name, version: textAt(response, 'runtimeVersion') };
      this.#cache.runtimeName = name;
    }
  }

  /**
   * Returns true if a sync can be judged. If answers of `/pods` are available, an answer after the sync must first show
   * the spec that the sync had. The errors of a start appear in the status one sync later.
   */
  #isReady(sync: ObservedSync, now: number): boolean {
    const end = sync.end ?? now;
    if (!this.#pods.available || now > end + answersWithin) return true;
    const starts = sync.calls.some((number) => {
      const method = this.#records.get(number)?.method;
      return method === 'ImageStatus' || method === 'RunPodSandbox' || method === 'PullImage';
    });
    return !starts && this.#pods.answeredAfter(end);
  }

  #judgeReady(now: number, isLast: boolean): void {
    const waiting = isLast ? -1 : this.#due.findIndex((sync) => !this.#isReady(sync, now));
    for (const sync of this.#due.splice(0, waiting < 0 ? this.#due.length : waiting))
      this.#work = this.#work.then(() => this.#judge.judge(sync));
  }
}
