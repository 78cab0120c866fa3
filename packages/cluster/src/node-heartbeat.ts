/**
 * The node tells that it lives: a lease renewed every ten seconds, and its status when that changes, else every five minutes.
 * Upstream: the kubelet's nodelease controller and syncNodeStatus (v1.36).
 */
import type { ContainerRuntime } from '@podscope/cri';
import type { Lease, Node } from '@podscope/k8s';
import { addMilliseconds, type Clock, type Context, formatMicroTime, formatTime, type Instant, type Milliseconds, type Timer } from '@podscope/trace';
import { deepEqual } from './deep-equal.ts';
import { nodeConditions } from './node-object.ts';
import { newUid, type Random } from './random.ts';
import type { Storage } from './storage.ts';

/** Upstream: KubeletConfiguration.nodeStatusUpdateFrequency, and a quarter of nodeLeaseDurationSeconds. */
const heartbeatInterval: Milliseconds = 10_000;
/** Upstream: KubeletConfiguration.nodeStatusReportFrequency. */
const reportInterval: Milliseconds = 300_000;
/** Upstream: fastStatusUpdateOnce. */
const firstStatusInterval: Milliseconds = 100;
const leaseDurationSeconds = 40;
const leaseNamespace = 'kube-node-lease';
/** Upstream: KubeletConfiguration.nodeStatusMaxImages. */
const maxImages = 50;

export interface NodeHeartbeatOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeName: string;
  readonly images: ContainerRuntime['images'];
  /** Why the node is not ready; empty when it is. */
  readonly errors: (now: Instant) => readonly string[];
  /** Tells what the node's status is now. Upstream: recordNodeStatusEvent. */
  readonly event: (ctx: Context, reason: string) => void;
  /** What happens to a node that runs is told here; that it starts belongs to no run's story, and is only recorded. */
  readonly ctx: Context;
}

type Images = NonNullable<NonNullable<Node['status']>['images']>;

/** Keeps the node's lease and status. */
export class NodeHeartbeat {
  readonly #options: NodeHeartbeatOptions;
  readonly #ctx: Context;
  #timer: Timer | undefined;
  #firstStatus: Timer | undefined;
  #reportedAt: Instant;
  #images: Images = [];

  constructor(options: NodeHeartbeatOptions, ctx: Context) {
    this.#options = options;
    this.#ctx = ctx;
    this.#reportedAt = options.clock.now();
  }

  /** The node's object must be there. */
  start(): void {
    this.#createLease();
    this.#schedule();
  }

  /**
   * A kubelet starts: it says how the node is, and that it is ready as soon as that is so.
   * Upstream: tryRegisterWithAPIServer with nodestatus.MemoryPressureCondition and its siblings, fastStatusUpdateOnce (v1.36).
   */
  kubeletStarted(): void {
    for (const reason of ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID']) this.#options.event(this.#ctx, reason);
    this.#reportFirstReady();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#firstStatus?.cancel();
  }

  #reportFirstReady(): void {
    this.#firstStatus?.cancel();
    this.#firstStatus = this.#options.clock.schedule(firstStatusInterval, () => {
      this.#firstStatus = undefined;
      if (this.#options.errors(this.#options.clock.now()).length === 0) this.#reportStatus(this.#ctx);
      else this.#reportFirstReady();
    });
  }

  #schedule(): void {
    this.#timer = this.#options.clock.schedule(heartbeatInterval, () => {
      this.#renewLease();
      this.#reportStatus(this.#firstStatus ? this.#ctx : this.#options.ctx);
      this.#schedule();
      void this.#readImages();
    });
  }

  #createLease(): void {
    const { storage, clock, random, nodeName } = this.#options;
    const node = storage.mustGet('Node', undefined, nodeName);
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: nodeName,
        namespace: leaseNamespace,
        uid: newUid(random),
        creationTimestamp: formatTime(clock.now()),
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid: node.metadata.uid }],
      },
      spec: { holderIdentity: nodeName, leaseDurationSeconds, renewTime: formatMicroTime(clock.now()) },
    };
    storage.create('Lease', lease);
  }

  #renewLease(): void {
    const { storage, clock, nodeName } = this.#options;
    if (!storage.get('Lease', leaseNamespace, nodeName)) return;
    const renewTime = formatMicroTime(clock.now());
    storage.update('Lease', leaseNamespace, nodeName, (lease) => ({ ...lease, spec: { ...lease.spec, renewTime } }));
  }

  /** Upstream: Kubelet.tryUpdateNodeStatus. */
  #reportStatus(ctx: Context): void {
    const { storage, clock, nodeName, errors, event } = this.#options;
    const now = clock.now();
    const { status = {} } = storage.mustGet('Node', undefined, nodeName);
    const conditions = nodeConditions(status.conditions ?? [], errors(now), formatTime(now));
    const turned = conditions.some(({ type, status: value }) => status.conditions?.find((condition) => condition.type === type)?.status !== value);
    const due = now >= addMilliseconds(this.#reportedAt, reportInterval);
    if (!turned && !due && deepEqual(this.#images, status.images ?? [])) return;
    this.#reportedAt = now;
    storage.update('Node', undefined, nodeName, (node) => ({ ...node, status: { ...node.status, conditions, images: this.#images } }));
    const ready = conditions.find(({ type }) => type === 'Ready')?.status;
    if (ready === status.conditions?.find(({ type }) => type === 'Ready')?.status) return;
    // Upstream: nodestatus.ReadyCondition.
    event(ctx, ready === 'True' ? 'NodeReady' : 'NodeNotReady');
  }

  /** The largest images, with their names. What can't be read now is read the next time. Upstream: nodestatus.Images. */
  async #readImages(): Promise<void> {
    try {
      const { images } = await this.#options.images.listImages(this.#ctx, {});
      this.#images = images
        .toSorted((a, b) => b.size - a.size)
        .slice(0, maxImages)
        .map(({ repoTags, repoDigests, size }) => ({ names: [...repoDigests, ...repoTags], sizeBytes: size }))
        .filter(({ names }) => names.length > 0);
    } catch {
      // The ready condition tells of a runtime that is gone.
    }
  }
}
