/**
 * Stores which volumes should be mounted for which pods. Upstream: cache.DesiredStateOfWorld
 * (pkg/kubelet/volumemanager, v1.36).
 */
import type { Pod, Volume } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { VolumeKind } from './volume-kinds.ts';

/** A volume of a pod that should be mounted. */
export interface VolumeToMount {
  readonly pod: Pod;
  readonly volume: Volume;
  readonly kind: VolumeKind;
}

interface DesiredPod {
  /**
   * The volumes by name. The value is undefined for a volume that was found on disk after a restart. The reconciler
   * doesn't change this volume until its pod is added.
   */
  readonly volumes: ReadonlyMap<string, VolumeToMount | undefined>;
  /** The context of the step that waits for the volumes. Operations open their spans in it. */
  waiter: Context | undefined;
}

/** Stores the desired volumes by pod UID. */
export class DesiredStateOfWorld {
  readonly #pods = new Map<string, DesiredPod>();

  /** Adds a pod, or replaces its volumes. Upstream: AddPodToVolume. */
  addPod(uid: string, volumes: readonly VolumeToMount[]): void {
    const waiter = this.#pods.get(uid)?.waiter;
    this.#pods.set(uid, { volumes: new Map(volumes.map((item) => [item.volume.name, item])), waiter });
  }

  /**
   * Adds volumes that were found on disk and whose pod isn't known yet. They are kept until the pod turns out to be
   * deleted.
   */
  addReconstructed(uid: string, names: readonly string[]): void {
    this.#pods.set(uid, { volumes: new Map(names.map((name) => [name, undefined])), waiter: undefined });
  }

  /** Removes a pod. From now on, the reconciler unmounts its volumes. Upstream: DeletePodFromVolume. */
  deletePod(uid: string): void {
    this.#pods.delete(uid);
  }

  /** Returns the UIDs of all pods that should have volumes. */
  uids(): readonly string[] {
    return [...this.#pods.keys()];
  }

  /** True when this volume should be mounted, or must not be unmounted yet. Upstream: PodExistsInVolume. */
  has(uid: string, name: string): boolean {
    return this.#pods.get(uid)?.volumes.has(name) ?? false;
  }

  /** Returns every volume that should be mounted. Upstream: GetVolumesToMount. */
  volumesToMount(): readonly VolumeToMount[] {
    return [...this.#pods.values()].flatMap(({ volumes }) =>
      [...volumes.values()].filter((item) => item !== undefined),
    );
  }

  /** Sets the context of the step that waits for the pod's volumes; undefined when the step ends. */
  setWaiter(uid: string, waiter: Context | undefined): void {
    const pod = this.#pods.get(uid);
    if (pod) pod.waiter = waiter;
  }

  /** Returns the context of the step that waits for the pod's volumes. */
  waiter(uid: string): Context | undefined {
    return this.#pods.get(uid)?.waiter;
  }
}
