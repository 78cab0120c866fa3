/**
 * Declares the differences between releases in volumes. Upstream: volumemanager.WaitForAttachAndMount (v1.36 and
 * v1.20).
 */

import { type EmptyDirMemorySize, emptyDirMemorySizeV136 } from './plugins/empty-dir.ts';

/** The volumes of a pod whose wait has failed, by name, sorted. */
interface VolumesOfFailedWait {
  /** The volumes that at least one container uses. */
  readonly expected: readonly string[];
  /** The expected volumes that aren't mounted. */
  readonly unmounted: readonly string[];
  /** The expected volumes that couldn't be added to the desired state. */
  readonly unprocessed: readonly string[];
}

export interface VolumeProfile {
  readonly emptyDirMemorySize: EmptyDirMemorySize;
  /** Returns the text of the error with which the wait for a pod's volumes fails. */
  readonly waitFailed: (volumes: VolumesOfFailedWait, cause: string) => string;
  /** The cause of a wait that took longer than 2 min 3 s. */
  readonly timeoutCause: string;
}

/** Formats names as Go's %v formats a slice, for example `[a b]`. */
export const goList = (names: readonly string[]): string => `[${names.join(' ')}]`;

export const volumesV136: VolumeProfile = {
  emptyDirMemorySize: emptyDirMemorySizeV136,
  // No volume of this node is attachable, so none is unattached.
  waitFailed: ({ unmounted, unprocessed }, cause) =>
    `unmounted volumes=${goList(unmounted)}, unattached volumes=[], ` +
    `failed to process volumes=${goList(unprocessed)}: ${cause}`,
  timeoutCause: 'context deadline exceeded',
};
