/**
 * Defines the rules for volumes in v1.20. Upstream: volumemanager.WaitForAttachAndMount, emptyDir.setupTmpfs (v1.20).
 */
import { sizeLimitOf } from '../empty-dir.ts';
import type { VolumeProfile } from '../volume-profile.ts';

export const volumesV120: VolumeProfile = {
  emptyDirMemorySize: (emptyDir) => sizeLimitOf(emptyDir) || undefined,
  timedOut: (names) => `unmounted volumes=${names}, unattached volumes=${names}: timed out waiting for the condition`,
};
