/** What differs between releases in volumes. Upstream: volumemanager.WaitForAttachAndMount (v1.36 and v1.20). */

import { type EmptyDirMemorySize, emptyDirMemorySizeV120, emptyDirMemorySizeV136 } from './empty-dir.ts';

export interface VolumeProfile {
  readonly emptyDirMemorySize: EmptyDirMemorySize;
  /** Why the wait for volumes ended without them. `names`: as Go prints a list. */
  readonly timedOut: (names: string) => string;
}

export const volumesV136: VolumeProfile = {
  emptyDirMemorySize: emptyDirMemorySizeV136,
  timedOut: (names) => `unmounted volumes=${names}, unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
};

export const volumesV120: VolumeProfile = {
  emptyDirMemorySize: emptyDirMemorySizeV120,
  timedOut: (names) => `unmounted volumes=${names}, unattached volumes=${names}: timed out waiting for the condition`,
};
