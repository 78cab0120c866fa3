/**
 * Declares the differences between releases in volumes. Upstream: volumemanager.WaitForAttachAndMount (v1.36 and
 * v1.20).
 */

import { type EmptyDirMemorySize, emptyDirMemorySizeV136 } from './empty-dir.ts';

export interface VolumeProfile {
  readonly emptyDirMemorySize: EmptyDirMemorySize;
  /** Returns the error of a wait that timed out. `names`: the unmounted volumes in Go's notation of a list. */
  readonly timedOut: (names: string) => string;
}

export const volumesV136: VolumeProfile = {
  emptyDirMemorySize: emptyDirMemorySizeV136,
  timedOut: (names) =>
    `unmounted volumes=${names}, unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
};
