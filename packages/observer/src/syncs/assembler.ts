/**
 * Assigns the calls of pod workers to syncs. The kubelet's spans give exact bounds. If spans are missing, calls with
 * the same trace id form one sync. Without tracing, the bounds follow from the order of the calls and the time between
 * them.
 */
import type { CallRecord, ObservedSpan } from '../inputs.ts';
import { writingMethods } from '../shadow/identity.ts';
import { textAt } from '../state/fields.ts';
import { isList } from '../state/lists.ts';
import type { PodName } from '../state/registry.ts';
import type { ObservedSync } from './sync.ts';

/** The role of a call, as far as the call itself shows it. */
export type CallRole = 'worker' | 'read' | 'probe' | 'node';

interface TraceGroup {
  readonly calls: CallRecord[];
  /** True for work of the node that belongs to no pod worker, such as garbage collection. */
  isNodes: boolean;
  sync: ObservedSync | undefined;
}

/** Maximum time between two calls of one sync, in milliseconds. */
const closeTogether = 40;
/** Time without calls after which a sync without tracing counts as ended, in milliseconds. */
const quietAfter = 2_000;
/** Maximum time for which the kubelet's exporter may delay a span, in milliseconds. */
const exportDelay = 12_000;
const keptGroups = 2_000;

/** Returns the trace id of a call, or undefined without tracing. */
export const traceOf = ({ metadata }: Pick<CallRecord, 'metadata'>): string | undefined =>
  /^00-([\da-f]{32})-/.exec(metadata['traceparent'] ?? '')?.[1];

const syncSpans: Readonly<Record<string, ObservedSync['kind']>> = {
  syncPod: 'sync',
  syncTerminatingPod: 'terminating',
};

/** Returns the pod that the attributes of a kubelet's span name. */
export function podOf(attributes: ObservedSpan['attributes']): PodName | undefined {
  const text = (name: string): string => {
    const value = attributes[name];
    return typeof value === 'string' ? value : '';
  };
  const uid = text('k8s.pod.uid');
  return uid === '' ? undefined : { uid, namespace: text('k8s.namespace.name'), name: text('k8s.pod.name') };
}

/** Methods with which the container deletor and garbage collection remove objects. They don't belong to syncs. */
const removals: ReadonlySet<string> = new Set(['RemoveContainer', 'RemovePodSandbox']);

/** Methods with which a sync starts something. */
const startingMethods: ReadonlySet<string> = new Set([
  'RunPodSandbox',
  'PullImage',
  'CreateContainer',
  'StartContainer',
]);

/** Returns true for two calls that stop the same container or sandbox. A sync stops each of them once. */
const isSameStop = (first: CallRecord, second: CallRecord): boolean =>
  first.method === second.method &&
  ((first.method === 'StopContainer' &&
    textAt(first.request, 'containerId') === textAt(second.request, 'containerId')) ||
    (first.method === 'StopPodSandbox' &&
      textAt(first.request, 'podSandboxId') === textAt(second.request, 'podSandboxId')));

export class SyncAssembler {
  readonly #groups = new Map<string, TraceGroup>();
  /** The open sync of each pod. */
  readonly #open = new Map<string, ObservedSync>();
  /** The sync of each pod that has a call in flight and beside which a kill began. */
  readonly #beside = new Map<string, ObservedSync>();
  /** Syncs that have ended, or seem to have ended, and aren't evaluated yet. */
  readonly #ended: ObservedSync[] = [];
  readonly #records: (number: number) => CallRecord | undefined;
  /** By pod, the end of the newest call of the PLEG's inspection. */
  readonly #inspected = new Map<string, number>();
  /** By pod, the start of the newest list of the pod's own objects. */
  readonly #relisted = new Map<string, number>();
  /** Sandboxes that a call has already stopped. Garbage collection stops them again. */
  readonly #stopped = new Set<string>();
  readonly #versions: number[] = [];
  #lastSpan: number | undefined;
  #count = 0;

  /** @param records returns a call by its number */
  constructor(records: (number: number) => CallRecord | undefined) {
    this.#records = records;
  }

  /** Returns the open sync of a pod. */
  openSync(uid: string): ObservedSync | undefined {
    return this.#open.get(uid);
  }

  /**
   * Assigns a call that starts.
   * @returns its sync; undefined if it belongs to none, or if its sync isn't known yet
   */
  started(call: CallRecord, pod: PodName | undefined, role: CallRole): ObservedSync | undefined {
    const trace = traceOf(call);
    return trace === undefined ? this.#untraced(call, pod, role) : this.#traced(trace, call, pod, role);
  }

  /** True for kubelets that list a pod's objects right after each sync (PLEGOnDemandRelist, v1.34). */
  listsAfterSync = true;

  /** Returns true if the container of a call has a postStart hook whose calls aren't observed. */
  hasHttpHook: (call: CallRecord) => boolean = () => false;

  /** Returns the earlier calls, not yet assigned, that belong to the same sync as a call of a pod without a trace. */
  claimed: (pod: PodName, call: CallRecord) => readonly CallRecord[] = () => [];

  /** Records that a sandbox was stopped. */
  stopped(sandbox: string): void {
    this.#stopped.add(sandbox);
  }

  /** Returns the sandboxes that were stopped. */
  get stoppedSandboxes(): readonly string[] {
    return [...this.#stopped];
  }

  /**
   * Forgets a pod.
   * @param objects the ids of its sandboxes and containers
   */
  forget(uid: string, objects: readonly string[]): void {
    this.#inspected.delete(uid);
    this.#relisted.delete(uid);
    for (const id of objects) this.#stopped.delete(id);
  }

  /** Records the end of a call of the PLEG's inspection. */
  inspected(uid: string, at: number): void {
    this.#inspected.set(uid, at);
  }

  /** Returns the end of the newest call of the PLEG's inspection of a pod. */
  inspectedAt(uid: string): number | undefined {
    return this.#inspected.get(uid);
  }

  #traced(trace: string, call: CallRecord, pod: PodName | undefined, role: CallRole): ObservedSync | undefined {
    let group = this.#groups.get(trace);
    if (!group) {
      group = { calls: [], isNodes: false, sync: undefined };
      this.#groups.set(trace, group);
      if (this.#groups.size > keptGroups) this.#groups.delete(this.#groups.keys().next().value ?? '');
    }
    if (role === 'probe') return undefined;
    if (!group.sync && isList(call.method)) group.isNodes = true;
    group.calls.push(call);
    const { sync } = group;
    if (sync) {
      if (sync.end !== undefined && !this.#reopen(sync)) return undefined;
      sync.calls.push(call.number);
      return sync;
    }
    if (group.isNodes || role !== 'worker' || !pod) return undefined;
    // If a removal has no Version call before it, the container deletor made the removal.
    if (removals.has(call.method) && !group.calls.some(({ method }) => method === 'Version')) return undefined;
    group.sync = this.#begin(pod, group.calls[0]?.t ?? call.t, 'traceparent', trace);
    group.sync.calls.push(...group.calls.map(({ number }) => number));
    return group.sync;
  }

  #untraced(call: CallRecord, pod: PodName | undefined, role: CallRole): ObservedSync | undefined {
    if (call.method === 'Version') {
      this.#versions.push(call.t);
      if (this.#versions.length > 1_000) this.#versions.splice(0, 500);
    }
    if (!pod) return undefined;
    const open = this.#open.get(pod.uid);
    if (isList(call.method)) this.#relisted.set(pod.uid, call.t);
    if (role === 'read') {
      // The sync itself reads the status of the sandbox that it has just created.
      const isOwn = open && call.method === 'PodSandboxStatus' && this.#follows(open, call);
      if (isOwn) open.calls.push(call.number);
      return isOwn ? open : undefined;
    }
    if (role !== 'worker' || removals.has(call.method)) return undefined;
    const beside = this.#beside.get(pod.uid);
    if (beside && this.#continues(beside, call)) {
      beside.calls.push(call.number);
      return beside;
    }
    if (open && !this.#begins(open, call)) {
      open.calls.push(call.number);
      return open;
    }
    const sandbox = call.method === 'StopPodSandbox' ? textAt(call.request, 'podSandboxId') : '';
    if (this.#stopped.has(sandbox)) return undefined;
    const sync = this.#begin(pod, this.#startOf(call), 'calls', undefined);
    sync.calls.push(call.number);
    return sync;
  }

  #startOf(call: CallRecord): number {
    const version = this.#versions.findLast((t) => t <= call.t);
    return version !== undefined && call.t - version < closeTogether ? version : call.t;
  }

  #lastEnd(sync: ObservedSync): number {
    return Math.max(sync.start, ...sync.calls.map((number) => this.#records(number)?.result?.end ?? Number.MAX_VALUE));
  }

  #follows(sync: ObservedSync, call: CallRecord): boolean {
    const last = this.#records(sync.calls.at(-1) ?? -1);
    return last?.method === 'RunPodSandbox' && last.result !== undefined && call.t - last.result.end < closeTogether;
  }

  /** Returns true if a worker's call begins a new sync. */
  #begins(open: ObservedSync, call: CallRecord): boolean {
    const last = this.#lastEnd(open);
    // While a call of the sync is in flight, the new call belongs to the same sync: kills run in parallel, all other
    // calls in order.
    if (last >= call.t) return this.#isParallelKill(open, call);
    const calls = this.#callsOf(open);
    const created = (each: CallRecord): string => textAt(each.request, 'config', 'metadata', 'name');
    const isRepeated =
      (call.method === 'CreateContainer' || call.method === 'RunPodSandbox') &&
      calls.some((each) => each.method === call.method && created(each) === created(call));
    const isOtherKill = call.method === 'StopContainer' && calls.at(-1)?.method === 'StopPodSandbox';
    if (
      isRepeated ||
      isOtherKill ||
      calls.some((each) => isSameStop(each, call)) ||
      this.#isKillAfterStart(calls, call)
    )
      return true;
    // The requests for the status of the image belong to the sync, too.
    const t = Math.min(call.t, ...this.claimed(open.pod, call).flatMap((each) => (each.t >= last ? [each.t] : [])));
    const gap = t - last;
    if (gap > quietAfter) return true;
    if (this.listsAfterSync && (this.#relisted.get(open.pod.uid) ?? 0) >= last) return true;
    const previous = calls.at(-1);
    if (call.method === 'StartContainer' && previous?.method === 'CreateContainer') return false;
    // The sync that created a sandbox continues with its containers. A Version call in between is that of another pod.
    const isFirst = calls.every(({ method }) => method !== 'CreateContainer' && method !== 'PullImage');
    if (isFirst && startingMethods.has(call.method) && calls.some(({ method }) => method === 'RunPodSandbox'))
      return false;
    const version = this.#versions.findLast((at) => at <= t) ?? 0;
    if (version > last && t - version < closeTogether && gap > closeTogether / 4) return true;
    if (gap < closeTogether) return false;
    const inspected = this.#inspected.get(open.pod.uid) ?? 0;
    return inspected > last;
  }

  /**
   * Returns true for a kill after the sync has started something. A sync finishes killing before it starts containers.
   * The exception is a container whose postStart hook failed.
   */
  #isKillAfterStart(calls: readonly CallRecord[], call: CallRecord): boolean {
    if (call.method !== 'StopContainer' && call.method !== 'StopPodSandbox') return false;
    if (!calls.some(({ method }) => startingMethods.has(method))) return false;
    const previous = calls.at(-1);
    const isSame = textAt(previous?.request, 'containerId') === textAt(call.request, 'containerId');
    const mayFailHook = previous?.method === 'ExecSync' || this.hasHttpHook(call);
    return !(call.method === 'StopContainer' && isSame && mayFailHook);
  }

  /**
   * Returns true if something is killed while this sync is still starting something, or while it stops the same object.
   * A sync finishes killing before it starts containers, and stops each object once, so such a kill happens in parallel
   * to the sync. Upstream: podKiller (kubelet_pods.go, v1.20) kills a deleted pod in a goroutine of its own, and
   * HandlePodCleanups kills a pod again while its first kill is in flight.
   */
  #isParallelKill(open: ObservedSync, call: CallRecord): boolean {
    if (call.method !== 'StopContainer' && call.method !== 'StopPodSandbox') return false;
    return this.#callsOf(open).some((each) => {
      // A kill stops the containers before the sandbox.
      const isTooLate = each.method === 'StopPodSandbox' && call.method === 'StopContainer';
      const isOther = isTooLate || isSameStop(each, call) || startingMethods.has(each.method);
      return isOther && (each.result?.end ?? call.t) >= call.t;
    });
  }

  /**
   * Returns true if a call belongs to the sync beside which a kill began: the next call that starts something, or, if
   * the sync is a kill itself, the stop of the sandbox after its containers.
   */
  #continues(beside: ObservedSync, call: CallRecord): boolean {
    const last = this.#lastEnd(beside);
    if (last > call.t || call.t - last > quietAfter) return false;
    const calls = this.#callsOf(beside);
    if (calls.some(({ method }) => startingMethods.has(method))) {
      const isHook = call.method === 'ExecSync' && calls.at(-1)?.method === 'StartContainer';
      return startingMethods.has(call.method) || (isHook && call.t - last < closeTogether);
    }
    return call.method === 'StopPodSandbox' && calls.every(({ method }) => method !== 'StopPodSandbox');
  }

  #callsOf({ calls }: ObservedSync): readonly CallRecord[] {
    return calls.map((number) => this.#records(number)).filter((call) => call !== undefined);
  }

  #begin(pod: PodName, start: number, bounds: ObservedSync['bounds'], trace: string | undefined): ObservedSync {
    const before = this.#open.get(pod.uid);
    if (before && bounds === 'calls' && this.#lastEnd(before) > start) this.#setAside(before);
    else if (before) this.#end(before, Math.min(start, this.#lastEnd(before)));
    const sync: ObservedSync = {
      id: ++this.#count,
      pod,
      trace,
      start,
      end: undefined,
      bounds,
      kind: undefined,
      calls: [],
      span: undefined,
      begun: start,
    };
    this.#open.set(pod.uid, sync);
    return sync;
  }

  /** Keeps a sync open while another sync of the pod is the current one. */
  #setAside(sync: ObservedSync): void {
    const earlier = this.#beside.get(sync.pod.uid);
    if (earlier) this.#end(earlier, this.#lastKnownEnd(earlier));
    this.#beside.set(sync.pod.uid, sync);
  }

  /** Returns the end of the newest answered call of a sync. */
  #lastKnownEnd(sync: ObservedSync): number {
    return Math.max(sync.start, ...this.#callsOf(sync).map(({ t, result }) => result?.end ?? t));
  }

  /**
   * Continues a sync that only seemed to have ended, because it made no call for a while, for example during an HTTP
   * hook. Returns false if its span has arrived or if it was already evaluated.
   */
  #reopen(sync: ObservedSync): boolean {
    const index = sync.bounds === 'span' ? -1 : this.#ended.indexOf(sync);
    if (index < 0 || this.#open.has(sync.pod.uid)) return false;
    this.#ended.splice(index, 1);
    sync.end = undefined;
    this.#open.set(sync.pod.uid, sync);
    return true;
  }

  #end(sync: ObservedSync, at: number): void {
    if (sync.end !== undefined) return;
    sync.end = at;
    for (const syncs of [this.#open, this.#beside]) if (syncs.get(sync.pod.uid) === sync) syncs.delete(sync.pod.uid);
    this.#ended.push(sync);
  }

  /** Applies a span of the kubelet. Returns the sync that it bounds. */
  span(span: ObservedSpan): ObservedSync | undefined {
    const kind = syncSpans[span.name];
    const pod = podOf(span.attributes);
    if (kind === undefined || !pod) return undefined;
    this.#lastSpan = span.end;
    const group = this.#groups.get(span.trace);
    let sync = group?.sync;
    if (!sync) {
      sync = this.#begin(pod, span.t, 'span', span.trace);
      sync.calls.push(...(group?.calls.map(({ number }) => number) ?? []));
      if (group) group.sync = sync;
    }
    sync.kind = kind;
    sync.bounds = 'span';
    sync.start = span.t;
    // A probe worker that this sync started keeps using the trace of the sync, so later calls with the same trace don't
    // belong to it.
    const within = sync.calls.filter((number) => (this.#records(number)?.t ?? 0) <= span.end);
    sync.calls.splice(0, sync.calls.length, ...within);
    if (sync.end === undefined) this.#end(sync, span.end);
    else sync.end = span.end;
    return sync;
  }

  /** Ends syncs that have been quiet for long enough. Returns the syncs that can be evaluated. */
  due(now: number): readonly ObservedSync[] {
    for (const sync of [...this.#beside.values(), ...this.#open.values()]) {
      const last = this.#lastEnd(sync);
      if (last + quietAfter < now) this.#end(sync, last);
    }
    const awaitsSpans = this.#lastSpan !== undefined && now - this.#lastSpan < 5 * exportDelay;
    return this.#take(
      (sync) =>
        sync.bounds === 'span' ||
        (sync.bounds === 'traceparent' && awaitsSpans
          ? (sync.end ?? 0) + exportDelay < now
          : (sync.end ?? 0) + quietAfter < now),
    );
  }

  /** Ends all syncs. Returns those that haven't been returned yet. */
  finish(now: number): readonly ObservedSync[] {
    for (const sync of [...this.#beside.values(), ...this.#open.values()])
      this.#end(sync, Math.min(now, this.#lastEnd(sync)));
    return this.#take(() => true);
  }

  #take(isDue: (sync: ObservedSync) => boolean): readonly ObservedSync[] {
    const taken = this.#ended.filter(isDue);
    for (const sync of taken) this.#ended.splice(this.#ended.indexOf(sync), 1);
    return taken;
  }
}

/** Returns true for a method that changes a pod. */
export const isWrite = (method: string): boolean => writingMethods.has(method);
