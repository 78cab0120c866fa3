/**
 * Defines the rules for volumes in v1.20. Upstream: volumemanager.WaitForAttachAndMount, emptyDir.setupTmpfs (v1.20).
 */
import { sizeLimitOf } from '../plugins/empty-dir.ts';
import { goList, type VolumeProfile } from '../volume-profile.ts';

export const volumesV120: VolumeProfile = {
  emptyDirMemorySize: (emptyDir) => sizeLimitOf(emptyDir) || undefined,
  // Upstream's getUnattachedVolumes looks for the volumes' names in the pod among the unique names of attached volumes,
  // so it returns every expected volume, in the order of a map.
  waitFailed: ({ unmounted, expected }, cause) =>
    `unmounted volumes=${goList(unmounted)}, unattached volumes=${goList(expected)}: ${cause}`,
  timeoutCause: 'timed out waiting for the condition',
};
