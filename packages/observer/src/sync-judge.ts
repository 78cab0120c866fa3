/**
 * Judges the syncs of an observed kubelet: prepares the inputs of the shadow engine, and writes the result to the log.
 */
import { parseGoDuration } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import type { PodStatus } from '@podscope/kuberuntime';
import { type Attributes, instant } from '@podscope/trace';
import type { EventPlace, EventWriter } from './event-writer.ts';
import type { Gaps } from './gaps.ts';
import type { CallMessage, CallRecord, KubeletFacts } from './inputs.ts';
import { gatesOf, type ProfileChoice } from './releases.ts';
import { describeCall } from './shadow/identity.ts';
import { type Judged, judge, type Verdict, writesOf } from './shadow/judge.ts';
import { ShadowMemories, withoutStatus } from './shadow/memories.ts';
import type { SavedMemories } from './shadow/saved-memories.ts';
import type { ShadowInput, ShadowMemory, SyncKind } from './shadow/shadow-run.ts';
import { textAt } from './state/fields.ts';
import type { ObservedPodCache } from './state/pod-cache.ts';
import type { PodsSource } from './state/pods-source.ts';
import { containersOf, type ProbeTracker } from './state/probes.ts';
import type { PodName } from './state/registry.ts';
import type { ObservedSync } from './syncs/sync.ts';

/** The observed state against which syncs are judged. */
export interface ObservedState {
  readonly records: ReadonlyMap<number, CallRecord>;
  readonly pods: PodsSource;
  readonly cache: ObservedPodCache;
  readonly probes: ProbeTracker;
  /** The newest answer of ImageStatus by image. */
  readonly images: ReadonlyMap<string, CallMessage>;
  /** The span in the log by call number. */
  readonly spans: ReadonlyMap<number, number>;
  /** UIDs of the pods whose first sandbox was created during the observation. */
  readonly born: ReadonlySet<string>;
  /** The time at which the removal of each sandbox began. */
  readonly removed: ReadonlyMap<string, number>;
  /** Returns the pod that a call affects. */
  readonly podOf: (call: CallRecord) => PodName | undefined;
  /** Returns false if the newest answer of Status says that the network isn't ready. */
  readonly networkReadyAt: (time: number) => boolean;
  /**
   * Returns the log files that the observed containers of a pod had left: for each container name, the number of the
   * newest file.
   */
  readonly logsOf: (uid: string, time: number) => ReadonlyMap<string, number>;
  /** Records that the kubelet kept the log file of a container that it removed. */
  readonly logKept: (container: string) => void;
  /** The times at which the kubelet started. */
  readonly starts: readonly number[];
  /** The times without an observation. */
  readonly gaps: Gaps;
  readonly facts: KubeletFacts;
  readonly profile: ProfileChoice;
  readonly runtime: { readonly name: string } | undefined;
}

/** A judged sync of the observed kubelet. */
export interface SyncReport {
  readonly sync: ObservedSync;
  readonly calls: readonly CallRecord[];
  readonly judged: Verdict;
  readonly input: ShadowInput | undefined;
}

export interface SyncJudgeOptions {
  /** Changes the profile with which syncs are computed. Tests use it to break a rule. */
  readonly alter?: ShadowInput['alter'];
  /** Called with each judged sync. */
  readonly onSync?: (report: SyncReport) => void;
}

const defaultMaxRestartPeriod = 300_000;
/** Maximum time until an answer of `/pods` shows the effects of a sync, in milliseconds. */
export const answersWithin = 3_000;
/** Maximum time between the removal of a container by a sync and the sync's other calls, in milliseconds. */
const removalsAround = 1_000;
/** Maximum time between the stop and the removal of a sandbox by garbage collection, in milliseconds. */
const removedWithin = 500;

/** Returns the place of a sync's span. */
export function placeOf({ pod, bounds }: ObservedSync): EventPlace {
  const isExact = bounds === 'span';
  return { thread: pod.uid, pod, source: isExact ? 'otlp' : 'cri', inferred: !isExact };
}

export class SyncJudge {
  readonly #state: ObservedState;
  readonly #writer: EventWriter;
  readonly #options: SyncJudgeOptions;
  readonly #memories = new ShadowMemories();
  /** UIDs of the pods that the kubelet has begun to kill. */
  readonly #killed = new Set<string>();
  /** The start of the newest sync of each pod that was compared with its calls. */
  readonly #compared = new Map<string, number>();
  /** The newest start of the kubelet for which the memories have been cleared. */
  #forgotten = 0;

  constructor(state: ObservedState, writer: EventWriter, options: SyncJudgeOptions) {
    this.#state = state;
    this.#writer = writer;
    this.#options = options;
  }

  /** Returns the shadow engine's memories of the pods, as data. */
  saved(): SavedMemories {
    return this.#memories.saved();
  }

  /** Continues with the memories of an earlier process. */
  restore(saved: SavedMemories): void {
    this.#memories.restore(saved);
  }

  /** The UIDs of the pods that the shadow engine remembers. */
  get uids(): Iterable<string> {
    return this.#memories.uids;
  }

  /** Forgets a pod that was deleted. */
  forget(uid: string): void {
    this.#memories.forget(uid);
    this.#killed.delete(uid);
    this.#compared.delete(uid);
  }

  /** Judges a sync and closes its span. */
  async judge(sync: ObservedSync): Promise<void> {
    const calls = sync.calls
      .map((number) => this.#state.records.get(number))
      .filter((call) => call !== undefined)
      .toSorted((a, b) => a.t - b.t)
      .filter((call) => !this.#isCollected(call));
    // If the kubelet cancels a call, the relay sees the end of the call slightly later than the kubelet.
    const end = Math.max(sync.end ?? sync.start, ...calls.map(({ result }) => result?.end ?? 0));
    if (sync.kind === undefined && calls.length === 0) {
      this.#end(sync, end, {});
      return;
    }
    if (sync.span === undefined) return;
    // Some calls of this sync are missing, so a prediction can't be compared with them.
    if (this.#state.gaps.overlap(sync.start, end)) {
      const detail = 'the calls that this sync made before the observation';
      return this.#leaveOpen(sync, calls, end, { input: 'stateBefore', detail });
    }
    const specs = this.#state.pods.candidates(sync.pod.uid, sync.start).map(withoutStatus);
    const [pod, ...otherSpecs] = specs;
    if (!pod) {
      const detail = this.#state.pods.available ? 'no answer of /pods has the pod' : 'the source /pods is missing';
      return this.#leaveOpen(sync, calls, end, { input: 'podSpec', detail });
    }
    this.#forgetAtStart(sync.start);
    const input = this.#inputFor(sync, calls, pod, end);
    const kindIsKnown = sync.kind !== undefined || this.#state.pods.available;
    const judged = await judge({
      input,
      otherSpecs,
      kindIsKnown,
      isExact: sync.kind !== undefined,
      ownReason: this.#ownReason(sync.pod.uid, end),
      isOlder: this.#isOlder(sync),
      isFirst: !this.#isCompared(sync),
      shownBackOffs: backOffsIn(this.#state.pods.statusesBetween(sync.pod.uid, sync.start, end + answersWithin)),
      unseen: this.#state.cache.unseen(sync.pod.uid, sync.start),
      countedFailures: (probe, container, startedAt) =>
        this.#state.probes.counts.failures({ uid: sync.pod.uid, container, probe }, startedAt, sync.start),
    });
    this.#memories.store(input, judged);
    if (input.kind === 'terminating' && judged.kind === 'terminating') this.#killed.add(sync.pod.uid);
    for (const container of judged.outcome.keptLogs) this.#state.logKept(container);
    if (judged.counts) this.#compared.set(sync.pod.uid, sync.start);
    this.#writeShadow(sync, end, judged);
    this.#report(sync, calls, judged, input);
  }

  /** Returns the reason for which the kubelet itself ended a pod, such as `DeadlineExceeded`. */
  #ownReason(uid: string, end: number): string | undefined {
    const status = this.#state.pods.statusAt(uid, end + answersWithin);
    return status?.phase === 'Failed' ? status.reason : undefined;
  }

  /** Clears everything that an earlier process of the kubelet had only in memory. */
  #forgetAtStart(time: number): void {
    const start = this.#state.starts.findLast((at) => at <= time) ?? 0;
    if (start <= this.#forgotten) return;
    this.#forgotten = start;
    this.#memories.kubeletRestarted();
  }

  /** Ends the span of a sync that the shadow engine doesn't compute, because an input is missing. */
  #leaveOpen(
    sync: ObservedSync,
    calls: readonly CallRecord[],
    end: number,
    missing: NonNullable<Verdict['missing']>,
  ): void {
    const counts = writesOf(calls).length > 0;
    this.#report(sync, calls, { verdict: 'unknown', missing, differences: [], counts, kind: sync.kind ?? 'sync' });
    const { input, detail } = missing;
    this.#end(sync, end, { verdict: 'unknown', counts, bounds: sync.bounds, missing: input, detail });
  }

  /** Ends the span of a sync. If the kubelet's span has arrived meanwhile, its start is the exact one. */
  #end(sync: ObservedSync, end: number, attributes: Attributes): void {
    const { span, start, begun } = sync;
    if (span === undefined) return;
    const place = { ...placeOf(sync), parent: span };
    this.#writer.end(end, place, span, { attributes, start: start === begun ? undefined : start });
  }

  /** Returns true if sandboxes or containers of the pod were created before the observation. */
  #isOlder({ pod, start }: ObservedSync): boolean {
    if (this.#state.born.has(pod.uid)) return false;
    return !this.#state.cache.isWithoutObjects(pod.uid, start);
  }

  #isCompared({ pod }: ObservedSync): boolean {
    const compared = this.#compared.get(pod.uid);
    return compared !== undefined && compared >= this.#state.gaps.lastEnd;
  }

  /** Returns the errors with which configuring containers failed. The status before the sync names a repeated error. */
  #configErrors(uid: string, start: number, end: number): ReadonlyMap<string, string> {
    const after = this.#state.pods.statusAt(uid, end);
    const between = this.#state.pods.statusesBetween(uid, start, end);
    return configErrorsIn([...between, ...(after ? [after] : [])]);
  }

  /**
   * Returns the removals of the pod's containers around a sync whose bounds are inferred. The container deletor removes
   * containers, too, so only the shadow engine shows which of these calls the sync made.
   */
  #removalsNear({ pod, start, bounds }: ObservedSync, end: number): readonly CallRecord[] {
    if (bounds !== 'calls') return [];
    return [...this.#state.records.values()].filter(
      (call) =>
        call.method === 'RemoveContainer' &&
        call.t >= start - removalsAround &&
        call.t <= end + removalsAround &&
        this.#state.podOf(call)?.uid === pod.uid,
    );
  }

  /**
   * Returns true if garbage collection made this call. Garbage collection stops each sandbox right before removing it.
   */
  #isCollected({ method, request, result }: CallRecord): boolean {
    const sandbox = textAt(request, 'podSandboxId');
    const removed = this.#state.removed.get(sandbox);
    return method === 'StopPodSandbox' && removed !== undefined && removed - (result?.end ?? removed) < removedWithin;
  }

  #inputFor(sync: ObservedSync, calls: readonly CallRecord[], pod: Pod, end: number): ShadowInput {
    const { uid, name, namespace } = sync.pod;
    const { profile } = this.#state.profile;
    const kind = sync.kind ?? this.#inferredKind(sync, calls, end);
    const podStatus = this.#state.cache.at(uid, sync.start) ?? {
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
      gates: gatesOf(this.#state.facts.version, this.#state.facts.featureGates),
      kind,
      pod,
      podStatus,
      start: sync.start,
      calls,
      memory: this.#memoryOf(pod, podStatus, sync.start),
      reads: {
        sandboxStatus: (id) => this.#state.cache.sandboxStatus(id),
        containerStatus: (id) => this.#state.cache.containerAnswer(id),
        image: (image) => this.#state.images.get(image),
      },
      liveness: this.#state.probes.at('liveness', sync.start),
      startup: this.#state.probes.at('startup', sync.start),
      runtimeName: this.#state.runtime?.name ?? 'containerd',
      maxRestartPeriod: this.#state.facts.maxContainerRestartPeriod ?? defaultMaxRestartPeriod,
      configErrors: this.#configErrors(uid, sync.start, end + answersWithin),
      assumedLogs: this.#state.logsOf(uid, sync.start),
      optional: this.#removalsNear(sync, end),
      isNetworkReady: this.#state.networkReadyAt(sync.start),
      httpHooksFail: false,
      terminationRequested: kind === 'terminating',
      ...(profile === 'v1.20' && kind === 'terminating' ? this.#killOf(uid, sync.start) : {}),
      alter: this.#options.alter,
    };
  }

  /**
   * Returns the kubelet's memory of a pod. A back-off from before the observation is known only if the pod's status
   * mentions it.
   */
  #memoryOf(pod: Pod, { containerStatuses }: PodStatus, time: number): ShadowMemory {
    const { uid } = pod.metadata;
    const memory = this.#memories.of(uid);
    if (this.#state.born.has(uid)) return memory;
    const { backOffKey } = kubeletProfiles[this.#state.profile.profile].runtime;
    const maxPeriod = this.#state.facts.maxContainerRestartPeriod ?? defaultMaxRestartPeriod;
    const backOffs = new Map(this.#memories.backOffsAfterGap(pod, containerStatuses, backOffKey, maxPeriod));
    const shown = this.#shownBackOffs(uid, time);
    for (const container of containersOf(pod)) {
      const key = backOffKey(pod, container);
      const { backoff, restartCount } = shown.get(container.name) ?? {};
      const newest = containerStatuses.find(({ name }) => name === container.name);
      if (backoff === undefined || newest?.startedAt === undefined) continue;
      const known = backOffs.get(key)?.backoff ?? 0;
      // Without a restart since the status, the kubelet still has the back-off that the status names.
      const isExact = restartCount === newest.restartCount;
      if (isExact ? known !== backoff : known < backoff) backOffs.set(key, { backoff, lastUpdate: newest.startedAt });
    }
    return { ...memory, backOffs };
  }

  /**
   * Returns the back-offs that the pod's newest status before a time names. An earlier process of the kubelet has taken
   * its back-offs along.
   */
  #shownBackOffs(uid: string, time: number): ReadonlyMap<string, ShownBackOff> {
    const since = this.#state.starts.findLast((at) => at <= time) ?? Number.NEGATIVE_INFINITY;
    const status = this.#state.pods.statusesBetween(uid, since, time).at(-1);
    return status ? backOffsByContainer(status) : new Map<string, ShownBackOff>();
  }

  /**
   * Returns the objects that a kill by v1.20 stops, which are those in the runtime cache. A second kill passes no pod,
   * because the kubelet has forgotten it.
   */
  #killOf(uid: string, time: number): Pick<ShadowInput, 'running' | 'isOrphan'> {
    return { running: this.#state.cache.running(uid, time), isOrphan: this.#killed.has(uid) };
  }

  #inferredKind({ pod, start }: ObservedSync, calls: readonly CallRecord[], end: number): SyncKind {
    const starts = calls.some(({ method }) => /^(Run|Create|Start|Pull)/.test(method));
    if (starts) return 'sync';
    const isEnding =
      this.#memories.isTerminal(pod.uid) ||
      this.#state.pods.terminationAfter(pod.uid, start) !== undefined ||
      this.#ownReason(pod.uid, end) !== undefined;
    return isEnding ? 'terminating' : 'sync';
  }

  /** Writes the events of the shadow engine below the sync, and ends the sync's span with the verdict. */
  #writeShadow(sync: ObservedSync, end: number, judged: Judged): void {
    const { verdict, missing, differences, outcome, kind } = judged;
    if (sync.span === undefined) return;
    const place: EventPlace = { ...placeOf(sync), parent: sync.span };
    const shadow: EventPlace = { ...place, source: 'shadow', inferred: true };
    const point = kind === 'terminating' ? kubeletPoints.syncTerminatingPod : kubeletPoints.syncPod;
    const spansOf = (numbers: readonly (number | undefined)[]): readonly (number | undefined)[] =>
      numbers.map((number) => (number === undefined ? undefined : this.#state.spans.get(number)));
    const span = this.#writer.begin(sync.begun, shadow, point, { profile: this.#state.profile.profile });
    this.#writer.copy(
      { from: sync.begun, to: end },
      { ...shadow, parent: span },
      outcome.events,
      spansOf(outcome.answers),
    );
    this.#writer.end(end, shadow, span);
    this.#end(sync, end, {
      verdict,
      counts: judged.counts,
      kind,
      bounds: sync.bounds,
      approximate: this.#state.profile.approximate,
      predicted: outcome.predictions.map((prediction) => ({
        call: describeCall(prediction),
        at: prediction.at,
        followedBy: spansOf([prediction.call])[0],
      })),
      ...(differences.length === 0 ? {} : { differences: differences.map(({ side, text }) => ({ side, call: text })) }),
      ...(missing ? { missing: missing.input, detail: missing.detail } : {}),
    });
  }

  #report(sync: ObservedSync, calls: readonly CallRecord[], judged: Verdict, input?: ShadowInput): void {
    this.#options.onSync?.({ sync, calls, judged, input });
  }
}

interface ShownBackOff {
  readonly backoff: number;
  readonly restartCount: number;
}

/** Returns the back-offs that a status names, in milliseconds, by container name. */
function backOffsByContainer(status: ApiPodStatus): ReadonlyMap<string, ShownBackOff> {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return new Map(
    statuses.flatMap(({ name, state, restartCount }) => {
      const backoff = parseGoDuration(/^back-off (\S+) restarting/.exec(state?.waiting?.message ?? '')?.[1] ?? '');
      return backoff === undefined ? [] : [[name, { backoff, restartCount }] as const];
    }),
  );
}

/** Returns the back-offs that any of the statuses names, in milliseconds. */
const backOffsIn = (statuses: readonly ApiPodStatus[]): ReadonlySet<number> =>
  new Set(statuses.flatMap((status) => [...backOffsByContainer(status).values()].map(({ backoff }) => backoff)));

/** Returns the errors with which configuring containers failed, by container name, as the statuses report them. */
function configErrorsIn(statuses: readonly ApiPodStatus[]): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const status of statuses) {
    for (const { name, state } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
      if (state?.waiting?.reason === 'CreateContainerConfigError') errors.set(name, state.waiting.message ?? '');
    }
  }
  return errors;
}
