/**
 * Decides about in-place resizes: a running pod gets the requested resources when they fit, otherwise its resize stays
 * pending. Upstream: allocation manager (pkg/kubelet/allocation/allocation_manager.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import { getPodQOS, type Pod, podRequests, quantityMilliValue, type ResourceList } from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, instant, type Milliseconds, withPod } from '@podscope/trace';
import type { Rejection } from '../admission/types.ts';
import type { PodManager } from '../pod/pod-manager.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import { AllocatedResources } from './allocated-resources.ts';
import { infeasibleResize } from './resize-admission.ts';

/** The time between two periodic retries of pending resizes. */
const retryPeriod: Milliseconds = 180_000;

/** Why pending resizes are retried. A trigger is also the value of a metric label. */
export type RetryTrigger =
  | 'pods_added'
  | 'pod_updated'
  | 'pods_removed'
  | 'pod_terminated'
  | 'pod_resized'
  | 'periodic_retry';

export interface AllocationManagerDependencies {
  readonly enabled: boolean;
  /** The feature gate PodLevelResources: whether `spec.resources` of pods counts. */
  readonly podLevelResources: boolean;
  readonly podManager: PodManager;
  readonly resizeConditions: ResizeConditions;
  readonly recorder: EventRecorder;
  readonly os: OSInterface;
  /** The path of the file with the grants: `<root>/allocated_pods_state`. */
  readonly stateFile: string;
  readonly activePods: () => readonly Pod[];
  /** Returns why the node would reject the pod if these other pods ran on it; undefined when it would admit the pod. */
  readonly judge: (ctx: Context, pod: Pod, others: readonly Pod[]) => Promise<Rejection | undefined>;
  /** The resources that pods may use on the node. */
  readonly allocatable: ResourceList;
  /** Makes the pod's worker sync the pod, with a status from now. Upstream: syncPodNow. */
  readonly sync: (ctx: Context, pod: Pod) => void;
}

/** Manages granted resources and pending resizes. */
export class AllocationManager {
  readonly #dependencies: AllocationManagerDependencies;
  readonly #allocated = new AllocatedResources();
  /** The instant of each pending resize request, by pod UID. */
  readonly #pending = new Map<string, Instant>();
  #nextRetry = instant(0);
  #saving: Promise<void> = Promise.resolve();

  constructor(dependencies: AllocationManagerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads the grants that an earlier kubelet stored. An unreadable file counts as empty. */
  async load(): Promise<void> {
    if (!this.#dependencies.enabled) return;
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
    return this.#dependencies.enabled ? this.#allocated.apply(pod) : pod;
  }

  /**
   * Records an admitted pod. A pod that an earlier kubelet admitted keeps the resources granted then.
   * @returns true when the pod had been admitted before
   */
  admitted(ctx: Context, pod: Pod): boolean {
    if (!this.#dependencies.enabled) return false;
    const known = this.#allocated.has(pod.metadata.uid);
    if (!known) this.#grant(pod);
    else if (this.#allocated.differs(pod)) this.#pending.set(pod.metadata.uid, ctx.clock.now());
    return known;
  }

  /** Handles a changed pod: tries a requested resize now, and drops a pending one that the pod no longer requests. */
  async updated(ctx: Context, pod: Pod): Promise<void> {
    const { enabled, resizeConditions, sync } = this.#dependencies;
    if (!enabled || !this.#allocated.has(pod.metadata.uid)) return;
    const { uid } = pod.metadata;
    if (this.#allocated.differs(pod)) {
      if (!this.#pending.has(uid)) this.#pending.set(uid, ctx.clock.now());
      await this.retry(ctx, 'pod_updated');
    } else if (this.#pending.delete(uid) && resizeConditions.clear(uid, 'PodResizePending')) sync(ctx, pod);
  }

  /** Removes the records of all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    this.#allocated.retain(uids);
    for (const uid of this.#pending.keys()) if (!uids.has(uid)) this.#pending.delete(uid);
  }

  /** Retries the pending resizes if the retry period has passed. */
  async retryPeriodically(ctx: Context): Promise<void> {
    if (this.#pending.size === 0 || ctx.clock.now() < this.#nextRetry) return;
    await this.retry(ctx, 'periodic_retry');
  }

  /** Retries all pending resizes in order. Upstream: RetryPendingResizes. */
  async retry(ctx: Context, trigger: RetryTrigger): Promise<void> {
    this.#nextRetry = addMilliseconds(ctx.clock.now(), retryPeriod);
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
   * guaranteed pods before others, and the longest pending first. Upstream: sortPendingResizes.
   */
  #queue(): readonly Pod[] {
    const rank = (pod: Pod): readonly number[] => [
      this.#raises(pod) ? 1 : 0,
      -(pod.spec.priority ?? 0),
      getPodQOS(pod, this.#dependencies.podLevelResources) === 'Guaranteed' ? 0 : 1,
      this.#pending.get(pod.metadata.uid) ?? 0,
    ];
    const pods = [...this.#pending.keys()]
      .map((uid) => this.#dependencies.podManager.getPodByUID(uid))
      .filter((pod) => pod !== undefined);
    return pods.toSorted((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      const at = left.findIndex((value, index) => value !== right[index]);
      return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
    });
  }

  #raises(pod: Pod): boolean {
    const options = { skipPodLevelResources: !this.#dependencies.podLevelResources };
    const [desired, granted] = [podRequests(pod, options), podRequests(this.#allocated.apply(pod), options)];
    const milli = (requests: typeof desired, resource: string): number => {
      const quantity = requests.get(resource);
      return quantity ? quantityMilliValue(quantity) : 0;
    };
    return ['cpu', 'memory'].some((resource) => milli(desired, resource) > milli(granted, resource));
  }

  async #decide(ctx: Context, pod: Pod): Promise<void> {
    const { resizeConditions, recorder, activePods, judge, sync, allocatable } = this.#dependencies;
    const { uid, generation } = pod.metadata;
    const infeasible = infeasibleResize(pod, allocatable, this.#dependencies.podLevelResources);
    if (infeasible !== undefined) {
      // The node can never grant this request, so it isn't retried.
      this.#pending.delete(uid);
      return this.#refuse(ctx, pod, 'Infeasible', { reason: 'Infeasible', message: infeasible });
    }
    const others = activePods()
      .filter(({ metadata }) => metadata.uid !== uid)
      .map((other) => this.#allocated.apply(other));
    const rejection = await judge(ctx, pod, others);
    if (rejection) return this.#refuse(ctx, pod, 'Deferred', rejection);
    ctx.tracer.decide(ctx, 'allocation.resize', {}, 'granted');
    this.#pending.delete(uid);
    this.#grant(pod);
    resizeConditions.clear(uid, 'PodResizePending');
    resizeConditions.clear(uid, 'PodResizeInProgress');
    resizeConditions.set(uid, 'PodResizeInProgress', generation, '', '');
    recorder.event(ctx, pod, 'Normal', 'ResizeStarted', `Pod resize started: ${describeResize(pod)}`);
    sync(ctx, pod);
  }

  /**
   * Refuses a resize. The pod keeps its granted resources, and a condition and an event contain the reason. Repeated
   * refusals of one request emit one event.
   */
  #refuse(ctx: Context, pod: Pod, outcome: 'Deferred' | 'Infeasible', { reason, message }: Rejection): void {
    const { resizeConditions, recorder, sync } = this.#dependencies;
    const { uid, generation } = pod.metadata;
    ctx.tracer.decide(ctx, 'allocation.resize', { rejection: reason, message }, outcome);
    const before = resizeConditions.get(uid).find(({ type }) => type === 'PodResizePending');
    if (!resizeConditions.set(uid, 'PodResizePending', generation, outcome, message)) return;
    if (before?.reason !== outcome || before.observedGeneration !== generation) {
      recorder.event(ctx, pod, 'Warning', `Resize${outcome}`, `Pod resize ${reason}: ${describeResize(pod, message)}`);
    }
    sync(ctx, pod);
  }

  #grant(pod: Pod): void {
    this.#allocated.set(pod);
    const { os, stateFile } = this.#dependencies;
    const text = JSON.stringify(this.#allocated);
    // Writes run one after another. If a write fails, the resize is requested again after a restart.
    this.#saving = this.#saving
      .then(() => os.writeFile(stateFile, text, 0o600))
      .catch((error: unknown) => void errorText(error));
  }
}

/** Returns the JSON in the message of resize events; empty members are omitted. */
export function describeResize({ metadata, spec }: Pod, error?: string): string {
  const list = (containers: Pod['spec']['containers'] = []): readonly unknown[] =>
    containers.map(({ name, resources = {} }) => ({ name, resources }));
  const initContainers = list(spec.initContainers);
  return JSON.stringify({
    ...(initContainers.length > 0 ? { initContainers } : {}),
    containers: list(spec.containers),
    generation: metadata.generation,
    ...(error ? { error } : {}),
  });
}
