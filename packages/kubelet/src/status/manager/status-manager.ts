/**
 * Caches the newest status of every pod and writes it to the API. Upstream: status.manager
 * (pkg/kubelet/status/status_manager.go, v1.36).
 */

import { kubeletPoints } from '@podscope/flow';
import { type PodStatus as ApiPodStatus, isMirrorPod, isStaticPod, type Pod } from '@podscope/k8s';
import { type ContainerID, formatContainerID, formatPod } from '@podscope/kuberuntime';
import {
  type Attributes,
  addMilliseconds,
  type Context,
  type Instant,
  type Milliseconds,
  withPod,
} from '@podscope/trace';
import type { KubeClient } from '../../dependencies.ts';
import type { FeatureGates } from '../../features.ts';
import type { Measures } from '../../metrics/measures.ts';
import { terminations } from '../../metrics/terminations.ts';
import type { PodManager } from '../../pod/pod-manager.ts';
import { statusEqual } from '../../util/status-equal.ts';
import { waitUntil } from '../../util/wait.ts';
import { podReadyCondition } from '../conditions.ts';
import { forbiddenTransition } from '../container-transitions.ts';
import { isPodStatusByKubeletEqual, normalizeStatus, stampStatus } from './normalize-status.ts';
import type { StatusManagerProfile } from './status-manager-profile.ts';

const syncPeriod: Milliseconds = 10_000;

interface VersionedStatus {
  readonly status: ApiPodStatus;
  readonly version: number;
  readonly name: string;
  readonly namespace: string;
  /** Whether no container, volume or cgroup of the pod is left on the node. */
  readonly podIsFinished: boolean;
  /** The instant of the first change since the last write. */
  readonly changedAt: Instant;
}

export interface StatusManagerDependencies {
  readonly client: KubeClient;
  readonly podManager: PodManager;
  readonly profile: StatusManagerProfile;
  readonly podCouldHaveRunningContainers: (uid: string) => boolean;
  /**
   * v1.20: true when no container, sandbox, volume or cgroup of the pod is left. Upstream: PodResourcesAreReclaimed.
   */
  readonly podResourcesAreReclaimed: (pod: Pod, status: ApiPodStatus) => boolean;
  readonly gates: FeatureGates;
  readonly measures?: Measures;
}

/** Stores statuses by pod UID. A static pod's status is stored under its own UID, not under its mirror pod's. */
export class StatusManager {
  readonly #dependencies: StatusManagerDependencies;
  readonly #statuses = new Map<string, VersionedStatus>();
  /** The version of each status that was last written to the API server, by the UID of the pod object there. */
  readonly #written = new Map<string, number>();
  #wake: (() => void) | undefined;
  #pending = false;

  constructor(dependencies: StatusManagerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the cached status.
   * @param uid the UID of a pod or of a mirror pod
   */
  getPodStatus(uid: string): ApiPodStatus | undefined {
    return this.#statuses.get(this.#dependencies.podManager.translatePodUID(uid))?.status;
  }

  /** Stores a generated status. Upstream: SetPodStatus. */
  setPodStatus(ctx: Context, pod: Pod, status: ApiPodStatus): void {
    const { generation } = pod.metadata;
    const observed =
      this.#dependencies.gates.PodObservedGenerationTracking && generation
        ? { ...status, observedGeneration: generation }
        : status;
    this.#update(ctx, pod, observed, pod.metadata.deletionTimestamp !== undefined, false);
  }

  /** Applies a new result of a readiness probe. Upstream: SetContainerReadiness. */
  setContainerReadiness(ctx: Context, uid: string, id: ContainerID, ready: boolean): void {
    this.#patchContainer(ctx, uid, id, 'ready', ready, (pod, patched) => {
      const input = {
        pod,
        status: patched,
        phase: patched.phase ?? 'Pending',
        old: undefined,
        gates: this.#dependencies.gates,
      };
      const conditions = patched.conditions ?? [];
      const { containersReady } = this.#dependencies.profile;
      const renewed = [podReadyCondition(input, conditions, containersReady), containersReady(input)];
      const fresh = new Map(renewed.map((condition) => [condition.type, condition]));
      return { ...patched, conditions: conditions.map((condition) => fresh.get(condition.type) ?? condition) };
    });
  }

  /** Applies a new result of a startup probe. Upstream: SetContainerStartup. */
  setContainerStartup(ctx: Context, uid: string, id: ContainerID, started: boolean): void {
    this.#patchContainer(ctx, uid, id, 'started', started, (_pod, patched) => patched);
  }

  /**
   * Stores the last status of a pod whose resources were released. Containers without a known end are marked as lost.
   * Upstream: TerminatePod.
   */
  terminatePod(ctx: Context, pod: Pod): void {
    const base = this.#statuses.get(pod.metadata.uid)?.status ?? pod.status ?? {};
    this.#update(ctx, pod, this.#dependencies.profile.terminatedStatus(pod, base), true, true);
  }

  /** Removes the statuses of UIDs that belong to no known pod or mirror pod. Upstream: RemoveOrphanedStatuses. */
  removeOrphanedStatuses(known: ReadonlySet<string>): void {
    for (const uid of this.#statuses.keys()) if (!known.has(uid)) this.#statuses.delete(uid);
    for (const uid of this.#written.keys()) if (!known.has(uid)) this.#written.delete(uid);
  }

  /** Writes changed statuses to the API until the context is aborted. */
  async run(ctx: Context): Promise<void> {
    let nextPeriod = addMilliseconds(ctx.clock.now(), syncPeriod);
    while (!ctx.signal.aborted) {
      if (!this.#pending && ctx.clock.now() < nextPeriod) {
        await waitUntil(ctx, nextPeriod, (wake) => (this.#wake = wake));
        continue;
      }
      const all = ctx.clock.now() >= nextPeriod;
      if (all) nextPeriod = addMilliseconds(ctx.clock.now(), syncPeriod);
      this.#pending = false;
      await this.#syncBatch(ctx, all);
    }
  }

  #patchContainer(
    ctx: Context,
    uid: string,
    id: ContainerID,
    field: 'ready' | 'started',
    value: boolean,
    finish: (pod: Pod, patched: ApiPodStatus) => ApiPodStatus,
  ): void {
    const pod = this.#dependencies.podManager.getPodByUID(uid);
    const status = this.#statuses.get(uid)?.status;
    if (!pod || !status) return;
    const text = formatContainerID(id);
    let changed = false;
    const patch = (list: ApiPodStatus['containerStatuses']): ApiPodStatus['containerStatuses'] =>
      list?.map((container) => {
        if (container.containerID !== text || container[field] === value) return container;
        changed = true;
        return { ...container, [field]: value };
      });
    const patched: ApiPodStatus = { ...status };
    const containers = {
      containerStatuses: patch(status.containerStatuses),
      initContainerStatuses: patch(status.initContainerStatuses),
    };
    if (changed) this.#update(ctx, pod, finish(pod, { ...patched, ...containers }), false, false);
  }

  /**
   * Stores a status if it differs from the cached one. All setters call this method. Upstream: updateStatusInternal.
   */
  #update(ctx: Context, pod: Pod, generated: ApiPodStatus, force: boolean, podIsFinished: boolean): void {
    const { podManager, gates, profile } = this.#dependencies;
    const { uid, name, namespace = '' } = pod.metadata;
    const cached = this.#statuses.get(uid);
    const old =
      cached?.status ?? (isStaticPod(pod) ? podManager.getMirrorPodByPod(pod)?.status : undefined) ?? pod.status ?? {};
    const podCtx = withPod(ctx, { uid, name, namespace });
    const forbidden = forbiddenTransition(pod, old, generated, gates);
    if (forbidden !== undefined) {
      const message = `Status update of pod ${formatPod(pod)} aborted: ${forbidden}`;
      ctx.tracer.emit(podCtx, { type: 'output', level: 'warning', message });
      return;
    }
    const stamped = stampStatus(old, generated, ctx.clock.now());
    const status = normalizeStatus(stamped, profile.messageShares(pod));
    for (const termination of terminations(old, status)) this.#dependencies.measures?.take(termination);
    if (cached && !force && isPodStatusByKubeletEqual(cached.status, status)) return;
    const unwritten = cached && cached.version > (this.#written.get(uid) ?? 0);
    this.#statuses.set(uid, {
      status,
      version: (cached?.version ?? 0) + 1,
      name,
      namespace,
      // Upstream excludes static pods, which can run again. Here it has no effect: mirror pods aren't deleted below.
      podIsFinished: podIsFinished || (cached?.podIsFinished ?? false),
      changedAt: unwritten ? cached.changedAt : ctx.clock.now(),
    });
    if (!cached || !statusEqual(cached.status, status))
      ctx.tracer.emit(podCtx, { type: 'podStatus', status: { ...status } });
    this.#pending = true;
    this.#wake?.();
  }

  /**
   * Writes the statuses that haven't been written yet. With `all`, also writes those that differ from the API object's
   * status, and those whose API object can be deleted. Upstream: syncBatch.
   */
  async #syncBatch(ctx: Context, all: boolean): Promise<void> {
    for (const [uid, versioned] of this.#statuses) {
      if (ctx.signal.aborted) return;
      const target = this.#target(uid);
      if (!target) continue;
      const stale = versioned.version > (this.#written.get(target.uid) ?? 0);
      if (!stale && !(all && (target.deletable || !isPodStatusByKubeletEqual(target.status ?? {}, versioned.status))))
        continue;
      try {
        await this.#syncPod(
          withPod(ctx, { uid, name: versioned.name, namespace: versioned.namespace }),
          uid,
          target.uid,
          versioned,
        );
      } catch (error) {
        const { name, namespace } = versioned;
        const message = `Failed to update status for pod ${name}_${namespace}(${uid}): ${String(error)}`;
        ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
      }
    }
  }

  /** Returns the API object to which the pod's status is written; undefined for a static pod without a mirror pod. */
  #target(
    uid: string,
  ): { readonly uid: string; readonly status: ApiPodStatus | undefined; readonly deletable: boolean } | undefined {
    const { podManager } = this.#dependencies;
    const pod = podManager.getPodByUID(uid);
    if (!pod) return { uid, status: this.#statuses.get(uid)?.status, deletable: false };
    if (!isStaticPod(pod)) {
      const versioned = this.#statuses.get(uid);
      const deletable = versioned !== undefined && this.#canBeDeleted(pod, versioned);
      return { uid, status: pod.status, deletable };
    }
    const mirror = podManager.getMirrorPodByPod(pod);
    return mirror && { uid: mirror.metadata.uid, status: mirror.status, deletable: false };
  }

  /** True when the API object of the pod can be removed. Upstream: canBeDeleted. */
  #canBeDeleted(pod: Pod, { status, podIsFinished }: VersionedStatus): boolean {
    const { profile, podResourcesAreReclaimed } = this.#dependencies;
    if (pod.metadata.deletionTimestamp === undefined || isMirrorPod(pod)) return false;
    return profile.canBeDeleted(pod, podIsFinished, () => podResourcesAreReclaimed(pod, status));
  }

  /** Writes one status. Upstream: syncPod. */
  async #syncPod(ctx: Context, uid: string, targetUID: string, versioned: VersionedStatus): Promise<void> {
    const { client, podCouldHaveRunningContainers, profile } = this.#dependencies;
    const { name, namespace, status, version } = versioned;
    const pod = await client.getPod(namespace, name);
    if (!pod) return;
    if (pod.metadata.uid !== targetUID) {
      this.#statuses.delete(uid);
      return;
    }
    const merged = profile.mergePodStatus(
      pod.status ?? {},
      status,
      podCouldHaveRunningContainers(uid),
      ctx.clock.now(),
    );
    const changed = !statusEqual(pod.status ?? {}, merged);
    const removable = this.#canBeDeleted({ ...pod, status: merged }, versioned);
    if (changed || removable) {
      const facts = (): Attributes => ({
        phase: merged.phase,
        changed,
        delete: removable,
        pending: `${ctx.clock.now() - versioned.changedAt} ms`,
      });
      await ctx.tracer.span(ctx, kubeletPoints.statusManagerSyncPod, facts, async () => {
        const patched = changed ? await client.patchPodStatus(namespace, name, targetUID, merged) : pod;
        if (!patched || !removable) return;
        await client.deletePod(namespace, name, targetUID);
        this.#statuses.delete(uid);
      });
    }
    this.#written.set(targetUID, version);
  }
}
