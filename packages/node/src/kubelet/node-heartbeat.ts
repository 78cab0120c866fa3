/**
 * Renews the node's lease every ten seconds. Writes the node's status when it changes, and at least every five minutes.
 * Upstream: the kubelet's nodelease controller and syncNodeStatus (v1.36).
 */

import { newUid, type Random, type Storage } from '@podscope/apiserver';
import { deepEqual } from '@podscope/base';
import type { ContainerRuntime } from '@podscope/cri';
import type { Lease, Node } from '@podscope/k8s';
import {
  addMilliseconds,
  type Clock,
  type Context,
  formatMicroTime,
  formatTime,
  type Instant,
  type Milliseconds,
  type Timer,
} from '@podscope/trace';
import { nodeConditions } from './node-object.ts';

/**
 * The interval of lease renewals and status checks, in ms. Upstream: KubeletConfiguration.nodeStatusUpdateFrequency,
 * and a quarter of nodeLeaseDurationSeconds.
 */
const heartbeatInterval: Milliseconds = 10_000;
/**
 * The interval at which an unchanged status is written, in ms. Upstream:
 * KubeletConfiguration.nodeStatusReportFrequency.
 */
const reportInterval: Milliseconds = 300_000;
/** The interval of status checks until the node is ready, in ms. Upstream: fastStatusUpdateOnce. */
const firstStatusInterval: Milliseconds = 100;
const leaseDurationSeconds = 40;
const leaseNamespace = 'kube-node-lease';
/** The maximum number of images in the status. Upstream: KubeletConfiguration.nodeStatusMaxImages. */
const maxImages = 50;

export interface NodeHeartbeatOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeName: string;
  readonly images: ContainerRuntime['images'];
  /** Returns why the node isn't ready; empty if it is ready. */
  readonly errors: (now: Instant) => readonly string[];
  /** Returns the features of the runtime; undefined if none are known. */
  readonly features: () => NonNullable<Node['status']>['features'];
  /** Emits an event about the node's new status. Upstream: recordNodeStatusEvent. */
  readonly event: (ctx: Context, reason: string) => void;
  /**
   * The context in which status changes of a running node are recorded. The node's start emits events, too, but isn't
   * traced.
   */
  readonly ctx: Context;
}

type Images = NonNullable<NonNullable<Node['status']>['images']>;

/** Maintains the node's lease and status. */
export class NodeHeartbeat {
  readonly #options: NodeHeartbeatOptions;
  readonly #ctx: Context;
  #timer: Timer | undefined;
  #firstStatus: Timer | undefined;
  #reportedAt: Instant;
  #images: Images = [];

  constructor(ctx: Context, options: NodeHeartbeatOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#reportedAt = options.clock.now();
  }

  /** Starts the heartbeat. The Node object must exist. */
  start(): void {
    this.#createLease();
    this.#schedule();
  }

  /**
   * Writes the node's status after a start of the kubelet, and again as soon as the node is ready. Upstream:
   * tryRegisterWithAPIServer with nodestatus.MemoryPressureCondition and its siblings, fastStatusUpdateOnce (v1.36).
   */
  kubeletStarted(): void {
    for (const reason of ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'])
      this.#options.event(this.#ctx, reason);
    this.#reportFirstReady();
  }

  /** Writes the status now. Upstream: syncNodeStatus. */
  syncNow(): void {
    this.#reportStatus(this.#options.ctx);
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

  /**
   * Writes the status if it has changed or if the last write is too long ago. Upstream: Kubelet.tryUpdateNodeStatus.
   */
  #reportStatus(ctx: Context): void {
    const { storage, clock, nodeName, errors, event } = this.#options;
    const now = clock.now();
    const features = this.#options.features();
    const { status = {} } = storage.mustGet('Node', undefined, nodeName);
    const conditions = nodeConditions(status.conditions ?? [], errors(now), formatTime(now));
    const turned = conditions.some(
      ({ type, status: value }) => status.conditions?.find((condition) => condition.type === type)?.status !== value,
    );
    const due = now >= addMilliseconds(this.#reportedAt, reportInterval);
    const isSame = deepEqual(this.#images, status.images ?? []) && deepEqual(features, status.features);
    if (!turned && !due && isSame) return;
    this.#reportedAt = now;
    storage.update('Node', undefined, nodeName, (node) => ({
      ...node,
      status: { ...node.status, conditions, images: this.#images, ...(features ? { features } : {}) },
    }));
    const ready = conditions.find(({ type }) => type === 'Ready')?.status;
    if (ready === status.conditions?.find(({ type }) => type === 'Ready')?.status) return;
    // A change of readiness emits an event. Upstream: nodestatus.ReadyCondition.
    event(ctx, ready === 'True' ? 'NodeReady' : 'NodeNotReady');
  }

  /** Reads the largest images. If they can't be listed, the previous list is kept. Upstream: nodestatus.Images. */
  async #readImages(): Promise<void> {
    try {
      const { images } = await this.#options.images.listImages(this.#ctx, {});
      this.#images = images
        .toSorted((a, b) => b.size - a.size)
        .slice(0, maxImages)
        .map(({ repoTags, repoDigests, size }) => ({ names: [...repoDigests, ...repoTags], sizeBytes: size }))
        .filter(({ names }) => names.length > 0);
    } catch {
      // The error is ignored, because the Ready condition already reports an unavailable runtime.
    }
  }
}
