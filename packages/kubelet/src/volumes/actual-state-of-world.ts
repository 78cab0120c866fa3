/**
 * Keeps which volumes are mounted for which pods. Upstream: cache.ActualStateOfWorld (pkg/kubelet/volumemanager,
 * v1.36).
 */
import type { VolumeKind } from './volume-kinds.ts';

/** A volume that containers can mount. */
export interface MountedVolume {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
}

/** A volume of a pod that is mounted, or possibly mounted. */
export interface ActualVolume {
  readonly uid: string;
  readonly name: string;
  readonly kind: VolumeKind;
  /** Undefined while it is uncertain whether the volume is mounted: after a failed attempt, or when found on disk. */
  readonly mounted: MountedVolume | undefined;
  /**
   * Its files have to be brought up to date: `requested` until the first attempt has ended, then `failed` until one
   * succeeds.
   */
  readonly remount: 'requested' | 'failed' | undefined;
}

/** The actual volumes by pod UID and name. */
export class ActualStateOfWorld {
  readonly #pods = new Map<string, Map<string, ActualVolume>>();

  /** Stores a volume in place of what was known of it. */
  set(volume: ActualVolume): void {
    const volumes = this.#pods.get(volume.uid) ?? new Map<string, ActualVolume>();
    volumes.set(volume.name, volume);
    this.#pods.set(volume.uid, volumes);
  }

  /** Forgets a volume that has been unmounted. Upstream: MarkVolumeAsUnmounted. */
  delete(uid: string, name: string): void {
    const volumes = this.#pods.get(uid);
    volumes?.delete(name);
    if (volumes?.size === 0) this.#pods.delete(uid);
  }

  get(uid: string, name: string): ActualVolume | undefined {
    return this.#pods.get(uid)?.get(name);
  }

  /** Returns the volumes of a pod, uncertain ones included. Upstream: GetPossiblyMountedVolumesForPod. */
  ofPod(uid: string): readonly ActualVolume[] {
    return [...(this.#pods.get(uid)?.values() ?? [])];
  }

  /** Returns the volumes of all pods, uncertain ones included. */
  all(): readonly ActualVolume[] {
    return [...this.#pods.values()].flatMap((volumes) => [...volumes.values()]);
  }

  /** Returns the UIDs of pods with volumes, uncertain ones included. */
  uids(): readonly string[] {
    return [...this.#pods.keys()];
  }
}
