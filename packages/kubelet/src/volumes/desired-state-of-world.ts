/**
 * Keeps which volumes should be mounted for which pods. Upstream: cache.DesiredStateOfWorld (pkg/kubelet/volumemanager,
 * v1.36).
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
   * The volumes by name. A volume found on disk after a restart is undefined until its pod is added: it stays as it is.
   */
  readonly volumes: ReadonlyMap<string, VolumeToMount | undefined>;
  /** The step that waits for the volumes; operations report into it. */
  waiter: Context | undefined;
}

/** The desired volumes by pod UID. */
export class DesiredStateOfWorld {
  readonly #pods = new Map<string, DesiredPod>();

  /** Adds a pod, or replaces its volumes. Upstream: AddPodToVolume. */
  addPod(uid: string, volumes: readonly VolumeToMount[]): void {
    const waiter = this.#pods.get(uid)?.waiter;
    this.#pods.set(uid, { volumes: new Map(volumes.map((item) => [item.volume.name, item])), waiter });
  }

  /** Adds volumes of an unknown pod that were found on disk, so that they stay until the pod is known to be gone. */
  addReconstructed(uid: string, names: readonly string[]): void {
    this.#pods.set(uid, { volumes: new Map(names.map((name) => [name, undefined])), waiter: undefined });
  }

  /** Removes a pod: its volumes are unmounted from now on. Upstream: DeletePodFromVolume. */
  deletePod(uid: string): void {
    this.#pods.delete(uid);
  }

  /** Returns the UIDs of all pods that should have volumes. */
  uids(): readonly string[] {
    return [...this.#pods.keys()];
  }

  /** True when this volume should be mounted, or must stay for now. Upstream: PodExistsInVolume. */
  has(uid: string, name: string): boolean {
    return this.#pods.get(uid)?.volumes.has(name) ?? false;
  }

  /** Returns every volume that should be mounted. Upstream: GetVolumesToMount. */
  volumesToMount(): readonly VolumeToMount[] {
    return [...this.#pods.values()].flatMap(({ volumes }) =>
      [...volumes.values()].filter((item) => item !== undefined),
    );
  }

  /** Sets the step that waits for the pod's volumes; undefined when it ends. */
  setWaiter(uid: string, waiter: Context | undefined): void {
    const pod = this.#pods.get(uid);
    if (pod) pod.waiter = waiter;
  }

  /** Returns the step that waits for the pod's volumes. */
  waiter(uid: string): Context | undefined {
    return this.#pods.get(uid)?.waiter;
  }
}
