var e=`/**
 * Decides about resizes in place: what a running pod asks for beyond what it was granted is granted when it fits, and waits when not.
 * Upstream: allocation manager (pkg/kubelet/allocation/allocation_manager.go, v1.36).
 */
import { getPodQOS, type Pod, podRequests, quantityMilliValue, type ResourceList } from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, instant, type Milliseconds, withPod } from '@podscope/trace';
import type { Rejection } from '../admission/types.ts';
import type { PodManager } from '../pod-manager.ts';
import { kubeletPoints } from '../points.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import { errorText } from '../util/error-text.ts';
import { AllocatedResources } from './allocated-resources.ts';
import { infeasibleResize } from './resize-admission.ts';

/** How often what waits is tried again without a cause. */
const retryPeriod: Milliseconds = 180_000;

/** Why pending resizes are looked at. The words are labels of a metric, too. */
export type RetryTrigger = 'pods_added' | 'pod_updated' | 'pods_removed' | 'pod_terminated' | 'pod_resized' | 'periodic_retry';

export interface AllocationManagerDependencies {
  readonly enabled: boolean;
  readonly podManager: PodManager;
  readonly resizeConditions: ResizeConditions;
  readonly recorder: EventRecorder;
  readonly os: OSInterface;
  /** \`<root>/allocated_pods_state\`. */
  readonly stateFile: string;
  readonly activePods: () => readonly Pod[];
  /** Whether a pod would be admitted beside these others. */
  readonly judge: (ctx: Context, pod: Pod, others: readonly Pod[]) => Promise<Rejection | undefined>;
  /** What pods may have of the node. */
  readonly allocatable: ResourceList;
  /** Lets the pod's worker look at it. */
  readonly sync: (ctx: Context, pod: Pod) => void;
}

/** Grants, and what waits for one. */
export class AllocationManager {
  readonly #deps: AllocationManagerDependencies;
  readonly #allocated = new AllocatedResources();
  /** UIDs with the instant since when they wait. */
  readonly #pending = new Map<string, Instant>();
  #nextRetry = instant(0);
  #saving: Promise<void> = Promise.resolve();

  constructor(deps: AllocationManagerDependencies) {
    this.#deps = deps;
  }

  /** Reads what an earlier kubelet had granted. A file that can't be read is as none. */
  async load(): Promise<void> {
    if (!this.#deps.enabled) return;
    const content = await this.#deps.os.readFile(this.#deps.stateFile).catch(() => undefined);
    if (!content) return;
    try {
      this.#allocated.restore(JSON.parse(new TextDecoder().decode(content)) as Parameters<AllocatedResources['restore']>[0]);
    } catch {
      // Half a file: pods are admitted with what they ask for.
    }
  }

  /** The pod with what was granted to it. Upstream: UpdatePodFromAllocation. */
  granted(pod: Pod): Pod {
    return this.#deps.enabled ? this.#allocated.apply(pod) : pod;
  }

  /** A pod was admitted; one that an earlier kubelet had let in keeps what it was granted. @returns true when it had been let in before */
  admitted(ctx: Context, pod: Pod): boolean {
    if (!this.#deps.enabled) return false;
    const known = this.#allocated.has(pod.metadata.uid);
    if (!known) this.#grant(pod);
    else if (this.#allocated.differs(pod)) this.#pending.set(pod.metadata.uid, ctx.clock.now());
    return known;
  }

  /** A pod changed: a resize that it asks for is tried at once, one that it takes back is forgotten. */
  async updated(ctx: Context, pod: Pod): Promise<void> {
    const { enabled, resizeConditions, sync } = this.#deps;
    if (!enabled || !this.#allocated.has(pod.metadata.uid)) return;
    const { uid } = pod.metadata;
    if (this.#allocated.differs(pod)) {
      if (!this.#pending.has(uid)) this.#pending.set(uid, ctx.clock.now());
      await this.retry(ctx, 'pod_updated');
    } else if (this.#pending.delete(uid) && resizeConditions.clear(uid, 'PodResizePending')) sync(ctx, pod);
  }

  /** Forgets pods that are gone. */
  retain(uids: ReadonlySet<string>): void {
    this.#allocated.retain(uids);
    for (const uid of this.#pending.keys()) if (!uids.has(uid)) this.#pending.delete(uid);
  }

  /** What waits long enough is tried again. */
  async retryPeriodically(ctx: Context): Promise<void> {
    if (this.#pending.size === 0 || ctx.clock.now() < this.#nextRetry) return;
    await this.retry(ctx, 'periodic_retry');
  }

  /** Tries everything that waits, in order. Upstream: RetryPendingResizes. */
  async retry(ctx: Context, trigger: RetryTrigger): Promise<void> {
    this.#nextRetry = addMilliseconds(ctx.clock.now(), retryPeriod);
    for (const pod of this.#queue()) {
      const { uid, name, namespace = '' } = pod.metadata;
      const podCtx = withPod(ctx, { uid, name, namespace });
      await podCtx.tracer.span(podCtx, kubeletPoints.allocateResize, { pod: name, trigger }, (inner) => this.#decide(inner, pod));
    }
  }

  /** Resizes that raise nothing go first, then more important pods, then guaranteed ones, then who waits longest. Upstream: sortPendingResizes. */
  #queue(): readonly Pod[] {
    const rank = (pod: Pod): readonly number[] => [
      this.#raises(pod) ? 1 : 0,
      -(pod.spec.priority ?? 0),
      getPodQOS(pod) === 'Guaranteed' ? 0 : 1,
      this.#pending.get(pod.metadata.uid) ?? 0,
    ];
    const pods = [...this.#pending.keys()].map((uid) => this.#deps.podManager.getPodByUID(uid)).filter((pod) => pod !== undefined);
    return pods.toSorted((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      const at = left.findIndex((value, index) => value !== right[index]);
      return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
    });
  }

  #raises(pod: Pod): boolean {
    const [desired, granted] = [podRequests(pod), podRequests(this.#allocated.apply(pod))];
    const milli = (requests: typeof desired, resource: string): number => {
      const quantity = requests.get(resource);
      return quantity ? quantityMilliValue(quantity) : 0;
    };
    return ['cpu', 'memory'].some((resource) => milli(desired, resource) > milli(granted, resource));
  }

  async #decide(ctx: Context, pod: Pod): Promise<void> {
    const { resizeConditions, recorder, activePods, judge, sync, allocatable } = this.#deps;
    const { uid, generation } = pod.metadata;
    const infeasible = infeasibleResize(pod, allocatable);
    if (infeasible !== undefined) {
      // Trying again can't help: only another request can.
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
    recorder.event(ctx, pod, 'Normal', 'ResizeStarted', \`Pod resize started: \${describeResize(pod)}\`);
    sync(ctx, pod);
  }

  /** What is granted stays; condition and event say why. The same refusal of the same request is told once. */
  #refuse(ctx: Context, pod: Pod, outcome: 'Deferred' | 'Infeasible', { reason, message }: Rejection): void {
    const { resizeConditions, recorder, sync } = this.#deps;
    const { uid, generation } = pod.metadata;
    ctx.tracer.decide(ctx, 'allocation.resize', { rejection: reason, message }, outcome);
    const before = resizeConditions.get(uid).find(({ type }) => type === 'PodResizePending');
    if (!resizeConditions.set(uid, 'PodResizePending', generation, outcome, message)) return;
    if (before?.reason !== outcome || before.observedGeneration !== generation) {
      recorder.event(ctx, pod, 'Warning', \`Resize\${outcome}\`, \`Pod resize \${reason}: \${describeResize(pod, message)}\`);
    }
    sync(ctx, pod);
  }

  #grant(pod: Pod): void {
    this.#allocated.set(pod);
    const { os, stateFile } = this.#deps;
    const text = JSON.stringify(this.#allocated);
    // One write after the other; what can't be written is asked for anew after a restart.
    this.#saving = this.#saving.then(() => os.writeFile(stateFile, text, 0o600)).catch((error: unknown) => void errorText(error));
  }
}

/** The JSON of resize events: members that are empty are left out. */
export function describeResize({ metadata, spec }: Pod, error?: string): string {
  const list = (containers: Pod['spec']['containers'] = []): readonly unknown[] => containers.map(({ name, resources = {} }) => ({ name, resources }));
  const initContainers = list(spec.initContainers);
  return JSON.stringify({
    ...(initContainers.length > 0 ? { initContainers } : {}),
    containers: list(spec.containers),
    generation: metadata.generation,
    ...(error ? { error } : {}),
  });
}
`;export{e as default};
//# sourceMappingURL=allocation-manager-Dtk9trzi.js.map