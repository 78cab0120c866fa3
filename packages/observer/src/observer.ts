/**
 * Turns the observations of a genuine kubelet into the events of a node. Calls become the spans that our own kubelet
 * emits, syncs are assembled from the calls, and the shadow engine computes each sync for comparison.
 */
import { kubeletPoints } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Container, Pod } from '@podscope/k8s';
import type { Attributes, EventPayload } from '@podscope/trace';
import { CallWriter } from './call-writer.ts';
import { type EventPlace, EventWriter, type ObservationSink } from './event-writer.ts';
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
import { SecretValues } from './mask.ts';
import { chooseProfile, listsAfterSync, type ProfileChoice } from './releases.ts';
import type { SavedState } from './shadow/saved-memories.ts';
import { readContainerEvent } from './state/container-events.ts';
import { numberAt, textAt } from './state/fields.ts';
import { InferredNode } from './state/inferred-node.ts';
import { KubeletConnections } from './state/kubelet-connections.ts';
import { MissingImages } from './state/missing-images.ts';
import { NodeFacts } from './state/node-facts.ts';
import { ObservedPodCache } from './state/pod-cache.ts';
import { PodsSource } from './state/pods-source.ts';
import type { ProbeCount } from './state/probe-counts.ts';
import { containersOf, type ExecPurpose, ProbeTracker, purposeOf } from './state/probes.ts';
import { ObjectRegistry, type PodName } from './state/registry.ts';
import { isSameImage } from './state/tagged-image.ts';
import { type WaitingWork, waitingWork } from './state/waiting-work.ts';
import { answersWithin, placeOf, SyncJudge, type SyncJudgeOptions } from './sync-judge.ts';
import { type CallRole, isWrite, podOf, SyncAssembler } from './syncs/assembler.ts';
import type { ObservedSync } from './syncs/sync.ts';
import { UndecidedCalls } from './syncs/undecided-calls.ts';
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

const isAlwaysPulled = ({ image = '', imagePullPolicy }: Container, pulled: string): boolean =>
  imagePullPolicy === 'Always' && isSameImage(image, pulled);

/** Returns true for a call that the relay made itself: it reads the state of the runtime when a debugger connects. */
const isRelays = ({ metadata }: ObservedCall): boolean => metadata['user-agent']?.startsWith('podscope-relay') === true;

const keptCalls = 20_000;
/**
 * How long a deleted pod is remembered, in milliseconds. The kubelet keeps a back-off as long: twice the longest period
 * (Backoff.GC), and a static pod can return with the same UID.
 */
const keptAfterDeletion = 600_000;
/** Interval at which deleted pods are looked for, in milliseconds. */
const forgetEvery = 60_000;

export class Observer {
  readonly #writer: EventWriter;
  readonly #calls: CallWriter;
  readonly #registry = new ObjectRegistry();
  readonly #secrets = new SecretValues();
  readonly #cache = new ObservedPodCache(this.#registry);
  readonly #pods = new PodsSource();
  readonly #probes = new ProbeTracker();
  readonly #records = new Map<number, CallRecord>();
  readonly #syncs = new SyncAssembler((number) => this.#records.get(number));
  readonly #undecided = new UndecidedCalls();
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
  readonly #connections = new KubeletConnections();
  readonly #judge: SyncJudge;
  readonly #inferred: InferredNode;
  #work: Promise<void> = Promise.resolve();
  /** Time of the newest call. */
  #observedAt = 0;
  #forgotAt = 0;
  /** When the earlier process saved its state. Pods of which only that state is known were deleted before. */
  #savedAt = 0;
  #facts: KubeletFacts;
  #runtime: { readonly name: string; readonly version: string } | undefined;

  constructor(options: ObserverOptions) {
    this.#facts = options.facts;
    this.#syncs.listsAfterSync = listsAfterSync(options.facts.version);
    this.#writer = new EventWriter(options.sink, options.earlier?.spans, this.#secrets);
    this.#calls = new CallWriter({
      writer: this.#writer,
      registry: this.#registry,
      pods: this.#pods,
      probes: this.#probes,
      secrets: this.#secrets,
      onCall: options.onCall,
    });
    const facts = (): KubeletFacts => this.#facts;
    const profile = (): ProfileChoice => this.profile;
    const runtime = (): Observer['runtime'] => this.#runtime;
    const starts = (): readonly number[] => this.#connections.starts;
    const state = {
      records: this.#records,
      pods: this.#pods,
      cache: this.#cache,
      probes: this.#probes,
      images: this.#images,
      spans: this.#calls.spans,
      born: this.#born,
      removed: this.#removed,
      gaps: this.#gaps,
      podOf: (call: CallRecord) => this.#registry.podOf(call),
      networkReadyAt: (time: number) => this.#node.networkReadyAt(time),
      logsOf: (uid: string, time: number) => this.#node.logsOf(uid, time),
      logKept: (container: string) => this.#node.logKept(container),
      get starts() {
        return starts();
      },
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
    this.#syncs.claimed = (pod, call) => this.#undecided.claimedBy({ trace: undefined, pod }, call);
    // Upstream: EnsureImageExists (v1.36). v1.20 looks for the image under each policy.
    this.#undecided.pullsUnread = ({ uid }, image) => {
      const pod = this.profile.profile === 'v1.36' ? this.#pods.newest(uid) : undefined;
      return pod !== undefined && containersOf(pod).some((each) => isAlwaysPulled(each, image));
    };
    this.#gaps.begin(Number.NEGATIVE_INFINITY);
    const saved = options.earlier?.state;
    if (!saved) return;
    this.#savedAt = saved.at;
    this.#judge.restore(saved.memories);
    this.#probes.restore(saved.at, saved.probes);
    for (const sandbox of saved.stopped) this.#syncs.stopped(sandbox);
  }

  /**
   * Returns the state of this observer, for a process that continues the observation: back-offs, also of pods that were
   * deleted recently, and probe results and last statuses of the existing pods. All other state follows from the
   * runtime's own lists.
   */
  state(): SavedState {
    const pods = this.currentPods.map(({ metadata }) => metadata.uid);
    const objects = new Set(pods.flatMap((uid) => this.#cache.listed(uid)));
    return {
      at: this.#observedAt,
      memories: this.#judge.saved(),
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
   * @param relay identifies the relay's process
   */
  resumed(at: number, relay: string): void {
    this.#gaps.end(at);
    this.#connections.resumed(relay);
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
    return this.#calls.open.get(number);
  }

  /**
   * Returns the work that waits while a call is held: other calls of its pod, and, for a pull, the pulls of other pods.
   * The pulls of other pods are inferred from the images that the runtime doesn't have.
   */
  waitingBehind(number: number): readonly WaitingWork[] {
    const held = this.#calls.open.get(number);
    if (!held) return [];
    const isSerial = this.#facts.serializeImagePulls !== false;
    const awaited = isSerial ? this.#missingImages.awaitedBy(this.currentPods) : [];
    return waitingWork(held, [...this.#calls.open.values()], awaited);
  }

  /** Applies the start of a call. */
  callStarted(call: ObservedCall): void {
    this.#sources.add('cri');
    this.#gaps.end(call.t);
    this.#observedAt = Math.max(this.#observedAt, call.t);
    this.#missingImages.started(call);
    this.#connections.called(call);
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
      this.#calls.begin(record, sync, pod, purpose);
    } else if (!this.#undecided.started(record)) this.#calls.begin(record, undefined, pod, purpose);
  }

  /** Applies the end of a call. */
  callEnded(number: number, result: CallResult): void {
    const call = this.#records.get(number);
    if (!call) return;
    const record: CallRecord = { ...call, result };
    this.#records.set(number, record);
    if (result.status === 0) this.#learnFrom(record);
    this.#undecided.ended(record);
    this.#calls.end(record, result);
    this.#inferred.ended(record);
    this.tick(result.end);
  }

  /** Applies a message of a stream that is still open: an event of the runtime about a container or a sandbox. */
  callMessage(number: number, at: number, message: CallMessage): void {
    if (this.#records.get(number)?.method !== 'GetContainerEvents') return;
    const event = readContainerEvent(message);
    const learn = (method: string, status: CallMessage): void =>
      this.#registry.learn({ method, request: undefined }, { status });
    if (event.sandbox) learn('PodSandboxStatus', event.sandbox);
    for (const status of event.containers) learn('ContainerStatus', status);
    const object = this.#registry.get(event.id);
    if (object) {
      this.#cache.applyEvent(object.pod, event, at);
      this.#syncs.inspected(object.pod.uid, at);
      this.#inferred.event(event, at);
      this.#calls.message(number, at, event, object);
    }
    this.tick(at);
  }

  /** Applies an answer of `GET /pods`, or the node's pods as the API server returns them. */
  pods(snapshot: PodsSnapshot, source: 'pods' | 'api' = 'pods'): void {
    this.#sources.add(source);
    this.#inferred.end(snapshot.t, snapshot.pods);
    const nodeName =
      this.#facts.nodeName ?? snapshot.pods.find(({ spec }) => spec.nodeName !== undefined)?.spec.nodeName;
    if (nodeName !== this.#facts.nodeName) this.learn({ nodeName });
    // Clients get the newest pods from here, too, so the pods are masked before they are kept.
    const pods = snapshot.pods.map((pod) => this.#secrets.pod(pod));
    for (const { operation, pod, statusChanged } of this.#pods.apply({ t: snapshot.t, pods })) {
      const { uid, name, namespace = '' } = pod.metadata;
      const place = { thread: 'kubelet', pod: { uid, name, namespace }, source };
      this.#writer.emit(snapshot.t, place, { type: 'podChanged', operation, object: { ...pod } });
      if (!statusChanged || !pod.status) continue;
      this.#writer.emit(snapshot.t, place, { type: 'podStatus', status: { ...pod.status } });
      this.#learnProbes(snapshot.t, pod, pod.status);
    }
    this.tick(snapshot.t);
  }

  /** Applies the attempts of all probes, as the kubelet's metrics count them. */
  probeCounts(at: number, counts: readonly ProbeCount[]): void {
    this.#probes.counts.apply(at, counts);
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
    if (sync) {
      this.#openSync(sync);
      for (const number of sync.calls) this.#decide(number, sync);
      this.#calls.syncSpan(span.id, sync);
    } else if (span.name === 'syncTerminatedPod') this.#terminated(span);
    else if (span.parent === '') this.#calls.nodeSpan(span);
    else this.#calls.innerSpan(span);
    this.tick(span.end);
  }

  /** Writes the last sync of a pod, which makes no CRI call. Upstream: Kubelet.SyncTerminatedPod (v1.36). */
  #terminated({ t, end, error, attributes }: ObservedSpan): void {
    const pod = podOf(attributes);
    if (!pod) return;
    const place: EventPlace = { thread: pod.uid, pod, source: 'otlp' };
    const failure = { error: error === undefined ? undefined : { reason: 'Error', message: error } };
    const worker = this.#writer.begin(t, place, this.#workerPoint(), { uid: pod.uid, bounds: 'span' });
    const inner: EventPlace = { ...place, parent: worker };
    const span = this.#writer.begin(t, inner, kubeletPoints.syncTerminatedPod, {});
    this.#writer.end(end, inner, span, failure);
    this.#writer.end(end, place, worker, failure);
  }

  /** Evaluates the syncs that are due at a time. Call it regularly, even when no observation arrives. */
  tick(now: number): void {
    for (const { number } of this.#undecided.overdue(now)) this.#decide(number, undefined);
    this.#inferred.tick(now);
    this.#due.push(...this.#syncs.due(now));
    this.#judgeReady(now, false);
    if (now < this.#forgotAt + forgetEvery) return;
    this.#forgotAt = now;
    for (const uid of this.#deletedBefore(now - keptAfterDeletion)) this.#forgetPod(uid);
  }

  /** The number of calls in memory. */
  get keptCalls(): number {
    return this.#records.size;
  }

  /** The UIDs of the pods about which this observer has state: those that exist, and those deleted recently. */
  get rememberedPods(): ReadonlySet<string> {
    return new Set([...this.#pods.uids, ...this.#cache.uids, ...this.#judge.uids]);
  }

  /** Returns the pods that the kubelet no longer reports, and whose last object was removed, before a time. */
  #deletedBefore(time: number): readonly string[] {
    return [...this.rememberedPods].filter(
      (uid) => (this.#pods.goneAt(uid) ?? this.#savedAt) < time && (this.#cache.emptyAt(uid) ?? this.#savedAt) < time,
    );
  }

  #forgetPod(uid: string): void {
    const objects = this.#registry.forget(uid);
    this.#pods.forget(uid);
    this.#secrets.forget(uid);
    this.#cache.forget(uid, objects);
    this.#probes.forget(new Set(objects));
    this.#probes.counts.forget(uid);
    this.#syncs.forget(uid, objects);
    this.#judge.forget(uid);
    this.#inferred.forget(uid);
    this.#born.delete(uid);
    for (const id of objects) this.#removed.delete(id);
  }

  /** Evaluates all remaining syncs. */
  async finish(now: number): Promise<void> {
    for (const { number } of this.#undecided.all) this.#decide(number, undefined);
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
    for (const oldest of this.#records.keys()) {
      // A stream of events is in flight as long as the kubelet runs.
      if (this.#calls.open.has(oldest)) continue;
      this.#records.delete(oldest);
      this.#calls.forget(oldest);
      return;
    }
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
    // A sync begins after the inspection that it uses, so an earlier request is that of another pod.
    const inspectedAt = sync.trace === undefined ? this.#syncs.inspectedAt(sync.pod.uid) : undefined;
    const earliest = Math.min(sync.start, inspectedAt ?? Number.NEGATIVE_INFINITY);
    for (const record of this.#undecided.claimedBy(sync, call)) {
      if (record.t < earliest) continue;
      if (!sync.calls.includes(record.number)) sync.calls.unshift(record.number);
      if (record.t < sync.start) sync.start = record.t;
      this.#decide(record.number, sync);
    }
  }

  /** Writes a call whose sync was unknown when it started. */
  #decide(number: number, sync: ObservedSync | undefined): void {
    const record = this.#undecided.take(number);
    if (!record) return;
    this.#calls.begin(record, sync, sync?.pod, undefined);
    if (record.result) this.#calls.end(record, record.result);
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

  /** Returns true if the runtime has no other sandbox of a pod than those whose removal has begun. */
  #isWithoutSandboxes(uid: string): boolean {
    return this.#cache.listedSandboxes(uid).every((id) => this.#removed.has(id));
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
    const reader = isRelays(call) ? 'relay' : 'kubelet';
    this.#cache.apply(call, isInspection ? reader : undefined);
    this.#node.answered(call, pod);
    if (method === 'RemovePodSandbox' && pod && this.#isWithoutSandboxes(pod.uid))
      this.#node.sandboxesRemoved(pod.uid, result?.end ?? call.t);
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
