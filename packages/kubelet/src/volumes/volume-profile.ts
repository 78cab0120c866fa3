/**
 * Declares the differences between releases in volumes. Upstream: volumemanager.WaitForAttachAndMount (v1.36 and
 * v1.20).
 */

import { type EmptyDirMemorySize, emptyDirMemorySizeV136 } from './empty-dir.ts';

export interface VolumeProfile {
  readonly emptyDirMemorySize: EmptyDirMemorySize;
  /**
   * Returns the text of the error when the wait timed out.
   * @param names the unmounted volumes, formatted like a Go slice
   */
  readonly timedOut: (names: string) => string;
}

export const volumesV136: VolumeProfile = {
  emptyDirMemorySize: emptyDirMemorySizeV136,
  timedOut: (names) =>
    `unmounted volumes=${names}, unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
};
