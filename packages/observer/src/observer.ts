/**
 * Makes the events of a node from what is observed of its genuine kubelet: calls become the spans that our own kubelet
 * emits, syncs are assembled from them, and the shadow engine computes each sync beside it.
 */
import { parseGoDuration } from '@podscope/base';
import { kubeletPoints, kuberuntimePoints } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import type { PodStatus } from '@podscope/kuberuntime';
import { type Attributes, grpcCodeOf, instant } from '@podscope/trace';
import { callPoint, type EventPlace, EventWriter, type ObservationSink } from './event-writer.ts';
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
import { chooseProfile, gatesOf, listsAfterSync, type ProfileChoice } from './releases.ts';
import { describeCall } from './shadow/identity.ts';
import { type Judged, judge, type Verdict, writesOf } from './shadow/judge.ts';
import { ShadowMemories, withoutStatus } from './shadow/memories.ts';
import type { ShadowInput, ShadowMemory, SyncKind } from './shadow/shadow-run.ts';
import { listAt, textAt } from './state/fields.ts';
import { ObservedPodCache } from './state/pod-cache.ts';
import { PodsSource } from './state/pods-source.ts';
import { containersOf, type ExecPurpose, ProbeTracker, purposeOf } from './state/probes.ts';
import { ObjectRegistry, type PodName } from './state/registry.ts';
import { type CallRole, isWrite, SyncAssembler, traceOf } from './syncs/assembler.ts';
import { InnerSpans } from './syncs/inner-spans.ts';
import type { ObservedSync } from './syncs/sync.ts';

/** A judged sync of the observed kubelet. */
export interface SyncReport {
  readonly sync: ObservedSync;
  readonly calls: readonly CallRecord[];
  readonly judged: Verdict;
  readonly input: ShadowInput | undefined;
}

export interface ObserverOptions {
  readonly sink: ObservationSink;
  readonly facts: KubeletFacts;
  /** Changes the profile that syncs are computed with, for tests that break a rule. */
  readonly alter?: ShadowInput['alter'];
  /** Called with each judged sync. */
  readonly onSync?: (report: SyncReport) => void;
}

/** Where a call's span is, until the call ends. */
interface OpenCall {
  readonly call: ObservedCall;
  /** The values of its span, masked. */
  readonly attributes: Attributes;
  readonly place: EventPlace;
  readonly span: number;
  /** The spans around it that end with it, innermost first. */
  readonly around: readonly number[];
  readonly purpose: ExecPurpose | undefined;
  readonly pod: PodName | undefined;
}

const keptCalls = 20_000;
const defaultMaxRestartPeriod = 300_000;
/** How long the owner of an image's status call may stay open, in milliseconds. */
const undecidedFor = 1_000;
/** How long to wait for an answer of `/pods` after a sync, in milliseconds. */
const answersWithin = 3_000;
/** Garbage collection removes a sandbox within this time after stopping it, in milliseconds. */
const removedWithin = 500;

/** The thread of a node-wide call, by method. */
const threads: Readonly<Record<string, string>> = {
  ListPodSandbox: 'pleg',
  ListContainers: 'pleg',
  PodSandboxStatus: 'pleg',
  ContainerStatus: 'pleg',
  GetContainerEvents: 'pleg',
  Version: 'runtimeCheck',
  Status: 'runtimeCheck',
  RuntimeConfig: 'runtimeCheck',
  UpdateRuntimeConfig: 'runtimeCheck',
  ListImages: 'imageGC',
  RemoveImage: 'imageGC',
  ImageFsInfo: 'stats',
  ImageStatus: 'images',
  RemoveContainer: 'garbageCollection',
  RemovePodSandbox: 'garbageCollection',
  StopPodSandbox: 'garbageCollection',
};

const threadOf = ({ method, request }: ObservedCall): string => {
  const state = (request?.['filter'] as CallMessage | undefined)?.['state'];
  if (state !== undefined && method.startsWith('List')) return 'housekeeping';
  return threads[method] ?? (/Stats|Metric/.test(method) ? 'stats' : 'kubeletAPI');
};

/** The answers of node-wide calls are large and repeat each second: only their size is kept. */
const summarized = (method: string, response: CallMessage | undefined): Attributes | undefined => {
  if (!response || !/^(List|Stream)|^ImageFsInfo$/.test(method)) return response;
  const lists = Object.entries(response).filter(([, value]) => Array.isArray(value));
  return Object.fromEntries(lists.map(([name]) => [name, `${listAt(response, name).length} items`]));
};

export class Observer {
  readonly #writer: EventWriter;
  readonly #options: ObserverOptions;
  readonly #registry = new ObjectRegistry();
  readonly #cache = new ObservedPodCache(this.#registry);
  readonly #pods = new PodsSource();
  readonly #probes = new ProbeTracker();
  readonly #records = new Map<number, CallRecord>();
  readonly #syncs = new SyncAssembler((number) => this.#records.get(number));
  readonly #open = new Map<number, OpenCall>();
  readonly #inner = new InnerSpans();
  /** Where the spans of calls are, for the runtime's spans inside of them. */
  readonly #places = new Map<number, EventPlace>();
  /** The spans of calls in the log. */
  readonly #spans = new Map<number, number>();
  readonly #undecided: CallRecord[] = [];
  readonly #images = new Map<string, CallMessage>();
  readonly #memories = new ShadowMemories();
  readonly #sources = new Set<SourceName>();
  /** Pods whose first sandbox was made during the observation. */
  readonly #born = new Set<string>();
  /** Syncs that have ended and are not judged yet. */
  readonly #due: ObservedSync[] = [];
  /** When the removal of each sandbox began. */
  readonly #removed = new Map<string, number>();
  /** Pods that the kubelet has begun to kill. */
  readonly #killed = new Set<string>();
  #work: Promise<void> = Promise.resolve();
  #facts: KubeletFacts;
  #runtime: { readonly name: string; readonly version: string } | undefined;

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#facts = options.facts;
    this.#syncs.listsAfterSync = listsAfterSync(options.facts.version);
    this.#writer = new EventWriter(options.sink);
  }

  /** The sources that have delivered something. */
  get sources(): ReadonlySet<SourceName> {
    return this.#sources;
  }

  /** The runtime as its Version call names it. */
  get runtime(): { readonly name: string; readonly version: string } | undefined {
    return this.#runtime;
  }

  get facts(): KubeletFacts {
    return this.#facts;
  }

  get profile(): ProfileChoice {
    return chooseProfile(this.#facts.version);
  }

  /** The pods that exist, by the kubelet's own account. */
  get currentPods(): readonly Pod[] {
    return this.#pods.current();
  }

  /** Sets what another source reports about the kubelet. */
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

  /** Applies the start of a call. */
  callStarted(call: ObservedCall): void {
    this.#sources.add('cri');
    this.tick(call.t);
    const record: CallRecord = { ...call, result: undefined };
    this.#remember(record);
    if (call.method === 'RemovePodSandbox') this.#removed.set(textAt(call.request, 'podSandboxId'), call.t);
    const pod = this.#registry.podOf(call);
    const object = this.#registry.objectOf(call);
    const purpose =
      call.method === 'ExecSync'
        ? purposeOf(pod && this.#pods.newest(pod.uid), object?.name ?? '', call.request)
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
    this.tick(result.end);
  }

  /** Applies an answer of `GET /pods`. */
  pods(snapshot: PodsSnapshot): void {
    this.#sources.add('pods');
    for (const { operation, pod, statusChanged } of this.#pods.apply(snapshot)) {
      const { uid, name, namespace = '' } = pod.metadata;
      const place = { thread: 'kubelet', pod: { uid, name, namespace }, source: 'pods' } as const;
      this.#writer.emit(snapshot.t, place, { type: 'podChanged', operation, object: { ...pod } });
      if (!statusChanged || !pod.status) continue;
      this.#writer.emit(snapshot.t, place, { type: 'podStatus', status: { ...pod.status } });
      this.#learnProbes(snapshot.t, pod, pod.status);
    }
    this.tick(snapshot.t);
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

  /** Writes a span of the runtime below the call that it is inside of. */
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

  /** Evaluates what is due at a time. Call it now and then while nothing else happens. */
  tick(now: number): void {
    for (const record of [...this.#undecided])
      if (record.t + undecidedFor < now) this.#decide(record.number, undefined);
    this.#due.push(...this.#syncs.due(now));
    this.#judgeReady(now, false);
  }

  /** Evaluates everything that is left. */
  async finish(now: number): Promise<void> {
    for (const { number } of [...this.#undecided]) this.#decide(number, undefined);
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

  #roleOf(call: ObservedCall, pod: PodName | undefined, purpose: ExecPurpose | undefined): CallRole {
    if (purpose) return purpose.kind === 'hook' ? 'worker' : 'probe';
    if (pod && isWrite(call.method)) return 'worker';
    return pod ? 'read' : 'node';
  }

  #openSync(sync: ObservedSync): void {
    if (sync.span !== undefined) return;
    sync.begun = sync.start;
    sync.span = this.#writer.begin(sync.start, this.#placeOf(sync), this.#workerPoint(), {
      uid: sync.pod.uid,
      bounds: sync.bounds,
    });
  }

  #workerPoint(): typeof kubeletPoints.podWorkerLoop | typeof kubeletPoints.managePodLoop {
    return this.profile.profile === 'v1.36' ? kubeletPoints.podWorkerLoop : kubeletPoints.managePodLoop;
  }

  #placeOf({ pod, bounds }: ObservedSync): EventPlace {
    const isExact = bounds === 'span';
    return { thread: pod.uid, pod, source: isExact ? 'otlp' : 'cri', inferred: !isExact };
  }

  /** Assigns status calls of images to the sync that their image or trace belongs to. */
  #claim(sync: ObservedSync, call: CallRecord): void {
    const image =
      textAt(call.request, 'config', 'image', 'userSpecifiedImage') || textAt(call.request, 'image', 'image');
    for (const record of [...this.#undecided]) {
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

  /** Writes a call whose sync was not known at first. */
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
    const thread = sync ? sync.pod.uid : purpose?.kind === 'probe' ? `probe ${purpose.container}` : threadOf(call);
    const place: EventPlace = { thread, pod: sync?.pod ?? pod, parent: sync?.span, source: 'cri' };
    const around = this.#aroundExec(call, place, purpose);
    const innermost = around[0] ?? sync?.span;
    const newest = place.pod && this.#pods.newest(place.pod.uid);
    const object = this.#registry.objectOf(call);
    const attributes: Attributes = {
      request: call.request && maskRequest(call.method, call.request, newest),
      ...(object && object.name !== 'POD' ? { container: object.name, attempt: object.attempt } : {}),
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

  /** Opens the span of the probe or hook that an ExecSync call runs. */
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
  }

  #probed({ call, purpose, pod }: OpenCall, at: number, success: boolean): void {
    if (purpose?.kind !== 'probe' || !pod) return;
    const newest = this.#pods.newest(pod.uid);
    const container = newest && containersOf(newest).find(({ name }) => name === purpose.container);
    if (container) this.#probes.attempt(at, textAt(call.request, 'containerId'), purpose.probe, container, success);
  }

  /** A container that the kubelet reports as started has passed its startup probe. */
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
    if (method === 'RunPodSandbox' && pod) this.#born.add(pod.uid);
    const inSync = pod && this.#syncs.openSync(pod.uid)?.calls.includes(call.number);
    const isInspection = !inSync && (method === 'PodSandboxStatus' || method === 'ContainerStatus');
    this.#cache.apply(call, isInspection);
    if (isInspection && pod) this.#syncs.inspected(pod.uid, result?.end ?? call.t);
    if (method === 'ImageStatus' && response) this.#images.set(textAt(request, 'image', 'image'), response);
    if (method === 'Version' && response) {
      const name = textAt(response, 'runtimeName');
      this.#runtime = { name, version: textAt(response, 'runtimeVersion') };
      this.#cache.runtimeName = name;
    }
  }

  /** A sync is judged when an answer of `/pods` after it shows the spec that it had, if that source is in use. */
  #isReady(sync: ObservedSync, now: number): boolean {
    const end = sync.end ?? now;
    return !this.#pods.available || this.#pods.answeredAfter(end) || now > end + answersWithin;
  }

  #judgeReady(now: number, isLast: boolean): void {
    while (this.#due[0] && (isLast || this.#isReady(this.#due[0], now))) {
      const sync = this.#due.shift();
      if (sync) this.#work = this.#work.then(() => this.#judge(sync));
    }
  }

  async #judge(sync: ObservedSync): Promise<void> {
    const calls = sync.calls
      .map((number) => this.#records.get(number))
      .filter((call) => call !== undefined)
      .toSorted((a, b) => a.t - b.t)
      .filter((call) => !this.#isCollected(call));
    // The relay sees the end of a call that the kubelet gave up a little later than the kubelet.
    const end = Math.max(sync.end ?? sync.start, ...calls.map(({ result }) => result?.end ?? 0));
    if (sync.kind === undefined && calls.length === 0) {
      if (sync.span !== undefined) this.#writer.end(end, { ...this.#placeOf(sync), parent: sync.span }, sync.span);
      return;
    }
    const specs = this.#pods.candidates(sync.pod.uid, sync.start).map(withoutStatus);
    const [pod, ...otherSpecs] = specs;
    const place = { ...this.#placeOf(sync), parent: sync.span };
    if (sync.span === undefined) return;
    if (!pod) {
      const counts = writesOf(calls).length > 0;
      const detail = this.#sources.has('pods') ? 'no answer of /pods has the pod' : 'the source /pods is missing';
      this.#report(sync, calls, {
        verdict: 'unknown',
        missing: { input: 'podSpec', detail },
        differences: [],
        counts,
        kind: sync.kind ?? 'sync',
      });
      this.#writer.end(end, place, sync.span, {
        attributes: { verdict: 'unknown', counts, missing: 'podSpec', detail },
      });
      return;
    }
    const input = this.#inputFor(sync, calls, pod, end);
    const kindIsKnown = sync.kind !== undefined || this.#pods.available;
    const judged = await judge({
      input,
      otherSpecs,
      kindIsKnown,
      isExact: sync.kind !== undefined,
      ownReason: this.#pods.statusAt(sync.pod.uid, end + answersWithin)?.reason,
      isOlder: !this.#born.has(sync.pod.uid),
      unseen: this.#cache.unseen(sync.pod.uid, sync.start),
    });
    this.#memories.store(input, judged);
    this.#writeShadow(sync, end, judged);
    this.#report(sync, calls, judged, input);
  }

  /** Garbage collection stops each sandbox right before it removes it. */
  #isCollected({ method, request, result }: CallRecord): boolean {
    const sandbox = textAt(request, 'podSandboxId');
    const removed = this.#removed.get(sandbox);
    return method === 'StopPodSandbox' && removed !== undefined && removed - (result?.end ?? removed) < removedWithin;
  }

  #inputFor(sync: ObservedSync, calls: readonly CallRecord[], pod: Pod, end: number): ShadowInput {
    const { uid, name, namespace } = sync.pod;
    const { profile } = this.profile;
    const kind = sync.kind ?? this.#inferredKind(sync, calls);
    const podStatus = this.#cache.at(uid, sync.start) ?? {
      id: uid,
      name,
      namespace,
      ips: [],
      sandboxStatuses: [],
      containerStatuses: [],
      activeContainerStatuses: [],
      timestamp: instant(sync.start),
    };
    return {
      profile,
      gates: gatesOf(this.#facts.version, this.#facts.featureGates),
      kind,
      pod,
      podStatus,
      start: sync.start,
      calls,
      memory: this.#memoryOf(pod, podStatus, sync.start),
      reads: {
        sandboxStatus: (id) => this.#cache.sandboxStatus(id),
        containerStatus: (id) => this.#cache.containerAnswer(id),
        image: (image) => this.#images.get(image),
      },
      liveness: this.#probes.at('liveness', sync.start),
      startup: this.#probes.at('startup', sync.start),
      runtimeName: this.#runtime?.name ?? 'containerd',
      maxRestartPeriod: this.#facts.maxContainerRestartPeriod ?? defaultMaxRestartPeriod,
      configErrors: configErrorsIn(this.#pods.statusesBetween(uid, sync.start, end + answersWithin)),
      httpHooksFail: false,
      terminationRequested: kind === 'terminating',
      ...(profile === 'v1.20' && kind === 'terminating' ? this.#killOf(uid, sync.start) : {}),
      alter: this.#options.alter,
    };
  }

  /** A back-off from before the observation is known if the pod's status names it. */
  #memoryOf(pod: Pod, { containerStatuses }: PodStatus, time: number): ShadowMemory {
    const { uid } = pod.metadata;
    const memory = this.#memories.of(uid);
    if (this.#born.has(uid)) return memory;
    const status = this.#pods.statusAt(uid, time);
    const { backOffKey } = kubeletProfiles[this.profile.profile].runtime;
    const backOffs = new Map(memory.backOffs);
    for (const container of containersOf(pod)) {
      const key = backOffKey(pod, container);
      const shown = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
      const waiting = shown.find(({ name }) => name === container.name)?.state?.waiting?.message;
      const backoff = parseGoDuration(/^back-off (\S+) restarting/.exec(waiting ?? '')?.[1] ?? '');
      const startedAt = containerStatuses.find(({ name }) => name === container.name)?.startedAt;
      if (backoff !== undefined && startedAt !== undefined && !backOffs.has(key))
        backOffs.set(key, { backoff, lastUpdate: startedAt });
    }
    return { ...memory, backOffs };
  }

  /** v1.20 kills what its runtime cache shows; the second time without the pod, which it has forgotten. */
  #killOf(uid: string, time: number): Pick<ShadowInput, 'running' | 'isOrphan'> {
    const isOrphan = this.#killed.has(uid);
    this.#killed.add(uid);
    return { running: this.#cache.running(uid, time), isOrphan };
  }

  #inferredKind({ pod, start }: ObservedSync, calls: readonly CallRecord[]): SyncKind {
    const starts = calls.some(({ method }) => /^(Run|Create|Start|Pull)/.test(method));
    if (starts) return 'sync';
    const isEnding = this.#memories.isTerminal(pod.uid) || this.#pods.terminationAfter(pod.uid, start) !== undefined;
    return isEnding ? 'terminating' : 'sync';
  }

  /** Writes what the shadow engine did, below the sync, and ends the sync's span with the verdict. */
  #writeShadow(sync: ObservedSync, end: number, judged: Judged): void {
    const { verdict, missing, differences, outcome, kind } = judged;
    if (sync.span === undefined) return;
    const place: EventPlace = { ...this.#placeOf(sync), parent: sync.span };
    const shadow: EventPlace = { ...place, source: 'shadow', inferred: true };
    const point = kind === 'terminating' ? kubeletPoints.syncTerminatingPod : kubeletPoints.syncPod;
    const spansOf = (numbers: readonly (number | undefined)[]): readonly (number | undefined)[] =>
      numbers.map((number) => (number === undefined ? undefined : this.#spans.get(number)));
    const span = this.#writer.begin(sync.begun, shadow, point, { profile: this.profile.profile });
    this.#writer.copy(
      { from: sync.begun, to: end },
      { ...shadow, parent: span },
      outcome.events,
      spansOf(outcome.answers),
    );
    this.#writer.end(end, shadow, span);
    this.#writer.end(end, place, sync.span, {
      attributes: {
        verdict,
        counts: judged.counts,
        kind,
        bounds: sync.bounds,
        approximate: this.profile.approximate,
        predicted: outcome.predictions.map((prediction) => ({
          call: describeCall(prediction),
          at: prediction.at,
          followedBy: spansOf([prediction.call])[0],
        })),
        ...(differences.length === 0
          ? {}
          : { differences: differences.map(({ side, text }) => ({ side, call: text })) }),
        ...(missing ? { missing: missing.input, detail: missing.detail } : {}),
      },
    });
  }

  #report(sync: ObservedSync, calls: readonly CallRecord[], judged: Verdict, input?: ShadowInput): void {
    this.#options.onSync?.({ sync, calls, judged, input });
  }
}

/** Returns why containers could not be configured, by name, as statuses report it. */
function configErrorsIn(statuses: readonly ApiPodStatus[]): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const status of statuses) {
    for (const { name, state } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
      if (state?.waiting?.reason === 'CreateContainerConfigError') errors.set(name, state.waiting.message ?? '');
    }
  }
  return errors;
}
