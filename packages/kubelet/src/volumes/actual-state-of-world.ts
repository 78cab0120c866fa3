/**
 * Stores which volumes are mounted for which pods. Upstream: cache.ActualStateOfWorld (pkg/kubelet/volumemanager,
 * v1.36).
 */
import type { VolumeKind } from './volume-kinds.ts';

/** A volume that containers can mount. */
export interface MountedVolume {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
}

/** A volume of a pod that is mounted or may be mounted. */
export interface ActualVolume {
  readonly uid: string;
  readonly name: string;
  readonly kind: VolumeKind;
  /**
   * The mount. Undefined while it is unknown whether the volume is mounted: after a failed attempt, or for a volume
   * found on disk.
   */
  readonly mounted: MountedVolume | undefined;
  /**
   * Whether the volume's files have to be updated: `requested` until the first attempt has ended, then `failed` until
   * an attempt succeeds.
   */
  readonly remount: 'requested' | 'failed' | undefined;
}

/** Stores the actual volumes by pod UID and volume name. */
export class ActualStateOfWorld {
  readonly #pods = new Map<string, Map<string, ActualVolume>>();

  /** Stores a volume and replaces its earlier record. */
  set(volume: ActualVolume): void {
    const volumes = this.#pods.get(volume.uid) ?? new Map<string, ActualVolume>();
    volumes.set(volume.name, volume);
    this.#pods.set(volume.uid, volumes);
  }

  /** Removes the record of an unmounted volume. Upstream: MarkVolumeAsUnmounted. */
  delete(uid: string, name: string): void {
    const volumes = this.#pods.get(uid);
    volumes?.delete(name);
    if (volumes?.size === 0) this.#pods.delete(uid);
  }

  get(uid: string, name: string): ActualVolume | undefined {
    return this.#pods.get(uid)?.get(name);
  }

  /** Returns the volumes of a pod, including those that may be mounted. Upstream: GetPossiblyMountedVolumesForPod. */
  ofPod(uid: string): readonly ActualVolume[] {
    return [...(this.#pods.get(uid)?.values() ?? [])];
  }

  /** Returns the volumes of all pods, including those that may be mounted. */
  all(): readonly ActualVolume[] {
    return [...this.#pods.values()].flatMap((volumes) => [...volumes.values()]);
  }

  /** Returns the UIDs of the pods that have a volume, including one that may be mounted. */
  uids(): readonly string[] {
    return [...this.#pods.keys()];
  }
}
