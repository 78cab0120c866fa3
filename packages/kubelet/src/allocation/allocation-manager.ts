/**
 * Decides about in-place resizes: a running pod gets the requested resources when they fit, otherwise its resize stays
 * pending. Upstream: allocation manager (pkg/kubelet/allocation/allocation_manager.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import {
  formatQuantity,
  getPodQOS,
  type Pod,
  parseQuantity,
  podRequests,
  quantityMilliValue,
  type ResourceList,
} from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, instant, type Milliseconds, parseTime, withPod } from '@podscope/trace';
import type { Rejection } from '../admission/types.ts';
import type { FeatureGates } from '../features.ts';
import type { PodManager } from '../pod/pod-manager.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import { waitUntil } from '../util/wait.ts';
import { AllocatedResources } from './allocated-resources.ts';

/** The time between two periodic retries of pending resizes. */
const retryPeriod: Milliseconds = 180_000;

/** The time until the next periodic retry while not every source has delivered its pods. */
const initialRetryPeriod: Milliseconds = 30_000;

/** Why pending resizes are retried. A trigger is also the value of a metric label. */
export type RetryTrigger =
  | 'pods_added'
  | 'pod_updated'
  | 'pods_removed'
  | 'pod_terminated'
  | 'pod_resized'
  | 'periodic_retry';

export interface AllocationManagerDependencies {
  readonly gates: FeatureGates;
  readonly podManager: PodManager;
  readonly resizeConditions: ResizeConditions;
  readonly recorder: EventRecorder;
  readonly os: OSInterface;
  /** The path of the file with the grants: `<root>/allocated_pods_state`. */
  readonly stateFile: string;
  readonly activePods: () => readonly Pod[];
  /** Returns why the node would reject the pod if these other pods ran on it; undefined when it would admit the pod. */
  readonly judge: (ctx: Context, pod: Pod, others: readonly Pod[]) => Promise<Rejection | undefined>;
  /** True once every source has delivered its pods. Until then, no resize is decided. */
  readonly allSourcesReady: () => boolean;
  /** Makes the pod's worker sync the pod, with a status from now. Upstream: syncPodNow. */
  readonly sync: (ctx: Context, pod: Pod) => void;
}

/** Manages granted resources and pending resizes. */
export class AllocationManager {
  readonly #dependencies: AllocationManagerDependencies;
  readonly #allocated: AllocatedResources;
  /** The UIDs of the pods whose requested resize hasn't been granted yet. */
  readonly #pending = new Set<string>();
  #nextRetry = instant(0);
  /** The retry that runs now, or the last one. */
  #turn: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(dependencies: AllocationManagerDependencies) {
    this.#dependencies = dependencies;
    this.#allocated = new AllocatedResources(dependencies.gates);
  }

  get #enabled(): boolean {
    return this.#dependencies.gates.InPlacePodVerticalScaling;
  }

  /** Reads the grants that an earlier kubelet stored. An unreadable file counts as empty. */
  async load(): Promise<void> {
    if (!this.#enabled) return;
    const content = await this.#dependencies.os.readFile(this.#dependencies.stateFile).catch(() => undefined);
    if (!content) return;
    try {
      this.#allocated.restore(
        JSON.parse(new TextDecoder().decode(content)) as Parameters<AllocatedResources['restore']>[0],
      );
    } catch {
      // The file is incomplete, so pods are admitted with the resources that they request.
    }
  }

  /** Returns the pod with its granted resources. Upstream: UpdatePodFromAllocation. */
  granted(pod: Pod): Pod {
    return this.#enabled ? this.#allocated.apply(pod) : pod;
  }

  /**
   * Records an admitted pod. A pod that an earlier kubelet admitted keeps the resources granted then.
   * @returns true when the pod requests other resources than those, so that a resize is pending
   */
  admitted(pod: Pod): boolean {
    if (!this.#enabled) return false;
    const { uid } = pod.metadata;
    if (!this.#allocated.has(uid)) this.#grant(pod);
    if (!this.#allocated.differs(pod)) return false;
    this.#pending.add(uid);
    return true;
  }

  /**
   * Handles a changed pod: tries a requested resize now, and withdraws a pending one that the pod no longer requests.
   * The sync that follows each update publishes the withdrawal. Upstream: HandlePodUpdates.
   * @param before the pod before the change, if it was known
   */
  async updated(ctx: Context, before: Pod | undefined, pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    if (!this.#enabled || (before && !this.#allocated.isResized(before, pod))) return;
    if (this.#allocated.differs(pod)) {
      this.#pending.add(uid);
      await this.retry(ctx, 'pod_updated');
    } else {
      this.#pending.delete(uid);
      this.#dependencies.resizeConditions.clear(uid, 'PodResizePending');
    }
  }

  /** True while a requested resize hasn't been granted. Upstream: HasPendingResizes. */
  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Removes the records of a pod. */
  remove(uid: string): void {
    this.#pending.delete(uid);
    if (this.#allocated.delete(uid)) this.#save();
  }

  /** Removes the records of all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#allocated.uids()) if (!uids.has(uid)) this.remove(uid);
  }

  /** Retries pending resizes periodically until the context is aborted. Upstream: Run. */
  async run(ctx: Context): Promise<void> {
    while (!ctx.signal.aborted) {
      const due = this.hasPending ? this.#nextRetry : instant(Number.POSITIVE_INFINITY);
      // A failed retry is repeated after the period; its span has the error.
      if (ctx.clock.now() >= due) await this.retry(ctx, 'periodic_retry').catch(() => undefined);
      else await waitUntil(ctx, due, (wake) => (this.#wake = wake));
    }
  }

  /**
   * Retries all pending resizes in order, once every source has delivered its pods. Calls run one after another.
   * Upstream: RetryPendingResizes.
   */
  async retry(ctx: Context, trigger: RetryTrigger): Promise<void> {
    if (!this.hasPending) return;
    const turn = this.#turn.then(() => this.#retryAll(ctx, trigger));
    this.#turn = turn.catch(() => undefined);
    await turn;
    this.#wake?.();
  }

  async #retryAll(ctx: Context, trigger: RetryTrigger): Promise<void> {
    const ready = this.#dependencies.allSourcesReady();
    this.#nextRetry = addMilliseconds(ctx.clock.now(), ready ? retryPeriod : initialRetryPeriod);
    if (!ready) return;
    for (const pod of this.#queue()) {
      const { uid, name, namespace = '' } = pod.metadata;
      const podCtx = withPod(ctx, { uid, name, namespace });
      await podCtx.tracer.span(podCtx, kubeletPoints.allocateResize, { pod: name, trigger }, (inner) =>
        this.#decide(inner, pod),
      );
    }
  }

  /**
   * Returns the pending resizes in the order of their retry: first those that raise no resource, then by priority,
   * guaranteed pods before others, and those first whose condition PodResizePending is the oldest. Upstream:
   * sortPendingResizes.
   */
  #queue(): readonly Pod[] {
    const { podManager, resizeConditions, gates } = this.#dependencies;
    const pendingSince = (uid: string): number => {
      const time = resizeConditions.get(uid).find(({ type }) => type === 'PodResizePending')?.lastTransitionTime;
      return typeof time === 'string' ? parseTime(time) : Number.MAX_SAFE_INTEGER;
    };
    const rank = (pod: Pod): readonly number[] => [
      this.#raises(pod) ? 1 : 0,
      -(pod.spec.priority ?? 0),
      getPodQOS(pod, gates.PodLevelResources) === 'Guaranteed' ? 0 : 1,
      pendingSince(pod.metadata.uid),
    ];
    const pods = [...this.#pending].map((uid) => podManager.getPodByUID(uid)).filter((pod) => pod !== undefined);
    return pods.toSorted((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      const at = left.findIndex((value, index) => value !== right[index]);
      return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
    });
  }

  #raises(pod: Pod): boolean {
    const options = { skipPodLevelResources: !this.#dependencies.gates.PodLevelResources };
    const [desired, granted] = [podRequests(pod, options), podRequests(this.#allocated.apply(pod), options)];
    const milli = (requests: typeof desired, resource: string): number => {
      const quantity = requests.get(resource);
      return quantity ? quantityMilliValue(quantity) : 0;
    };
    return ['cpu', 'memory'].some((resource) => milli(desired, resource) > milli(granted, resource));
  }

  /** Grants or defers a pending resize. Upstream: handlePodResourcesResize. */
  async #decide(ctx: Context, pod: Pod): Promise<void> {
    const { resizeConditions, recorder, activePods, judge, sync } = this.#dependencies;
    const { uid, generation } = pod.metadata;
    const others = activePods()
      .filter(({ metadata }) => metadata.uid !== uid)
      .map((other) => this.#allocated.apply(other));
    const rejection = await judge(ctx, pod, others);
    if (rejection) return this.#defer(ctx, pod, rejection);
    ctx.tracer.decide(ctx, 'allocation.resize', {}, 'granted');
    this.#pending.delete(uid);
    this.#grant(pod);
    resizeConditions.clear(uid, 'PodResizePending');
    resizeConditions.clear(uid, 'PodResizeInProgress');
    resizeConditions.setInProgress(uid, ctx.clock.now(), { observedGeneration: generation });
    recorder.event(ctx, pod, 'Normal', 'ResizeStarted', `Pod resize started: ${describeResize(pod, generation)}`);
    sync(ctx, pod);
  }

  /**
   * Defers a resize: the pod keeps its granted resources, and a condition and an event contain the reason. Repeated
   * refusals of one request emit one event, but each is followed by a sync. Upstream also knows `Infeasible` for nodes
   * with swap or with a static CPU or memory manager, which this node doesn't have. A request above the node's capacity
   * is deferred, too: the API server's admission plugin PodResizeValidator rejects it before the kubelet sees it.
   */
  #defer(ctx: Context, pod: Pod, { reason, message }: Rejection): void {
    const { resizeConditions, recorder, sync } = this.#dependencies;
    const { uid, generation } = pod.metadata;
    ctx.tracer.decide(ctx, 'allocation.resize', { rejection: reason, message }, 'Deferred');
    const text = { reason: 'Deferred', message, observedGeneration: generation };
    if (resizeConditions.setPending(uid, ctx.clock.now(), text)) {
      const event = `Pod resize ${reason}: ${describeResize(pod, generation, message)}`;
      recorder.event(ctx, pod, 'Warning', 'ResizeDeferred', event);
    }
    sync(ctx, pod);
  }

  #grant(pod: Pod): void {
    this.#allocated.set(pod);
    this.#save();
  }

  #save(): void {
    const { os, stateFile } = this.#dependencies;
    const text = JSON.stringify(this.#allocated);
    // Writes run one after another. If a write fails, the resize is requested again after a restart.
    this.#saving = this.#saving
      .then(() => os.writeFile(stateFile, text, 0o600))
      .catch((error: unknown) => void errorText(error));
  }
}

/**
 * Returns the JSON in the message of resize events as Go writes it: limits before requests, names in order, quantities
 * in their canonical form. Empty members are omitted. Upstream: podResizeMessage.
 */
export function describeResize({ spec }: Pod, generation = 0, error?: string): string {
  const list = (containers: Pod['spec']['containers'] = []): readonly unknown[] =>
    containers.map(({ name, resources: { limits, requests, claims = [] } = {} }) => ({
      name,
      resources: { ...inOrder('limits', limits), ...inOrder('requests', requests), ...(claims[0] ? { claims } : {}) },
    }));
  const initContainers = list(spec.initContainers);
  const json = JSON.stringify({
    ...(initContainers.length > 0 ? { initContainers } : {}),
    containers: list(spec.containers),
    generation,
    ...(error ? { error } : {}),
  });
  return json.replaceAll(/[&<>]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

function inOrder(member: 'limits' | 'requests', list: ResourceList = {}): Record<string, ResourceList> {
  const names = Object.keys(list).toSorted();
  if (names.length === 0) return {};
  return { [member]: Object.fromEntries(names.map((name) => [name, formatQuantity(parseQuantity(list[name] ?? 0))])) };
}
